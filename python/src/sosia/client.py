"""The service as an object."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence

from . import transport
from .content import Content, bytes_of
from .operations import ListEventsAnswerEventsItem, Operations

LARGEST_PAGE = 1000


@dataclass(frozen=True)
class Match:
    """A reference picture in a list or a search result."""

    id: str
    keywords: List[str]
    #: In [0, 1); 0 is the same picture, and the value outside of searches.
    score: float
    #: What it shares with the query in per cent; only in results of searches with a picture.
    similarity: Optional[float]
    #: How it matches, by type of the application; None for types without a structure, and outside of searches.
    result_info: Optional[Dict[str, Any]]


class Sosia(Operations):
    """One application of a service. Methods raise ``Refused``, and ``NoAnswer`` if no answer arrives.

    Beside the operations of the interface there are iterators, which fetch page by page during the loop.
    """

    def __init__(
        self,
        key: str,
        modify: str = "http://127.0.0.1:7789",
        query: str = "http://127.0.0.1:8080",
        timeout: float = 60,
    ):
        """
        :param key: of an application, or an administrator's
        :param modify: the address of the port for changes
        :param query: the address of the port for searches
        :param timeout: the longest wait for an answer, in seconds
        """
        self._key = key
        self._addresses = {"modify": modify.rstrip("/"), "query": query.rstrip("/")}
        self._timeout = timeout

    def ask(self, family: str, operation: str, parameters: Mapping[str, Any]) -> Any:
        return transport.ask(self._url(family, operation), self._key, parameters, self._timeout)

    def _url(self, family: str, operation: str) -> str:
        base = self._addresses["query" if family == "enginequery" else "modify"]
        return f"{base}/api/v2.0/{family}/json/{operation}"

    def add(self, image_id: str, picture: Content, keywords: Sequence[str] = ()) -> int | None:
        """Adds a picture; once it returns, the picture survives a power cut and every search finds it.

        :returns: the grade for matching, 0 to 4; None for types that do not grade
        """
        return self.add_image(image_id=image_id, image_content=picture, keywords=keywords).get("grade")

    def search(
        self, picture: Content, keywords: Optional[Sequence[str]] = None, page: int = LARGEST_PAGE
    ) -> Iterator[Match]:
        """All reference pictures that match, best first.

        :param page: results a request, at most 1,000
        """
        content = picture if isinstance(picture, bytes) else bytes_of(picture)
        start = 0
        while True:
            answer = self.search_image_by_upload(
                image_content=content, keywords=keywords, similarity=1, starting_index=start, nb_results=page
            )
            yield from map(match_of, answer["images"])
            start += page
            if start >= answer["nb_results_found"]:
                return

    def images(self, keywords: Optional[Sequence[str]] = None) -> Iterator[Match]:
        """All reference pictures by the bytes of their ids."""
        after: Optional[str] = None
        while True:
            images = self.list_images(keywords=keywords, after=after, nb_results=LARGEST_PAGE)["images"]
            yield from map(match_of, images)
            if len(images) < LARGEST_PAGE:
                return
            after = images[-1]["id"]

    def events(self, after: int = 0, wait: Optional[float] = None) -> Iterator[ListEventsAnswerEventsItem]:
        """The events of saved searches behind one, in the order of the additions.

        :param after: the id of the last known event
        :param wait: seconds before a stream that has ended is opened again; None ends with the events of now
        """
        while True:
            events = self.list_events(after=after, nb_results=LARGEST_PAGE)["events"]
            yield from events
            if events:
                after = events[-1]["id"]
            elif wait is None:
                return
            else:
                for event in transport.stream(self._url("review", "ListEvents"), self._key, {"after": after}, self._timeout):
                    after = event["id"]
                    yield event
                time.sleep(wait)

    def dna(self, image_id: str) -> bytes:
        """The DNA of a reference picture."""
        return base64.b64decode(self.get_dna_by_id(image_id=image_id)["dna"]["dna"])

    def describe(self, picture: Content, side: Literal["reference", "query"] = "reference") -> bytes:
        """The DNA of a picture file, which the service does not keep."""
        return base64.b64decode(self.get_dna_by_upload(image_content=picture, side=side)["dna"])


def match_of(image: Any) -> Match:
    info = image["result_info"]
    return Match(
        id=image["id"],
        keywords=image["keywords"],
        score=image["score"],
        similarity=image.get("similarity"),
        result_info=json.loads(info) if info else None,
    )
