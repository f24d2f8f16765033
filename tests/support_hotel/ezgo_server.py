"""A SOAP service on loopback that describes itself and answers as public clients of EzGo read it."""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from loopback import LoopbackServer

SPACE = "http://tempuri.org/"
SEARCH = "AgencyChannels_SearchHotels"


def _elements(*fields: tuple[str, str], most: str = "1") -> str:
    return "".join(
        f'<s:element minOccurs="0" maxOccurs="{most}" name="{name}" type="{kind}"/>' for name, kind in fields
    )


def _type(name: str, content: str) -> str:
    return f'<s:complexType name="{name}"><s:sequence>{content}</s:sequence></s:complexType>'


def _choice(name: str, *values: str) -> str:
    listed = "".join(f'<s:enumeration value="{value}"/>' for value in values)
    return f'<s:simpleType name="{name}"><s:restriction base="s:string">{listed}</s:restriction></s:simpleType>'


def _ints(*names: str) -> list[tuple[str, str]]:
    return [(name, "s:int") for name in names]


def wsdl(url: str, *, most: str = "unbounded", operation: str = SEARCH) -> str:
    """`most`: how many elements a list's description allows; of 1 the reply's list is an object by itself."""
    request = [
        *_ints("Id_AgencyChannel"), ("Authentication", "tns:wsAuthentication"), ("Date_Start", "tns:wsDate"),
        *_ints("iNights", "Id_Agency", "ID_Region", "Id_Hotel", "iRoomTypeCode"), ("eBoardBase", "tns:eBoardBase"),
        ("eBoardBaseOption", "tns:eOption"), ("eRoomTypeCodeOption", "tns:eOption"),
        ("eDomesticIncoming", "tns:eDomesticIncoming"), *_ints("iAdults", "iChilds", "iInfants"),
        ("eCurrency", "tns:eCurrency"), ("bDailyPrice", "s:boolean"), ("bVerbal", "s:boolean"),
    ]  # fmt: skip
    room = [
        *_ints("iRoomTypeCode"), ("eBoardBase", "tns:eBoardBase"), *_ints("iAvailable"), ("cPrice", "s:decimal"),
        ("cFullPrice", "s:decimal"), *_ints("iMaxAdults", "iMaxChilds", "iMaxInfants"),
    ]  # fmt: skip
    types = [
        _choice("eBoardBase", "NotSet", "RO", "BB", "HB", "FB", "AI"),
        _choice("eOption", "AllCombination", "CheapestResult", "Specific"),
        _choice("eDomesticIncoming", "Domestic", "Incoming"),
        _choice("eCurrency", "ILS", "USD"),
        _type("wsAuthentication", _elements(("sUsrName", "s:string"), ("sPwd", "s:string"))),
        _type("wsDate", _elements(*_ints("Year", "Month", "Day"))),
        _type("wsRequest", _elements(*request)),
        _type("wsError", _elements(*_ints("iErrorId"), ("sErrorDescription", "s:string"))),
        _type("wsSearchHotelRoom", _elements(*room)),
        _type("Rooms", _elements(("wsSearchHotelRoom", "tns:wsSearchHotelRoom"), most=most)),
        _type("wsSearchHotel", _elements(*_ints("iHotelCode"), ("Rooms", "tns:Rooms"))),
        _type("Hotels", _elements(("wsSearchHotel", "tns:wsSearchHotel"), most=most)),
        _type("wsResult", _elements(("Error", "tns:wsError"), ("aHotels", "tns:Hotels"))),
    ]
    return f"""<?xml version="1.0" encoding="utf-8"?>
<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
 xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="{SPACE}" targetNamespace="{SPACE}">
<w:types><s:schema elementFormDefault="qualified" targetNamespace="{SPACE}">{"".join(types)}
<s:element name="{operation}"><s:complexType><s:sequence>{_elements(("wsRequest", "tns:wsRequest"))}</s:sequence></s:complexType></s:element>
<s:element name="{operation}Response"><s:complexType><s:sequence>{_elements((f"{operation}Result", "tns:wsResult"))}</s:sequence></s:complexType></s:element>
</s:schema></w:types>
<w:message name="In"><w:part name="parameters" element="tns:{operation}"/></w:message>
<w:message name="Out"><w:part name="parameters" element="tns:{operation}Response"/></w:message>
<w:portType name="ServiceSoap"><w:operation name="{operation}"><w:input message="tns:In"/><w:output message="tns:Out"/></w:operation></w:portType>
<w:binding name="ServiceSoap" type="tns:ServiceSoap"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
<w:operation name="{operation}"><soap:operation soapAction="{SPACE}{operation}" style="document"/>
<w:input><soap:body use="literal"/></w:input><w:output><soap:body use="literal"/></w:output></w:operation></w:binding>
<w:service name="Service"><w:port name="ServiceSoap" binding="tns:ServiceSoap"><soap:address location="{url}"/></w:port></w:service>
</w:definitions>"""


@dataclass(frozen=True)
class Room:
    code: int = 101
    board: str = "BB"
    free: str = "3"
    price: str = "900.00"


def found(*rooms: Room, hotel: int = 5) -> str:
    """A search's result with these rooms."""
    listed = "".join(
        f"<wsSearchHotelRoom><iRoomTypeCode>{room.code}</iRoomTypeCode><eBoardBase>{room.board}</eBoardBase>"
        f"<iAvailable>{room.free}</iAvailable><cPrice>{room.price}</cPrice></wsSearchHotelRoom>"
        for room in rooms
    )
    hotels = f"<wsSearchHotel><iHotelCode>{hotel}</iHotelCode><Rooms>{listed}</Rooms></wsSearchHotel>"
    return f"<Error><iErrorId>0</iErrorId></Error><aHotels>{hotels}</aHotels>"


def failed(number: int, text: str) -> str:
    return f"<Error><iErrorId>{number}</iErrorId><sErrorDescription>{escape(text)}</sErrorDescription></Error>"


def enveloped(result: str) -> str:
    return (
        '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>'
        f'<{SEARCH}Response xmlns="{SPACE}"><{SEARCH}Result>{result}</{SEARCH}Result></{SEARCH}Response>'
        "</soap:Body></soap:Envelope>"
    )


Reply = tuple[int, str]
"""Status and body."""


@dataclass
class Ezgo:
    """What the service answers, and what it was asked."""

    reply: Callable[[dict[str, str]], str | Reply] = lambda asked: found(Room())
    """From a search's fields: a result, or a whole reply."""
    describes: Callable[[str], str | Reply] = wsdl
    """From its address: its description."""
    searches: list[dict[str, str]] = field(default_factory=list)
    stalls: threading.Event | None = None
    """Before it answers a search, it waits for this."""
    redirects_to: str = ""


class EzgoServer(LoopbackServer):
    def __init__(self, ezgo: Ezgo | None = None) -> None:
        super().__init__(_Handler)
        self.ezgo = ezgo or Ezgo()


class _Handler(BaseHTTPRequestHandler):
    server: EzgoServer

    def do_GET(self) -> None:
        self._send(self.server.ezgo.describes(f"{self.server.url}/service.asmx"))

    def do_POST(self) -> None:
        ezgo = self.server.ezgo
        tree = ElementTree.fromstring(self.rfile.read(int(self.headers["Content-Length"])))
        asked = {re.sub(r"^\{.*\}", "", each.tag): each.text or "" for each in tree.iter() if not len(each)}
        ezgo.searches.append(asked)
        if ezgo.stalls:
            ezgo.stalls.wait()
        reply = ezgo.reply(asked)
        self._send(enveloped(reply) if isinstance(reply, str) else reply)

    def _send(self, reply: str | Reply) -> None:
        status, body = reply if isinstance(reply, tuple) else (200, reply)
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/xml; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if self.server.ezgo.redirects_to:
            self.send_header("Location", self.server.ezgo.redirects_to)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
