"""Which names the server answers to, and which pages may call it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.app.serving.hosts import Hosts, Origins, host_of, host_of_origin
from wavegraph.app.serving.settings import DoorSettings
from wavegraph.graph.errors import SettingsError


@table(
    ("header", "host"),
    [
        ("localhost", "localhost"),
        ("localhost:2024", "localhost"),
        ("LocalHost:2024", "localhost"),
        ("localhost.:2024", "localhost"),
        ("127.0.0.1:", "127.0.0.1"),
        ("[::1]:2024", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[::ffff:127.0.0.1]:80", "127.0.0.1"),
        ("my_service:8000", "my_service"),
        ("xn--9dbnfg.example", "xn--9dbnfg.example"),
        ("evil.example:2024", "evil.example"),
        ("localhost.evil.example", "localhost.evil.example"),
        ("127.1", "127.1"),
        ("2130706433", "2130706433"),
        ("", None),
        (".", None),
        ("localhost..", None),
        ("::1", None),
        ("[::1", None),
        ("[::1%lo]", None),
        ("[localhost]", None),
        ("user@localhost", None),
        ("user:password@localhost:2024", None),
        ("localhost@evil.example", None),
        ("localhost:2024:80", None),
        ("localhost:80a", None),
        ("localhost:٢٠٢٤", None),
        ("localhost evil.example", None),
        ("localhost, evil.example", None),
        ("localhost\tevil.example", None),
        ("localhost\n", None),
        ("localhost/evil.example", None),
        ("localhost?", None),
        ("http://localhost", None),
        ("loc\u0430lhost", None),  # a Cyrillic letter
        ("<script>alert(1)</script>", None),
        ("%6cocalhost", None),
    ],
)
def test_the_host_of_a_header(header: str, host: str | None) -> None:
    assert host_of(header) == host


@given(st.text() | st.text("[]:.@/ab01f%-", max_size=20) | st.from_regex(r"[a-z0-9.]+:\d*"))
def test_any_header_is_read_and_a_host_is_spelled_in_one_way(header: str) -> None:
    host = host_of(header)
    assert host is None or host_of(f"[{host}]" if ":" in host else host) == host


@table(
    ("origin", "host"),
    [
        ("http://localhost:3000", "localhost"),
        ("https://[::1]:2024", "::1"),
        ("https://smith.langchain.com", "smith.langchain.com"),
        ("http://localhost.evil.example", "localhost.evil.example"),
        ("null", None),
        ("", None),
        ("file://", None),
        ("file://localhost", None),
        ("chrome-extension://localhost", None),
        ("http://localhost/", None),
        ("http://localhost@evil.example", None),
        ("http://evil.example\\@localhost", None),
        ("http://evil.example#localhost", None),
        ("http://localhost http://evil.example", None),
        ("javascript:http://localhost", None),
    ],
)
def test_the_host_of_a_page(origin: str, host: str | None) -> None:
    assert host_of_origin(origin) == host


LISTED = "Hotel.Example.com, *.inner.example ,192.168.1.20,[fd00:0::1], fd00::2, מלון.example, api.other.example.,,"


@table(
    ("host", "is_known"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("hotel.example.com", True),
        ("api.other.example", True),
        ("a.inner.example", True),
        ("a.b.inner.example", True),
        ("192.168.1.20", True),
        ("fd00::1", True),
        ("fd00::2", True),
        ("xn--9dbnfg.example", True),
        ("inner.example", False),
        ("evilinner.example", False),
        ("www.hotel.example.com", False),
        ("hotel.example.com.evil.example", False),
        ("192.168.1.21", False),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("::", False),
        ("fd00::3", False),
        ("localhost.evil.example", False),
        ("a.localhost", False),
        ("127.1", False),
        (None, False),
    ],
)
def test_the_server_answers_to_loopback_and_to_what_is_listed(host: str | None, is_known: bool) -> None:
    assert (host in Hosts.listed(LISTED)) is is_known


def test_where_nothing_is_listed_only_loopback_counts() -> None:
    assert [host for host in ("localhost", "evil.example", "") if host in Hosts.listed(" , ")] == ["localhost"]


@table(
    "text", ["*", "a.example,*", "*.", "*example.com", "a.*.example", "http://a.example", "a.example:443", "a b", "<a>"]
)
def test_what_is_no_name_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(SettingsError, match=r"WAVEGRAPH_HOSTS: .* a bare \* would let any web page in"):
        DoorSettings.from_env({"WAVEGRAPH_HOSTS": text})


STUDIO, OTHER, THIRD = "https://smith.langchain.com", "https://desk.example", "http://third.example"


@table(
    ("environment", "allowed"),
    [
        ({}, []),
        ({"LANGGRAPH_HTTP": ""}, []),
        ({"LANGGRAPH_HTTP": json.dumps({"app": "x:y"})}, []),
        ({"LANGGRAPH_HTTP": json.dumps({"cors": None})}, []),
        ({"LANGGRAPH_HTTP": json.dumps({"cors": {"allow_origins": [STUDIO, OTHER]}})}, [STUDIO, OTHER]),
        ({"LANGGRAPH_HTTP": json.dumps({"cors": {"allow_origins": ["*"]}})}, []),
        ({"LANGGRAPH_HTTP": json.dumps({"cors": {"allow_origin_regex": r"https://\w+\.example"}})}, [OTHER]),
        ({"CORS_ALLOW_ORIGINS": f"{STUDIO}, {THIRD}"}, [STUDIO, THIRD]),
        ({"CORS_ALLOW_ORIGINS": "*"}, []),
        (
            {
                "CORS_CONFIG": json.dumps({"allow_origins": [THIRD]}),
                "LANGGRAPH_HTTP": json.dumps({"cors": {"allow_origins": [STUDIO]}}),
            },
            [THIRD],
        ),
    ],
)
def test_the_pages_that_may_call_are_those_of_the_server_s_own_list(
    environment: dict[str, str], allowed: list[str]
) -> None:
    asked = (STUDIO, OTHER, THIRD, "null", "*", "", "https://desk.example.evil")
    assert [origin for origin in asked if origin in Origins.from_env(environment)] == allowed


@table(
    ("name", "text"),
    [
        (name, text)
        for name in ("WAVEGRAPH_MAX_BODY_BYTES", "WAVEGRAPH_BYTES_PER_SECOND")
        for text in ("0", "-1", "many", "nan", "inf", "1e999", "10 MB")
    ]
    + [("WAVEGRAPH_MAX_BODY_BYTES", "0.5")],
)
def test_a_limit_that_is_no_number_above_0_is_refused_at_the_start(name: str, text: str) -> None:
    with pytest.raises(SettingsError, match=name):
        DoorSettings.from_env({name: text})


def test_limits_come_from_the_environment_and_have_defaults() -> None:
    assert DoorSettings.from_env({"WAVEGRAPH_MAX_BODY_BYTES": " "}) == DoorSettings()

    given = DoorSettings.from_env({"WAVEGRAPH_MAX_BODY_BYTES": "5000", "WAVEGRAPH_BYTES_PER_SECOND": "0.5"})
    assert (given.max_body_bytes, given.bytes_per_second) == (5000, 0.5)


def test_the_limit_of_an_earlier_version_is_refused_with_what_to_write_for_it() -> None:
    with pytest.raises(
        SettingsError, match=r"_REQUESTS_PER_SECOND = '50' is read no more.*_BYTES_PER_SECOND .* 2000 times"
    ):
        DoorSettings.from_env({"WAVEGRAPH_REQUESTS_PER_SECOND": "50"})


@pytest.mark.parametrize(("settings", "most"), [({}, 2_000_000), ({"max_body_bytes": 3_000_000}, 3_002_000)])
def test_a_quiet_client_may_send_ten_seconds_worth_or_the_largest_body(settings: dict[str, int], most: int) -> None:
    rate = DoorSettings(**settings).rate()  # type: ignore[arg-type]

    assert rate.take({"10.0.0.1"}, most) == 0
    assert rate.take({"10.0.0.2"}, most + 1) > 0


@pytest.mark.parametrize(
    ("environ", "is_there"),
    [
        ({}, False),
        ({"LANGGRAPH_AUTH": "", "LANGGRAPH_AUTH_TYPE": "noop"}, False),
        ({"LANGGRAPH_AUTH": '{"path": "wavegraph.app.serving.auth:auth"}'}, True),
        ({"LANGGRAPH_AUTH_TYPE": "langsmith"}, True),
    ],
)
def test_access_control_is_what_the_server_was_given(environ: dict[str, str], is_there: bool) -> None:
    assert DoorSettings.from_env(environ).has_access_control is is_there
