"""Signs that a text was written to direct a model and not to describe a tool.

Every gap in the patterns is bounded, so that no text takes longer than its length.

Each sign belongs to one way of attack. None of them proves anything: servers do write "always call X first". Two
independent ones that meet are what published attacks look like.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from compatgate.rules.characters import without_hidden
from compatgate.rules.confusables import skeleton

Way: TypeAlias = Literal[
    "override",
    "secrecy",
    "secrets",
    "steering",
    "block",
    "destination",
    "hijack",
    "encoded",
    "other servers",
    "out of sight",
]

#: What each way is, as a reason says it.
SAID: Final[dict[Way, str]] = {
    "override": "asks to set instructions aside",
    "secrecy": "asks to keep something from the user",
    "secrets": "asks for secrets, private files or the conversation",
    "steering": "directs when tools are to be called",
    "block": "holds a block that looks like instructions of the system",
    "destination": "asks to send something to an address",
    "hijack": "changes what calls of other tools do",
    "encoded": "holds a long encoded text",
    "other servers": "names tools of other servers",
    "out of sight": "pushes text out of sight with blank space",
}
#: Ways that honest servers go every day; two of these have to stand in the same text to meet.
EVERYDAY: Final[frozenset[Way]] = frozenset(["steering", "destination", "encoded"])

_NEAR = r"[^.\n]{0,40}?"
_FILES = (
    r"(?:(?:~|\$home|/home/\w+|/root|/users/\w+)/\.\w+|\.ssh/|\bid_(?:rsa|ed25519|ecdsa)\b|/etc/(?:passwd|shadow)|"
    r"(?<![\w.])\.env\b(?!\.example)|\bmcp\.json\b|\bclaude_desktop_config\b|\.aws/credentials|\.cursor/|\.netrc\b)"
)
_PRIVATE = (
    r"(?:system prompt|(?:conversation|chat) (?:history|logs?)|(?:full|entire|whole|previous|complete) conversation|"
    r"previous messages|private keys?|ssh keys?|environment variables|(?:other|all) tools?'? (?:outputs?|results?))"
)
_CREDENTIALS = r"(?:api[ _-]?keys?|passwords?|credentials|(?:access|auth|bearer|session) tokens?|secrets)"
_TAKE = (
    r"\b(?:read|open|cat|load|include|pass|send|forward|append|attach|upload|post|transmit|copy|put|insert|submit|"
    r"leak|exfiltrate|collect|dump)\b"
)
_GIVE = r"\b(?:send|forward|upload|transmit|exfiltrate|leak|attach|append|sidenote)\b"
_TOOL = r"(?:tools?\b|functions?\b|`[\w.-]+`|\b[a-z0-9]+(?:_[a-z0-9]+)+\b)"

_WRITTEN: Final[tuple[tuple[Way, str], ...]] = (
    (
        "override",
        rf"\b(?:ignore|disregard|forget|override|bypass|overrule)\b{_NEAR}\b(?:previous|prior|above|earlier|"
        rf"preceding|all|any|your|system|safety|security)\b{_NEAR}\b(?:instructions?|prompts?|guidelines?|"
        r"directives?|safeguards?|system messages?|guardrails?)\b",
    ),
    ("override", r"\byou are now (?:an?|the|in)\b|\bnew (?:system )?instructions?:|\b(?:jailbreak|developer mode)\b"),
    (
        "override",
        r"\b(?:supersedes?|takes? precedence over|overrides?)\b[^.\n]{0,20}\b(?:all|any|every)\b[^.\n]{0,20}"
        r"\binstructions?\b",
    ),
    (
        "secrecy",
        r"\b(?:do not|don'?t|never|must not|should not|without|avoid)\b[^.\n]{0,20}\b(?:tell|mention|inform|notify|"
        r"reveal|disclose|alert|warn|let)(?:ing)?\b[^.\n]{0,60}\b(?:user|human|operator|anyone|customer)s?\b",
    ),
    ("secrecy", r"\b(?:secretly|covertly|surreptitiously|behind the (?:user'?s )?back)\b"),
    (
        "secrecy",
        r"\b(?:keep|hide|conceal)\b[^.\n]{0,30}\b(?:from the (?:user|human|operator)|from users)\b|"
        r"\b(?:user|human)s? (?:must|should|need)(?: not|n'?t) (?:know|see|notice|be (?:told|"
        r"aware|notified|informed))\b",
    ),
    ("secrets", rf"{_TAKE}[^.\n]{{0,60}}?{_FILES}"),
    ("secrets", rf"{_TAKE}[^.\n]{{0,60}}?\b{_PRIVATE}"),
    ("secrets", rf"{_GIVE}[^.\n]{{0,40}}?\b{_CREDENTIALS}\b"),
    (
        "steering",
        r"\b(?:before|prior to|instead of|after|whenever)\b[^.\n]{0,12}\b(?:using|calling|invoking|running|use|call)\b"
        r"[^.\n]{0,30}\b(?:this|any|other|another|all|every)\b[^.\n]{0,20}\b(?:tools?|functions?)\b",
    ),
    (
        "steering",
        rf"\b(?:always|must|have to|required to)\b[^.\n]{{0,20}}?\b(?:call|use|invoke|run|execute)\b{_NEAR}{_TOOL}",
    ),
    (
        "steering",
        r"\b(?:do not|don'?t|never|must not)\b[^.\n]{0,12}\b(?:use|call|invoke)\b[^.\n]{0,30}\bother\b[^.\n]{0,20}"
        r"\b(?:tools?|servers?|functions?)\b",
    ),
    (
        "hijack",
        r"\b(?:when(?:ever)?|if|each time|every time)\b[^.\n]{0,60}\b(?:is|are|gets?) (?:called|"
        r"invoked|used|run|sent)\b"
        r"[^.\n]{0,30}\b(?:change|replace|modify|redirect|rewrite|bcc|forward|include|append)\b",
    ),
    ("block", r"<\s{0,4}/?\s{0,4}(?:important|system|sys|hidden|admin|override|critical|assistant)\b[^<>\n]{0,60}>"),
    # An opening tag may be a placeholder for a value; a closing one ends a block.
    ("block", r"<\s{0,4}/\s{0,4}(?:secret|instructions?|internal|priority|prompt)\s{0,4}>"),
    ("block", r"<!--|\[/?(?:INST|SYSTEM|HIDDEN)\]|<\|\s*(?:im_start|im_end|system|user)\b|<<SYS>>"),
    (
        "destination",
        r"\b(?:send|post|forward|upload|transmit|exfiltrate|submit|report|bcc)\b[^\n]{0,80}?"
        r"(?:https?://|\w@[\w-]{1,64}\.[a-z]{2,12}\b)",
    ),
    ("encoded", r"(?<![\w/+])(?=[a-z0-9+/]{0,119}\d)[a-z0-9+/]{120,}={0,2}"),
    ("other servers", r"\bmcp__[a-z0-9-]+(?:_[a-z0-9-]+)*__\w+"),
    ("out of sight", r"(?:\r?\n[ \t]*){25}|[ \t]{200}"),
)
_PATTERNS: Final = tuple((way, re.compile(pattern, re.IGNORECASE)) for way, pattern in _WRITTEN)
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Sign:
    """Hold one sign: the way of attack and the words that show it, as read."""

    way: Way
    words: str


def signs_of(text: str, other_tools: frozenset[str] = frozenset()) -> list[Sign]:
    """Find the signs in a text, as a model would read it; `other_tools` are the names of other servers' tools."""
    read = as_read(text)
    found: dict[Sign, None] = {}
    for way, pattern in _PATTERNS:
        where = text.strip() if way in ("out of sight", "block") else read
        for match in pattern.finditer(where):
            found[Sign(way, " ".join(match.group().casefold().split())[:200])] = None
    if other_tools:
        for word in re.findall(r"[\w.:/-]+", read):
            if word.strip(".:/-") in other_tools:
                found[Sign("other servers", word.strip(".:/-"))] = None
    return list(found)


def as_read(text: str) -> str:
    """Return a text as it is read: hidden characters out, look-alike letters exchanged, blanks joined."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", without_hidden(text))
        text = _WORD.sub(lambda m: _plain(m.group()), text)
    return re.sub(r"[^\S\n]+", " ", text)


def _plain(word: str) -> str:
    """Exchange look-alikes in a word that mixes plain letters with others; a word of another script stays."""
    if word.isascii() or not re.search("[a-zA-Z]", word):
        return word
    return "".join(c if c.isascii() else skeleton(c) for c in word)
