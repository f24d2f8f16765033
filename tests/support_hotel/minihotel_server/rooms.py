"""The Content API's two calls that a booking client needs: room types, and single rooms."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from minihotel_server.house import House
from wavegraph.tools.hotel.inventory.property_data import RoomKind


def room_types(house: House) -> Element:
    root = _response()
    listed = ET.SubElement(root, "ArrayOfRoomTypes")
    for kind in house.data().rooms:
        room = ET.SubElement(listed, "RoomTypes")
        ET.SubElement(room, "Type").text = kind.code
        ET.SubElement(room, "Description").text = kind.name
        ET.SubElement(room, "Image")
    return root


def single_rooms(house: House, number: str) -> Element:
    """`number`: the room asked for; empty = all."""
    root = _response()
    listed = ET.SubElement(root, "ArrayOfrnm_struct_room")
    for kind, each in _numbered(house):
        if number in ("", each):
            listed.append(_room(kind, each))
    return root


def _numbered(house: House) -> Iterator[tuple[RoomKind, str]]:
    totals = house.totals()
    for floor, kind in enumerate(house.data().rooms, start=1):
        yield from ((kind, f"{floor}{n + 1:02}") for n in range(totals.get(kind.code, 0)))


def _room(kind: RoomKind, number: str) -> Element:
    room = Element("rnm_struct_room")
    for name, text in {"rm_number": number, "rm_type": kind.code, "rm_status": "C"}.items():
        ET.SubElement(room, name).text = text
    for name in ("rm_clsdt1", "rm_clsdt2"):
        ET.SubElement(room, name)
    for letter, most in {"A": kind.max_adults, "B": kind.max_babies, "C": kind.max_children}.items():
        limit = ET.SubElement(room, "rec_rooms_gst_max")
        ET.SubElement(limit, "rgm_gst_type").text = letter
        ET.SubElement(limit, "rgm_max").text = str(most)
    for code, feature in enumerate(kind.features, start=1):
        ET.SubElement(room, "rnm_attribute", code=str(code), description=feature)
    return room


def _response() -> Element:
    root = Element("Response")
    ET.SubElement(root, "ServerInfo").text = "wavegraph"
    return root
