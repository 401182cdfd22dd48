"""Files as parameters."""

from __future__ import annotations

import os
from typing import IO, Union

#: The bytes of a file, its path, or the file opened for reading bytes.
Content = Union[bytes, "os.PathLike[str]", IO[bytes]]


def bytes_of(content: Content) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, os.PathLike):
        with open(content, "rb") as file:
            return file.read()
    return content.read()
