"""What an installed package adds to the command line: an agent, its commands and its options, without a line of ours."""

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
import ready
import typer
from shell import ENDS_WITHIN_S, HERE

from wavegraph.app import agents
from wavegraph.app.agents import (
    COMMON_COMMANDS,
    COMMON_FLAGS,
    AgentEntry,
    NamedAgent,
    agent,
    further_commands,
    installed,
    own_options,
)
from wavegraph.app.main import app
from wavegraph.app.terminal.named_commands import NamedCommand
from wavegraph.graph.errors import SettingsError

RUN = """
import json, shlex, sys
from typer.testing import CliRunner
from wavegraph.app.main import app
runner = CliRunner()
ended = [runner.invoke(app, shlex.split(line)) for line in sys.argv[1:]]
print(json.dumps([[each.exit_code, " ".join(each.output.replace("│", " ").split())] for each in ended]))
"""
ZOO = {
    "zoo/__init__.py": "",
    "zoo/entry.py": """
        from wavegraph.app.agents import AgentEntry, AgentOption

        entry = AgentEntry(
            graph="zoo.agent:graph",
            options=[
                AgentOption(flag="--keeper", setting="keeper", metavar="NAME", help="Who is on duty.", read=str.title),
                AgentOption(flag="--tongue", setting="language", help="What is spoken."),
                AgentOption(flag="--property", setting="enclosure", help="Which enclosure.", choices=("pond", "cave")),
            ],
            commands="zoo.commands:zoo",
            further_commands={"beasts": "zoo.commands:zoo"},
            check="zoo.agent:check",
            evaluation="zoo.agent:subject",
        )
        """,
    "zoo/agent.py": """
        from dataclasses import replace

        import clerk
        from wavegraph import Settings, build_graph
        from wavegraph.app.evaluate.run import Subject
        from wavegraph.app.evaluate.scores import Vocabulary
        from wavegraph.graph.errors import SettingsError

        class ZooSettings(Settings):
            keeper: str = "nobody"
            enclosure: str = "cave"

        def warden(view):
            return f"{view.settings.keeper} at the {view.settings.enclosure}"

        offline = clerk.Clerk(clerk.plan, warden)
        graph = build_graph(replace(clerk.domain, name="zoo", settings=ZooSettings, offline=offline))

        def check(settings):
            if settings.keeper == "Bear":
                raise SettingsError("a bear keeps no zoo")

        async def subject(folder):
            return Subject(graph=graph, vocabulary=Vocabulary(tools={"see": frozenset({"look"})}))
        """,
    "zoo/commands.py": """
        import typer

        zoo = typer.Typer(help="Beasts.")

        @zoo.command()
        def hello(name: str = "you"):
            print(f"hello {name}")

        @zoo.command()
        def feed():
            print("fed")
        """,
}
Site = Callable[[str, str, dict[str, str]], None]
Run = Callable[..., list[tuple[int, str]]]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Installs a package into a folder of its own: what pip would write of it."""

    def install(package: str, agents: str, files: dict[str, str]) -> None:
        about = tmp_path / f"{package.replace('-', '_')}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        (about / "entry_points.txt").write_text(f"[wavegraph.domains]\n{agents}\n", encoding="utf-8")
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(dedent(text), encoding="utf-8")

    return install


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs command lines, one after the other, in one process that finds what is installed: status and output of each."""

    def lines(*lines: str) -> list[tuple[int, str]]:
        path = os.pathsep.join(filter(None, (str(tmp_path), str(HERE), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path / "home"), "COLUMNS": "300"}
        done = ready.completed(RUN, lines, cwd=tmp_path, env=environment, timeout=ENDS_WITHIN_S)
        assert done.returncode == 0, done.stderr
        return [(status, output) for status, output in json.loads(done.stdout.splitlines()[-1])]

    return lines


def test_a_package_adds_its_agent_its_commands_and_its_options(site: Site, run: Run, tmp_path: Path) -> None:
    site("zoo-agent", "zoo = zoo.entry:entry", ZOO)
    case = {"id": "one", "text": "look:blue", "expect": {"action": "tools", "waves": [[{"tool": "see"}]]}}
    (tmp_path / "file.json").write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    ended = run(
        "--help", "zoo hello --name Ann", "beasts feed", "ask --help", "chat --help", "resume --help",
        "ask look:blue --domain zoo --keeper ann --property cave --set enclosure=pond --thread t", "threads t --domain zoo",
        "ask look:blue --domain zoo", "ask look:blue --domain zoo.agent:graph --keeper ann",
        "graph --domain zoo", "eval file.json --domain zoo", "hotel list",
    )  # fmt: skip
    listed, hello, fed, *helps, asked, shown, plain, by_place, drawn, scored, houses = ended

    assert "zoo Beasts." in listed[1]
    assert (hello, fed) == ((0, "hello Ann"), (0, "fed"))
    assert "Which agent: hotel, roster, zoo, or your own" in listed[1]
    (_, of_ask), *others = helps
    assert "--keeper NAME Who is on duty." in of_ask
    assert "Options of hotel, zoo" in of_ask
    assert "Which hotel answers. / Which enclosure." in of_ask
    assert all("the options of a request (wavegraph ask --help)" in text for _, text in others)
    assert "Ann at the pond" in asked[1]
    assert "Ann at the pond" in shown[1]
    assert "nobody at the cave" in plain[1]
    assert "Ann at the cave" in by_place[1]
    assert {status for status, _ in ended} == {0}
    assert "execute_wave" in drawn[1]
    assert "1/1" in scored[1]
    assert "the demo hotel" in houses[1]


def test_an_option_is_taken_by_the_agents_that_have_it(site: Site, run: Run) -> None:
    site("zoo-agent", "zoo = zoo.entry:entry", ZOO)
    site("ark", "ark = ark:entry", {"ark.py": entry("graph='x:y', further_commands={'properties': 'x:y'}")})
    refused = {
        "ark": "domain 'ark' brings commands that another agent has: properties; uninstall one",
        "ask hi --keeper ann": "unknown setting 'keeper' of domain 'hotel': --keeper is an option of zoo",
        "ask hi --domain zoo --country IL": "unknown setting 'country' of domain 'zoo': --country is an option of hotel",
        "ask hi --domain roster --property pond": "'roster': --property is an option of hotel, zoo",
        "ask hi --domain clerk:graph --keeper ann": "'clerk:graph': --keeper is an option of zoo",
        "chat --domain zoo --property lake": "Invalid value for '--property': 'lake' is not one of 'pond', 'cave'.",
        "resume t --domain zoo --keeper bear": "a bear keeps no zoo",
        "eval file.json --keeper ann": "No such option: --keeper",
        "ask hi --domain zoo --tongue growls": "setting 'language' = 'growls'",
        "ask hi --domain lion": "unknown domain 'lion'; known: hotel, roster, zoo, or your own as package.module:attribute",
    }
    for (status, output), message in zip(run(*refused), refused.values(), strict=True):
        assert (status, message in output) == (2, True), output


def test_a_function_that_needs_arguments_makes_no_graph_and_is_told_in_a_line(site: Site, run: Run) -> None:
    site(
        "shop",
        "",
        {"bikes.py": "def make(shop: str) -> None: ...\ndef kept(database: str, shop: str = '') -> None: ..."},
    )
    [(status, needs), (other, kept)] = run("ask hi --domain bikes:make", "ask hi --domain bikes:kept")
    assert (status, "Traceback" in needs, other) == (2, False, 2)
    assert (
        "domain 'bikes:make': bikes:make(shop: str) must work without arguments (it may take `database`): missing a "
        "required argument: 'shop'; name a graph, or a function that makes one of nothing"
    ) in needs
    assert "'kept' in bikes is not a graph" in kept  # it was called


@dataclass(frozen=True)
class Unusable:
    """A package whose agent cannot be used. In `code`, the module of its entry, NAME is the agent's and the module's."""

    id: str
    code: str | None
    message: str
    answers: bool = False
    """Whether it can be asked all the same."""


def entry(arguments: str, more: str = "") -> str:
    return f"import typer\nfrom wavegraph.app.agents import AgentEntry, AgentOption\n{more}\nentry = AgentEntry({arguments})"


def option(flag: str) -> str:
    return f"AgentOption(flag={flag!r}, setting='a', help='')"


UNUSABLE = [
    Unusable("no module", None, "ModuleNotFoundError: No module named 'NAME'"),
    Unusable("no attribute", "", "AttributeError: module 'NAME' has no attribute 'entry'"),
    Unusable("a missing part", "import claws", "ModuleNotFoundError: No module named 'claws'"),
    Unusable("no Python", "this is", "SyntaxError: invalid syntax"),
    Unusable("it raises", "raise OSError('[/bold] teeth')", "OSError: [/bold] teeth"),
    Unusable("it ends the process", "raise SystemExit('bye')", "SystemExit: bye"),
    Unusable("no entry", "entry = {'graph': 'x:y'}", "TypeError: an AgentEntry is expected, not {'graph': 'x:y'}"),
    Unusable(
        "everybody's option",
        entry(f"graph='x:y', options=[{option('--db')}]"),
        "ValueError: '--db' cannot be an option of its own",
    ),
    Unusable(
        "an option twice",
        entry(f"graph='x:y', options=[{option('--a')}] * 2"),
        "ValueError: '--a' cannot be an option of its own",
    ),
    Unusable(
        "no option",
        entry(f"graph='x:y', options=[{option('a b')}]"),
        "ValueError: 'a b' cannot be an option of its own",
    ),
    Unusable(
        "everybody's command",
        entry("graph='x:y', further_commands={'ask': 'x:y'}"),
        "ValueError: 'ask' cannot be a command of its own",
    ),
    Unusable("a graph that is not there", entry("graph='claws:graph'"), "ModuleNotFoundError: No module named 'claws'"),
    Unusable(
        "commands that are not there",
        entry("graph='clerk:graph', commands='claws:beast'"),
        "ModuleNotFoundError: No module named 'claws'",
        answers=True,
    ),
    Unusable(
        "commands of another type",
        entry("graph='clerk:graph', commands='NAME:entry'"),
        "TypeError: NAME:entry is not a typer.Typer but AgentEntry(",
        answers=True,
    ),
    Unusable(
        "commands that cannot be read",
        entry(
            "graph='clerk:graph', commands='NAME:app'",
            "app = typer.Typer()\n@app.command()\ndef roar(how: 'Loud'): ...",
        ),
        "NameError: name 'Loud' is not defined",
        answers=True,
    ),
]


def test_agents_that_cannot_be_loaded_say_why_and_leave_the_others_alone(site: Site, run: Run) -> None:
    names = {f"beast{number}": case for number, case in enumerate(UNUSABLE)}
    for name, case in names.items():
        code = {} if case.code is None else {f"{name}.py": case.code.replace("NAME", name)}
        site(f"a-{name}", f"{name} = {name}:entry", code)
    lines = [line for name in names for line in (f"{name} roar --loud", f"ask look:blue --domain {name}")]
    helped, houses, *ended = run("--help", "hotel list", *lines)

    assert (helped[0], "Make nurse rosters" in helped[1]) == (0, True)
    assert (houses[0], "the demo hotel" in houses[1]) == (0, True)
    for (name, case), commands, asked in zip(names.items(), ended[::2], ended[1::2], strict=True):
        message = f"domain '{name}' of package a-{name} cannot be loaded: {case.message.replace('NAME', name)}"
        if case.id != "a graph that is not there":  # it is imported when it is asked
            assert (case.id, commands[0], message in commands[1]) == (case.id, 2, True), commands
            assert message.partition(":")[0] in helped[1]
        expected = (0, "blue: 3 left") if case.answers else (2, message)
        assert (case.id, asked[0], expected[1] in asked[1]) == (case.id, expected[0], True), asked


def test_a_name_that_two_packages_claim_is_refused_with_both(site: Site, run: Run) -> None:
    site(
        "zoo-agent",
        "zoo = zoo.entry:entry\nhotel = zoo.entry:entry\nask = zoo.entry:entry\nlion = a:b\nlion = c:d",
        ZOO,
    )
    site("other-zoo", "zoo = other:entry", {"other.py": "raise ValueError('never imported')"})
    zoo, hello, hotel, asked, lion, wards = run("ask hi --domain zoo", "zoo hello", "hotel list", "ask hi --domain ask",
                                                "lion roar", "roster wards")  # fmt: skip

    claimed = "domain 'zoo' is claimed by other-zoo (other:entry) and by zoo-agent (zoo.entry:entry)"
    assert (zoo[0], claimed in zoo[1]) == (2, True)
    assert (hello[0], claimed in hello[1]) == (2, True)
    assert (hotel[0], "wavegraph (wavegraph.app.hotel.entry:entry) and by zoo-agent" in hotel[1]) == (2, True)
    assert (asked[0], "'ask' cannot be the name of an agent" in asked[1]) == (2, True)
    assert (lion[0], "claimed by zoo-agent (a:b) and by zoo-agent (c:d)" in lion[1]) == (2, True)
    assert (wards[0], "willow" in wards[1]) == (0, True)


def test_the_shipped_agents_are_found_with_all_their_parts() -> None:
    agents, unusable = installed()

    assert ({"hotel", "roster"} - agents.keys(), unusable) == (set(), {})
    for name in ("hotel", "roster"):
        assert agent(name).graph().context_schema
        assert isinstance(agent(name).commands(name), typer.Typer)
    hotel = agent("hotel")
    assert callable(hotel.evaluation())
    settings = {option.setting for option in hotel.entry.options if not option.variable}
    assert settings <= set(hotel.graph().context_schema.model_fields)  # type: ignore[union-attr]


def test_what_no_agent_may_bring_again_is_what_every_agent_has() -> None:
    root = typer.main.get_command(app)
    commands: dict[str, NamedCommand] = root.commands  # type: ignore[attr-defined]
    own = {option.flag for option, _ in own_options()}
    flags = {
        flag for name in ("ask", "resume", "chat") for option in commands[name].whole().params for flag in option.opts
    }

    assert commands.keys() - installed()[0].keys() - further_commands() == COMMON_COMMANDS
    assert {flag for flag in flags if flag.startswith("--")} - own == COMMON_FLAGS - {"--help"}


@pytest.mark.parametrize(
    ("missing", "arguments", "message"),
    [
        ("hijridate", ["ask", "tonight", "--db", ":memory:"], "pip install 'wavegraph[hotel]'"),
        ("hijridate", ["hotel", "list"], "pip install 'wavegraph[hotel,roster]'"),
        (
            "yaml",
            ["ask", "make the roster", "--domain", "roster", "--db", ":memory:"],
            "pip install 'wavegraph[roster]'",
        ),
    ],
    ids=["a hotel's request", "a hotel's command", "a roster's request"],
)
def test_an_agent_without_its_extra_says_what_to_install(missing: str, arguments: list[str], message: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None\nfrom wavegraph.app.main import main\nsys.argv[1:] = {arguments!r}\nmain()"
    done = ready.completed(code, [], cwd=HERE, env=os.environ, timeout=ENDS_WITHIN_S)
    assert done.returncode in (1, 2), done.stderr
    assert "Traceback" not in done.stderr
    assert message in " ".join(done.stderr.split())


def test_an_agent_that_cannot_be_loaded_is_left_and_one_without_its_extra_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entries = {
        "broken": AgentEntry(graph="x:y", erasure="no_such_module_of_a_package:guest_data"),
        "bare": AgentEntry(graph="x:y", erasure="no_such_module_of_a_package:guest_data", extra="agents[bare]"),
        "none": AgentEntry(graph="x:y"),
        "no function": AgentEntry(graph="x:y", erasure="wavegraph.app.agents:GROUP"),
    }
    made = {name: NamedAgent(name=name, entry=entry, package="agents") for name, entry in entries.items()}
    monkeypatch.setattr(agents, "installed", lambda: (made, {"lost": SettingsError("domain 'lost' is lost")}))

    left = [each for keeper in agents.keepers_of_guests() for each in asyncio.run(keeper.left([], []))]

    assert [each.where.split("'")[1] for each in left] == ["broken", "no function", "lost"]
