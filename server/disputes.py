"""Questions to the log of a watch: was turn 17 legal, who owes the cover, could B have played?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.cases import read_position
from engine.codes import RESTS_ON, Code
from engine.deductions import PassEvidence, Proof, pass_evidence
from engine.errors import EngineError
from engine.judge import judge
from engine.rules import Rules
from engine.tile import Tile
from server.errors import UsageError
from server.messages import sentence
from server.referee_log import entries
from server.speaking import said, sentence_of
from server.texts import rule_in_words

Json = dict[str, Any]

_ACTS = frozenset(("lay", "turn", "marker_on", "marker_off", "removed", "moved"))
_OF_A_TURN = re.compile(r"\b(turn|tour|coup|turno|jugada|vez)\b")
_OF_A_COVER = re.compile(r"owe|cover|couvr|\bdoit\b|cubr|\bdebe\b")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: a code with its values and sentence, and the entries of the log that it rests on."""

    code: str
    text: str
    verdict: str | None = None
    why: str | None = None
    options: tuple[str, ...] = ()
    evidence: tuple[Json, ...] = ()
    params: Json = field(default_factory=dict)

    def as_json(self) -> Json:
        """For programs."""
        return {"code": self.code, "params": self.params, "message": self.text, "verdict": self.verdict,
                "why": self.why, "options": list(self.options), "evidence": list(self.evidence)}


@dataclass(frozen=True, slots=True)
class Log:
    """A log read whole."""

    folder: Path
    rules: Rules
    seats: tuple[str, ...]
    told: tuple[Json, ...]

    @classmethod
    def read(cls, path: Path, language: str = "en") -> Log:
        """Raises `UsageError` if it is no log."""
        found = list(entries(path, language))
        if not found or "log" not in found[0]:
            raise UsageError(f"{path}: {sentence('fault.no_log', {}, language)}")
        folder = path if path.is_dir() else path.parent
        try:
            rules = Rules.of(found[0].get("rules", {}))
        except EngineError as error:
            raise UsageError(f"{path}: {error}") from error
        return cls(folder, rules, tuple(found[0].get("seats", ())), tuple(found[1:]))

    def turn(self, number: int) -> list[Json]:
        """Everything told in a turn; nothing where nobody has acted yet."""
        told = [entry for entry in self.told if entry.get("turn") == number]
        return told if any(entry["event"] in _ACTS for entry in told) else []

    @property
    def turns(self) -> int:
        """The number of the last turn in which somebody acted."""
        return max((int(entry["turn"]) for entry in self.told if entry["event"] in _ACTS), default=0)


def answer(log: Log, question: str, hand: Sequence[Tile] | None, language: str) -> Answer:
    """The answer to a question in plain words, or to a turn's number."""
    if not log.seats:
        # Nobody's turn was judged, and no double was followed: "nothing against it" would be a claim.
        return Answer("dispute.not_refereed", sentence("dispute.not_refereed", {}, language))
    words = question.strip().lower()
    number = re.search(r"\d+", words)
    if number is not None and (words.isdigit() or _OF_A_TURN.search(words)):
        return _turn(log, int(number[0]), hand, language)
    if _OF_A_COVER.search(words):
        return _owes(log, language)
    seat = _seat_in(question, log.seats)
    if seat is not None:
        return _could(log, seat, hand, language)
    raise UsageError(f"{question!r}: {how_to_ask(log, language)}")


def how_to_ask(log: Log, language: str) -> str:
    """What can be asked, with the name of somebody who sits there."""
    return sentence("dispute.question", {"seat": (log.seats or ("B",))[-1]}, language)


def _seat_in(question: str, seats: Sequence[str]) -> str | None:
    """The seat that a question names. In French and Spanish a small `a` is a word, so letters count as written."""
    for text, names in ((question, seats), (question.lower(), [seat.lower() for seat in seats if len(seat) > 1])):
        found = [(match.start(), name) for name in names if (match := re.search(rf"\b{re.escape(name)}\b", text))]
        if found:
            return next(seat for seat in seats if seat.lower() == min(found)[1].lower())
    small = [seat for seat in seats if re.search(rf"\b{re.escape(seat.lower())}\b", question) and seat.lower() != "a"]
    return small[0] if len(small) == 1 else None


def _turn(log: Log, number: int, hand: Sequence[Tile] | None, language: str) -> Answer:
    told = log.turn(number)
    if not told:
        params = {"number": number, "count": log.turns}
        raise UsageError(sentence("dispute.no_turn", params, language))
    worst = next((entry for entry in told if entry["verdict"] == "illegal"), None)
    last = told[-1]
    seat = (worst or last)["seat"] or "/".join((worst or last)["seats"])
    verdict = worst["verdict"] if worst else last["verdict"] or "legal"
    why, case = (worst["why"] if worst else None), last.get("case")
    if hand is not None and case is not None and worst is None:
        again = judge(_with_hand(case, hand))
        if "v" in again:
            verdict, why = again["v"], again["why"]
    parts = [sentence_of(f"dispute.{verdict}", {"number": number, "seat": seat or None}, language)]
    parts += [_said(entry, language) for entry in told if entry["event"] in ("lay", "turn", "marker_on")]
    if why is not None:
        params = (worst or {}).get("params") or {"seat": seat}
        parts.append(sentence_of(f"ruling.{why}", params, language))
    text = ""
    for part in parts:  # two events of a turn, and the reason itself, may say the same
        text += "" if part in text else f" {part}"
    text = text.strip()
    _, options = RESTS_ON.get(Code(why), ("", ())) if why else ("", ())
    if options:
        text += " " + sentence("dispute.rests_on", {"options": _options(log.rules, options, language)}, language)
    return Answer(f"dispute.{verdict}", text, verdict, why, options, tuple(told), {"number": number, "seat": seat})


def _said(entry: Json, language: str) -> str:
    """What the log says of an event, in the language asked for, whatever the watch spoke."""
    if not entry.get("code"):
        return str(entry["message"])
    return said(entry["code"], entry["ask"], entry["params"], language)


def _options(rules: Rules, names: Sequence[str], language: str) -> str:
    return "; ".join(rule_in_words(name, getattr(rules, name), language) for name in names)


def _with_hand(case: Json, hand: Sequence[Tile]) -> Json:
    pre = {**case["pre"], "hand": [f"{tile.low}-{tile.high}" for tile in hand]}
    return {**case, "pre": pre}


def _owes(log: Log, language: str) -> Answer:
    opened: dict[tuple[str, int], Json] = {}
    for entry in log.told:
        if entry["event"] not in ("open_double", "double_covered"):
            continue
        key = entry["train"], entry["tile"][0]
        opened.pop(key, None)
        if entry["event"] == "open_double":
            opened[key] = entry
    if not opened:
        return Answer("dispute.owes_nobody", sentence("dispute.owes_nobody", {}, language))
    (train, value), entry = next(iter(opened.items()))
    turns = [told for told in log.told if told["event"] == "turn"]
    seat = (turns[-1].get("next") if turns else None) or entry["seat"] or "?"
    params = {"seat": seat, "train": train, "value": value}
    return Answer("dispute.owes", sentence_of("dispute.owes", params, language), None, None, (), (entry,), params)


def _could(log: Log, seat: str, hand: Sequence[Tile] | None, language: str) -> Answer:
    """The last pass of a seat, by a hand shown now, or by what it has laid since."""
    place = next(
        (index for index in range(len(log.told) - 1, -1, -1) if _is_pass(log.told[index], seat)), None
    )
    if place is None:
        return Answer("dispute.no_pass", sentence("dispute.no_pass", {"seat": seat}, language), params={"seat": seat})
    entry = log.told[place]
    evidence = _evidence(entry, log, place, hand)
    finding = None if evidence is None else evidence.finding(log.rules)
    proof = Proof.UNDETERMINED if finding is None else finding.proof
    code = {Proof.PROVEN: "could", Proof.CLEARED: "could_not", Proof.UNDETERMINED: "unknown"}[proof]
    tiles = ", ".join(f"{tile.low}-{tile.high}" for tile in finding.tiles) if finding else ""
    params = {"seat": seat, "number": entry["turn"], "tiles": tiles}
    verdict = {"could": "illegal", "could_not": "legal", "unknown": "undetermined"}[code]
    why = finding.codes[0].value if finding and finding.codes else None
    return Answer(f"dispute.{code}", sentence(f"dispute.{code}", params, language), verdict, why, (), (entry,), params)


def _is_pass(entry: Json, seat: str) -> bool:
    case = entry.get("case")
    return entry["event"] == "turn" and entry["seat"] == seat and case is not None and ["draw", "?"] in case["act"]


def _evidence(entry: Json, log: Log, place: int, hand: Sequence[Tile] | None) -> PassEvidence | None:
    try:
        position = read_position(entry["case"]["pre"], log.rules)
    except EngineError:
        return None  # a line with a foul in it: the position can't be set up again
    found = pass_evidence(position, log.rules, 1)
    for later in log.told[place + 1 :]:
        if later["event"] == "turn" and later.get("case") and ["draw", "?"] in later["case"]["act"] and later["seat"]:
            found = found.drew(later["seat"])
        if later["event"] == "lay" and later["seat"] == entry["seat"] and later["verdict"] == "legal":
            found = found.showed([Tile(*later["tile"])])
    return found if hand is None else found.showed(hand, complete=True)
