"""Client for the Sosia image matching service. It needs no other package."""

from .client import Match, Sosia
from .content import Content
from .operations import ErrorCode
from .transport import NoAnswer, Refused

__all__ = ["Content", "ErrorCode", "Match", "NoAnswer", "Refused", "Sosia"]
