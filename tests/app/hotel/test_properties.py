"""`wavegraph properties`: what is listed, and what a check finds, in words."""

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest
from ezgo_server import Ezgo, EzgoServer, failed
from loopback import LoopbackServer
from typer.testing import CliRunner, Result

from wavegraph.app.main import app
from wavegraph.tools.hotel.configuration.diagnosis import diagnosis
from wavegraph.tools.hotel.configuration.entry import PropertyEntry

OWN_HOTEL = Path(__file__).parents[3] / "examples" / "own_hotel"
PASSWORD = "q7Zr&pW<x2"
NIGHTS = """<?xml version="1.0"?><AvailRaters><Hotel id="seahotel" Currency="ILS"/><RoomTypes><RoomType id="DBL" BasicOccupancy="002">
</RoomType></RoomTypes></AvailRaters>"""


@dataclass
class Vendor:
    """A server that answers every call alike."""

    body: str = NIGHTS
    status: int = 200
    host: str = ""
    received: list[bytes] = field(default_factory=list)


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    vendor = Vendor()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            vendor.received.append(self.rfile.read(int(self.headers["Content-Length"])))
            data = vendor.body.encode()
            self.send_response(vendor.status)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with LoopbackServer(Handler) as server:
        vendor.host = server.url
        yield vendor


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SEA_USER", "clerk-of-sea")
    monkeypatch.setenv("SEA_WORD", PASSWORD)
    folder = tmp_path / "home" / "wavegraph"
    folder.mkdir(parents=True)
    return folder


LOGIN = """username_variable = "SEA_USER"\npassword_variable = "SEA_WORD"\n"""


def minihotel(host: str, more: str = "", name: str = "haifa") -> str:
    return (
        f'[[property]]\nid = "{name}"\npms_type = "minihotel"\nhotel_id = "seahotel"\nrate_code = "WEB"\nhost = "{host}"\n'
        f"{LOGIN}{more}\n"
    )


def ezgo(host: str) -> str:
    return f'[[property]]\nid = "eilat"\npms_type = "ezgo"\nhotel_id = 5\npms_agency_channel_id = 7\nhost = "{host}"\n{LOGIN}\n'


def run(*words: str) -> Result:
    done = CliRunner().invoke(app, ["properties", *words])
    assert PASSWORD not in done.output
    assert "clerk-of-sea" not in done.output
    return done


def test_the_properties_of_the_file_are_listed(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = run()
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert f"no property is listed: there is no {home / 'properties.toml'}" in nothing.stderr

    (home / "properties.toml").write_text(minihotel("http://127.0.0.1:9") + ezgo("http://127.0.0.1:9"))
    assert run().stdout.splitlines() == [
        "haifa                minihotel, hotel seahotel at http://127.0.0.1:9, ILS, Asia/Jerusalem, read only",
        "eilat                ezgo, hotel 5 at http://127.0.0.1:9, ILS, Asia/Jerusalem, read only",
    ]
    other = tmp_path / "other.toml"
    other.write_text(minihotel("http://127.0.0.1:9", "writes = true").replace("host =", "#"))
    assert "at the test system, ILS, Asia/Jerusalem, may book and cancel" in run("--properties", str(other)).stdout
    for words in (["--properties", str(other), "check", "eilat"], ["check", "eilat", "--properties", str(other)]):
        assert f"'eilat' is not in {other}; listed: haifa" in run(*words).stderr
    monkeypatch.setenv("WAVEGRAPH_PROPERTIES", str(other))
    assert len(run().stdout.splitlines()) == 1
    assert "haifa" in CliRunner().invoke(app, ["hotel", "list"]).stdout


def test_a_request_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_PROPERTIES", "")  # so that what the option sets ends with the test
    file = tmp_path / "hotels.toml"
    file.write_text("[[property]]\nid = 'akko'\n")
    asked = ["ask", "hello", "--db", ":memory:", "--planner", "rules", "--property", "akko"]
    assert "unknown property_id 'akko'; known: sandbox." in CliRunner().invoke(app, asked).stderr
    assert f"{file}, [[property]] 1 'akko'" in CliRunner().invoke(app, [*asked, "--properties", str(file)]).stderr


def test_faults_are_told_and_fail_the_command(home: Path) -> None:
    (home / "properties.toml").write_text(minihotel("http://127.0.0.1:9") + "[[property]]\nid = 'x'\ncurency = 'nis'\n")
    for words in ([], ["check", "x"]):
        done = run(*words)
        assert done.exit_code == 2
        assert "[[property]] 2 'x', 'curency': unknown key; did you mean 'currency'?" in " ".join(done.stderr.split())
    unknown = run("check", "nowhere")
    assert unknown.exit_code == 2
    assert "'nowhere' is not in" in unknown.stderr
    assert "listed: haifa, x" in unknown.stderr


def test_nothing_to_check_fails(home: Path) -> None:
    assert run("check").exit_code == 2
    (home / "properties.toml").write_text("")
    empty = run("check")
    assert (empty.exit_code, "lists no property" in empty.stderr) == (2, True)


def test_an_id_of_an_imported_hotel_is_told(home: Path) -> None:
    assert CliRunner().invoke(app, ["hotel", "import", str(OWN_HOTEL)]).exit_code == 0
    (home / "properties.toml").write_text(minihotel("http://127.0.0.1:9", name="beit-haerez"))
    done = run("check")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'beit-haerez' is an imported hotel and stands in" in done.stderr


@dataclass(frozen=True)
class Checked:
    id: str
    found: str
    body: str = NIGHTS
    status: int = 200
    lines: str = ""


TEST, REAL = "", "pms_use_sandbox = false"
CHECKED = [
    Checked("a test system proves little", "right  minihotel, hotel seahotel at HOST, ILS, Asia/Jerusalem, read only: it answers. "
            "A test system may take any password: this proves nothing about the credentials"),
    Checked("a real one", "right  minihotel, hotel seahotel at HOST, ILS, Asia/Jerusalem, read only: it answers, and takes the "
            "credentials and the hotel id", lines=REAL),
    Checked("login", "wrong  credentials: MiniHotel did not accept them; look at SEA_USER and SEA_WORD", "ERR 210: wrong user"),
    Checked("address", "wrong  IP allow-list: MiniHotel lets in only the addresses it knows; have the vendor add this machine's", "ERR A01"),
    Checked("address, by status", "wrong  IP allow-list:", status=401),
    Checked("hotel", "wrong  hotel id: the hotel's system does not know this hotel", "ERR 202: hotel"),
    Checked("rate", "wrong  rate code: the hotel has none called 'WEB'; look at rate_code", "ERR 308: rate"),
    Checked("too often", "wrong  too many calls: MiniHotel answers, but not so often", "ERR 209"),
    Checked("a page", "wrong  answer: MiniHotel gave none that is of use at HOST", "<html><body>clerk-of-sea</body></html>"),
]  # fmt: skip


@pytest.mark.parametrize("case", CHECKED, ids=lambda case: case.id)
def test_a_check_says_what_is_right_or_wrong(case: Checked, vendor: Vendor, home: Path) -> None:
    vendor.body, vendor.status = case.body, case.status
    (home / "properties.toml").write_text(minihotel(vendor.host, case.lines))
    done = run("check", "haifa")

    assert done.exit_code == (0 if case.found.startswith("right") else 1), done.output
    [line] = done.stdout.splitlines()
    assert line.startswith(f"{'haifa':<20} {case.found.replace('HOST', vendor.host)}")
    assert len(vendor.received) == 1


def test_each_property_has_its_line(vendor: Vendor, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with EzgoServer(Ezgo(lambda asked: failed(12, f"no agent {PASSWORD}"))) as server:
        (home / "properties.toml").write_text(
            minihotel(vendor.host)
            + ezgo(server.url)
            + minihotel(vendor.host, name="akko").replace("SEA_WORD", "NO_SUCH_WORD")
        )
        done = run("check")
    haifa, eilat, akko = done.stdout.splitlines()

    assert done.exit_code == 1
    assert haifa.startswith("haifa                right")
    assert "reported an error (EzGo error 12): no agent" in eilat
    assert "look at host, hotel_id, pms_agency_channel_id and SEA_USER and SEA_WORD" in eilat
    assert akko == "akko                 wrong  no credential for 'akko': set NO_SUCH_WORD in the environment"


def test_nobody_listens(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        place = f"http://127.0.0.1:{taken.getsockname()[1]}"
        (home / "properties.toml").write_text(minihotel(place) + ezgo(place))
        done = run("check")
    assert [line.split(maxsplit=2)[1:] for line in done.stdout.splitlines()] == [
        ["wrong", f"host: nothing listens at {place}; look at host and its port"]
    ] * 2


def test_a_host_without_tls(vendor: Vendor, home: Path) -> None:
    place = vendor.host.replace("http:", "https:")
    (home / "properties.toml").write_text(minihotel(place) + ezgo(place))
    for line in run("check").stdout.splitlines():
        assert f"wrong  host: {place} does not speak TLS as it should" in line


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (socket.gaierror(-2, "Name or service not known"), "the name of pms.example is not known (DNS)"),
        (ssl.SSLCertVerificationError(1, "certificate"), "the certificate of https://pms.example is not valid (TLS"),
        (ConnectionResetError(104, "reset"), "broke the connection off"),
        (httpx.RemoteProtocolError("Server disconnected without sending a response."), "broke the connection off"),
    ],
    ids=["DNS", "certificate", "cut off", "hung up"],
)
def test_the_network_s_own_reason_is_found_behind_others(error: Exception, said: str) -> None:
    entry = PropertyEntry(id="x", pms_type="minihotel", hotel_id="s", rate_code="W", host="https://pms.example")
    with pytest.raises(RuntimeError) as outer:
        _behind_another(error)
    assert said in diagnosis(outer.value, entry)


def _behind_another(error: Exception) -> None:
    try:
        raise error
    except (OSError, httpx.HTTPError):
        raise RuntimeError("cannot be reached") from None
