"""Brings a cluster's tables to what this version needs, once for all processes: `python deploy/aegra/migrate.py`.

DATABASE_URL and AEGRA_CONFIG are read as by every process of the cluster.
"""

import asyncio
import os
from pathlib import Path

import psycopg
from aegra_api.core.database import db_manager
from aegra_api.core.migrations import run_migrations_async

HERE = Path(__file__).parent


def one_active_run(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute((HERE / "one_active_run.sql").read_text(encoding="utf-8"))


async def tables() -> None:
    """Processes that made those of checkpoints and store at the same time would wait for each other for good."""
    await run_migrations_async()
    await db_manager.initialize()
    await db_manager.close()


if __name__ == "__main__":
    asyncio.run(tables())
    one_active_run(os.environ["DATABASE_URL"])
