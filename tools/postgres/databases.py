"""The name of a database, as a user gives it: what is PostgreSQL's, what may be printed of it, and what its client takes."""

import re
from typing import Any

from wavegraph.graph.secrets.scrubber import process

DATABASE = "WAVEGRAPH_DATABASE"
"""Environment variable: the database, where none is named."""
CONNECT_TIMEOUT_S = 10
"""How long connecting may take, if the connection string does not say."""
HIDDEN = "postgresql://…"
"""What is printed of a connection string that cannot be read, or in more than one way."""
_POSTGRES = re.compile(r"postgres(?:ql)?(?:\+\w{1,40})?://", re.IGNORECASE)
_URL = re.compile(
    r"(?:(?P<user>[^\s:@/]*)(?::[^\s@/]*)?@)?(?P<place>[\w.,:\[\]%-]*(?:/[^\s@/?#]*)?)(?:\?(?P<query>[^\s#]*))?"
)
"""A URL after its scheme, as libpq reads it. Its user, password and names hold no other `@` or `/` than as %XX."""
_PAIR = re.compile(r"(?:\A|(?<!\s)\s+)(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|(?:[^\s'\\]|\\.)*)(?=\s|$)")
_SAFE = frozenset(
    re.findall(
        r"\w+",
        "host hostaddr port dbname user passfile service connect_timeout client_encoding options application_name "
        "fallback_application_name keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout "
        "sslmode sslnegotiation sslcert sslkey sslrootcert sslcrl sslsni require_auth requirepeer channel_binding "
        "krbsrvname gssencmode target_session_attrs load_balance_hosts",
    )
)
"""Of libpq's keywords those that hold no secret."""
_KEYWORDS = re.compile(
    rf"(?:^|\s)(?:{'|'.join(sorted(_SAFE))}|password|sslpassword)\s{{0,9}}=",
    re.IGNORECASE,
)
"""Any of them says that a name is no file's."""
_OTHER = re.compile(
    r"(?:[A-Za-z][\w+.-]{1,40}:/)"
    r"|(?:postgres|postgresql|mysql|mariadb|mssql|oracle|sqlite|mongodb|redis|cockroachdb|jdbc|odbc|file)(?:\+\w{1,40})?:"
    r"|[^\s/\\@]{1,200}:[^\s@]{0,300}@[\w.\[]",
    re.IGNORECASE,
)
"""A connection string of another kind, or one that lacks its scheme."""
_PASSWORD = re.compile(r"(?:^|[\s;])(?:password|passwd|pwd)\s{0,9}=", re.IGNORECASE)
"""Whatever it is, no file is called so."""


def is_postgres(database: str) -> bool:
    """Whether it names a PostgreSQL database: by URL, or by libpq's keywords (`host=… dbname=…`)."""
    return _POSTGRES.match(database) is not None or _KEYWORDS.search(database) is not None


def is_no_file(database: str) -> bool:
    """Whether it is evidently a connection string of another kind, and the file is not meant that it would make."""
    return not is_postgres(database) and (_OTHER.match(database) or _PASSWORD.search(database)) is not None


def connection_string(database: str) -> str | None:
    """The PostgreSQL database as libpq takes it; None = it is odd, and libpq would take part of a password for a host."""
    if scheme := _POSTGRES.match(database):
        rest = database[scheme.end() :]
        return f"postgresql://{rest}" if _URL.fullmatch(rest) else None
    return database if _pairs(database) else None


def printable(database: str) -> str:
    """The database's name for messages: of a connection string only server and database."""
    if is_no_file(database):
        return "…"
    if not is_postgres(database):
        return database
    if scheme := _POSTGRES.match(database):
        read = _URL.fullmatch(database, scheme.end())
        return f"postgresql://{read['place']}" if read else HIDDEN
    named = {key.lower(): value for key, value in _pairs(database)}
    place = ":".join(filter(None, [named.get("host") or named.get("hostaddr"), named.get("port")]))
    return f"postgresql://{place}/{named.get('dbname', '')}".rstrip("/") if named else HIDDEN


def without_password(database: str) -> str:
    """The database as a command line may hold it; the password is then read from PGPASSWORD or a password file."""
    if not is_postgres(database):
        return printable(database)
    if not (scheme := _POSTGRES.match(database)):
        kept = [f"{key}={value}" for key, value in _pairs(database) if key.lower() in _SAFE]
        return " ".join(kept) or HIDDEN
    if (read := _URL.fullmatch(database, scheme.end())) is None:
        return HIDDEN
    user = f"{read['user']}@" if read["user"] else ""
    query = "&".join(each for each in (read["query"] or "").split("&") if each.partition("=")[0].lower() in _SAFE)
    return f"{scheme[0]}{user}{read['place']}{'?' if query else ''}{query}"


def _pairs(database: str) -> list[tuple[str, str]]:
    """libpq's keywords with their values as they are written; empty if the text is anything else besides."""
    return [] if _PAIR.sub("", database).strip() else _PAIR.findall(database)


def libpq_settings(database: str) -> dict[str, Any]:
    """The settings of a PostgreSQL database as psycopg takes them, its passwords learned as secrets. Raises ValueError for a
    connection string that cannot be read; ImportError without the extra `postgres`."""
    from psycopg import Error
    from psycopg.conninfo import conninfo_to_dict

    try:
        settings = conninfo_to_dict(connection_string(database) or "=")  # which it cannot read
    except Error:  # its text quotes what it could not read, which may be half a password
        raise ValueError(
            f"cannot read the connection string of {printable(database)!r}: it must look like "
            "postgresql://USER@HOST:PORT/DATABASE, with the password in PGPASSWORD or after USER and a colon, and every "
            'special character of both written as %XX, or like "host=HOST port=PORT dbname=DATABASE user=USER"'
        ) from None
    process.learn(*(str(settings[name]) for name in ("password", "sslpassword") if settings.get(name)))
    return {"connect_timeout": CONNECT_TIMEOUT_S, **settings}
