"""The load benchmark starts its cluster, speaks with it and counts."""

import sys
from pathlib import Path

import pytest
from aegra_house import ROOT, reason_to_skip

sys.path.append(str(ROOT))  # of the benchmarks, as `python -m` has it
from benchmarks import cluster_load, cluster_watch
from benchmarks.published import read_run

pytestmark = [pytest.mark.distributed, pytest.mark.xdist_group("cluster")]


def test_a_small_run_counts_what_a_slow_system_costs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := reason_to_skip():
        pytest.skip(reason)
    monkeypatch.setattr(cluster_watch, "COUNTED_AFTER_S", 1)
    monkeypatch.setattr(cluster_load, "IDLE_S", 0.5)
    monkeypatch.setattr(cluster_load, "REPLY_S", 0.1)
    few = ["--loads", "waits", "--workers", "1", "--rounds", "1", "--conversations", "6", "--out", str(tmp_path)]

    assert cluster_load.main(few) == 0

    [report] = read_run(tmp_path / "cluster.json").reports
    figures = {row.measure: row.value for row in report.rows if row.table != "idle, workers"}
    assert figures["runs"] == 1
    assert [
        name
        for name in ("conversations", "half within", "workers", "stream events", "connections")
        if figures[name] <= 0
    ] == []
    assert (tmp_path / "cluster.png").exists()
