"""Requests to the service: one multipart form each, repeated while the service is busy."""

from __future__ import annotations

import http.client
import io
import json
import os
import random
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Iterator, Mapping

from .content import bytes_of
from .operations import ErrorCode

#: Waits before a request to a busy service is repeated, in seconds; each is drawn from the upper half of its span.
WAITS = (0.25, 0.5, 1, 2, 4, 8)


class Refused(Exception):
    """The service refused an operation. The message states the expected and the actual value."""

    def __init__(self, code: int, message: str, http: int):
        super().__init__(message)
        #: An ``ErrorCode``, or a number that this version does not know.
        self.code = ErrorCode(code) if code in ErrorCode._value2member_map_ else code
        #: The HTTP status: 200 for most refusals.
        self.http = http


class NoAnswer(Exception):
    """No answer arrived, or one of another protocol. The request may or may not have been executed."""


def ask(url: str, key: str, parameters: Mapping[str, Any], timeout: float) -> Any:
    """Sends the request, and returns the answer without its status."""
    request = request_of(url, key, parameters, "application/json")
    for wait in (*WAITS, None):
        http, answer = send(request, timeout)
        status = answer.pop("status")
        if status["code"] == 0:
            return answer
        if http != 503 or wait is None:
            raise Refused(status["code"], status["message"], http)
        time.sleep(wait * random.uniform(0.5, 1))


def stream(url: str, key: str, parameters: Mapping[str, Any], timeout: float) -> Iterator[Any]:
    """The data of server-sent events, until the stream or its connection ends."""
    try:
        with urllib.request.urlopen(request_of(url, key, parameters, "text/event-stream"), timeout=timeout) as lines:
            for line in lines:
                if line.startswith(b"data: ") and line.endswith(b"\n"):
                    yield json.loads(line[6:])
    except (OSError, http.client.HTTPException):
        return


def request_of(url: str, key: str, parameters: Mapping[str, Any], accept: str) -> urllib.request.Request:
    body, content_type = multipart(parameters)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": content_type, "Accept": accept}
    return urllib.request.Request(url, body, headers)


def send(request: urllib.request.Request, timeout: float) -> tuple[int, Any]:
    try:
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                http, body = response.status, response.read()
        except urllib.error.HTTPError as refused:
            http, body = refused.code, refused.read()
        answer = json.loads(body)
        if not isinstance(answer["status"]["code"], int):
            raise ValueError("no status object")
    except (OSError, ValueError, KeyError, TypeError) as cause:
        raise NoAnswer(f"no answer from {request.full_url}: {cause}") from cause
    return http, answer


def multipart(parameters: Mapping[str, Any]) -> tuple[bytes, str]:
    """A list repeats its name, and what is None is left out."""
    boundary, form = uuid.uuid4().hex, io.BytesIO()
    for name, value in parts(parameters):
        file = not isinstance(value, str)
        filename = '; filename="file"' if file else ""
        form.write(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{filename}\r\n\r\n'.encode())
        form.write(bytes_of(value) if file else value.encode())
        form.write(b"\r\n")
    form.write(f"--{boundary}--\r\n".encode())
    return form.getvalue(), f"multipart/form-data; boundary={boundary}"


def parts(parameters: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in parameters.items():
        if value is None:
            continue
        if isinstance(value, (str, bytes, os.PathLike)) or hasattr(value, "read"):
            yield name, value
        elif isinstance(value, (list, tuple, set, frozenset)):
            yield from ((name, str(each)) for each in value)
        else:
            yield name, str(value)
