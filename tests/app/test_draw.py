"""Drawings: the files are what they say, and the layout follows the flow."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import clerk
import pytest
from langchain_core.runnables.graph import Graph
from langgraph.graph import END, START, StateGraph
from typer.testing import CliRunner
from typing_extensions import TypedDict

from wavegraph.app.draw import Layout, layers_of, save
from wavegraph.app.main import app

NODES = ("plan", "execute_wave", "validate", "approve", "respond", "check_answer")


class Nothing(TypedDict):
    pass


def branching() -> Graph:
    """Two branches that meet, a loop, an edge back and an edge over the rest."""
    graph = StateGraph(Nothing)
    for name in ("intake", "web", "papers", "merge", "publish"):
        graph.add_node(name, lambda state: state)
    graph.add_edge(START, "intake")
    ways = {"wide": "web", "deep": "papers", "trivial": "publish"}
    graph.add_conditional_edges("intake", lambda state: "wide", ways)  # type: ignore[arg-type]
    graph.add_edge("web", "merge")
    graph.add_edge("papers", "merge")
    ways = {"thin": "intake", "again": "merge", "good": "publish"}
    graph.add_conditional_edges("merge", lambda state: "good", ways)  # type: ignore[arg-type]
    graph.add_edge("publish", END)
    return graph.compile().get_graph()


@pytest.mark.parametrize(("suffix", "begins"), [(".png", b"\x89PNG\r\n"), (".svg", b"<?xml"), (".mmd", b"---")])
def test_the_command_writes_each_kind(suffix: str, begins: bytes, tmp_path: Path) -> None:
    file = tmp_path / f"graph{suffix}"
    done = CliRunner().invoke(app, ["graph", "--domain", "clerk:graph", "--out", str(file)])
    assert (done.exit_code, done.stdout) == (0, "")
    assert file.read_bytes().startswith(begins)


def test_without_a_file_the_command_prints_mermaid() -> None:
    done = CliRunner().invoke(app, ["graph", "--domain", "clerk:graph"])
    assert "plan -. &nbsp;broken plan, once&nbsp; .-> plan;" in done.stdout


def test_a_svg_holds_every_name_and_is_the_same_each_time(tmp_path: Path) -> None:
    drawn = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for file in drawn:
        save(clerk.graph.get_graph(), file)
    tree = ElementTree.parse(drawn[0])
    comments = drawn[0].read_text(encoding="utf-8")
    assert tree.getroot().tag.endswith("svg")
    assert all(f"<!-- {name} -->" in comments for name in (*NODES, "START", "END", "unsupported claim"))
    assert drawn[0].read_bytes() == drawn[1].read_bytes()


def test_layers_follow_the_flow_and_edges_back_do_not_count() -> None:
    graph = clerk.graph.get_graph()
    layers = layers_of(list(graph.nodes), graph.edges)
    in_order = ["plan", "execute_wave", "validate", "respond", "check_answer", "approve"]
    assert sorted(layers, key=lambda name: layers[name]) == ["__start__", *in_order, "__end__"]


def test_branches_stand_side_by_side() -> None:
    layout = Layout.of(branching())
    assert layout.boxes["web"].y == layout.boxes["papers"].y
    assert layout.boxes["web"].x < layout.boxes["papers"].x
    assert layout.boxes["merge"].y < layout.boxes["web"].y


@pytest.mark.parametrize("graph", [clerk.graph.get_graph(), branching()], ids=["clerk", "branching"])
def test_edges_back_swing_left_and_edges_over_the_rest_swing_right(graph: Graph) -> None:
    layout = Layout.of(graph)
    for lane in layout.lanes:
        down = layout.boxes[lane.edge.source].y - layout.boxes[lane.edge.target].y
        assert not (lane.x < 0 and down > 0)
        assert not (lane.x > 0 and down < 0)
    assert any(lane.x < 0 for lane in layout.lanes)
    assert any(lane.x > 0 for lane in layout.lanes)


def test_no_two_labels_of_one_side_stand_on_each_other() -> None:
    lanes = [lane for lane in Layout.of(clerk.graph.get_graph()).lanes if lane.x < 0 and lane.edge.target == "plan"]
    assert len({lane.x for lane in lanes}) == len(lanes) == 3


def test_without_matplotlib_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = CliRunner().invoke(app, ["graph", "--domain", "clerk:graph", "--out", str(tmp_path / "graph.png")])
    assert done.exit_code == 2
    assert "pip install 'wavegraph[draw]'" in done.stderr
