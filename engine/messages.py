"""Sentences for people, in English, from a code and its parameters.

The only place where the rules package builds sentences: other languages are made from the same codes and
parameters. Each sentence names the tile and the train it speaks of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.codes import Code, Fault, Param
from engine.table import mexican_number

SENTENCES: Mapping[str, str] = {
    Code.WRONG_TURN: "It is {to_move}'s turn, not {seat}'s.",
    Code.NOT_IN_SET: "There is no {tile} in a double-{set_size} set.",
    Code.DUPLICATE_TILE: "The {tile} lies on the table already.",
    Code.OPEN_DOUBLE_FIRST:
        "The {double}-{double} on {double_train_name} is open: {seat} covers it before laying anything on "
        "{train_name}.",
    f"{Code.OPEN_DOUBLE_FIRST}.here":
        "The {double}-{double} on {double_train_name} is open: {seat} covers it before anything else.",
    Code.WRONG_DOUBLE_ORDER:
        "Several doubles are open: the {double}-{double} on {double_train_name} comes before the one on "
        "{train_name}.",
    Code.FIRST_TURN_OWN_ONLY: "In a first turn {seat} plays on the own train only, not on {train_name}.",
    Code.FIRST_TURN_DOUBLE_END: "{seat}'s first line ends with the {tile}; here it may not end with a double.",
    Code.TOO_MANY_TILES: "{seat} may lay no more in this turn; the tile on {train_name} is one too many.",
    Code.SECOND_MEXICAN: "{train_name_start} is not in this game.",
    Code.MEXICAN_NOT_YET: "{seat} may not start {train_name} yet.",
    Code.OWN_TRAIN_FIRST: "{seat} starts the own train before playing on {train_name}.",
    Code.TRAIN_PRIVATE: "{seat} may not play on {train_name}: it is private.",
    f"{Code.TRAIN_PRIVATE}.own":
        "The tile after a double goes on that double or on a public train, not on {train_name}.",
    Code.NO_MATCH: "The {tile} does not fit on {train_name}, which asks for a {end}.",
    Code.PUBLIC_CAP: "{seat} may use no more than {cap} {of} among the marked trains in one turn.",
    Code.DOUBLE_LIMIT: "The {tile} is a double too many for {seat} in this turn.",
    Code.BRANCH: "The {tile} can't lie at the side of a double there, on {train_name}.",
    Code.BONEYARD_EMPTY: "There is nothing left to draw.",
    Code.DRAW_TWICE: "{seat} draws one tile only.",
    Code.DRAW_UNDUE: "{seat} has no reason to draw now.",
    Code.DRAW_REQUIRED: "{seat} has laid nothing and has to draw.",
    Code.EXTRA_OWED: "{seat} owes another tile for the double, and has not drawn for it.",
    Code.MUST_PLAY: "{seat} could have played a tile from the hand.",
    f"{Code.MUST_PLAY}.tile": "{seat} drew although the {tile} could have been laid on {train_name}.",
    Code.MUST_PLAY_DRAWN: "{seat} kept the drawn {tile} although it fits.",
    f"{Code.MUST_PLAY_DRAWN}.unseen": "{seat} kept a drawn tile although it fits.",
    Code.NOT_OUT_ON_DOUBLE: "{seat} is not out: the last tile, the {tile}, is a double and must be covered.",
    Code.MEXICAN_MARKED: "A marker stands on {train_name}; it is everybody's and is never marked.",
    Code.MARKER_MISSING: "A marker has to stand on {train_name}.",
    Code.MARKER_UNDUE: "A marker stands on {train_name} without a reason.",
    Code.MARKER_KEPT: "{train_name_start} was played on by its owner: the marker comes off.",
    Code.MARKER_REMOVED_WRONGLY: "The marker on {train_name} has gone although nothing took it off.",
    Code.STALE: "The table has changed since: look again.",
    Code.ROUND_OVER: "The round is over.",
    Code.NOT_IN_HAND: "{seat} does not hold the {tile}.",
    Code.NOT_IN_BONEYARD: "The {tile} is not in the boneyard.",
    Code.NO_CALL_DUE: "{seat} has nothing to announce.",
    Code.NOTHING_TO_CATCH: "{seat} can't be caught now.",
    Code.NOTHING_TO_UNDO: "There is nothing to take back.",
    "LEGAL": "{seat}'s turn is fine.",
    "LEGAL_OUT": "{seat} is out.",
    "ROUND_WON": "{seat} is out and the round is over.",
    "ASK_MUST_PLAY": "Nothing seen against {seat}; only the hand shows whether a tile would have fitted.",
    "ASK_BONEYARD": "{seat} did not draw; whether there was anything to draw was not seen.",
}
"""Code -> sentence. `{train_name}` is how a train is spoken of; `{tile}` and the rest are the parameters."""

VIOLATION_SENTENCES: Mapping[str, str] = {
    "STARTING_DOUBLE": "A double-{set_size} set has no {value}-{value} to start with.",
    "NOT_IN_SET": "There is no {tile} in a double-{set_size} set.",
    "DUPLICATE_TILE": "The {tile} lies on the table twice.",
    "JOIN": "The {tile} does not fit: a {end} is asked for.",
    "HUB_JOIN": "The train does not start with a {end}: its first tile is the {tile}.",
    "SIDE_LINE": "There is no place for a side line at the {tile}.",
    "TWO_TRAINS": "There are two trains of {train}.",
    "TOO_MANY_TRAINS": "{count} trains have started; only {most} tiles show a {value}.",
    "UNKNOWN_TRAIN": "Nobody at this table has the train {train}.",
    "SECOND_MEXICAN": "There is a Mexican train too many.",
    "MEXICAN_TOO_EARLY": "The Mexican train has started before {train}'s train.",
    "MEXICAN_MARKED": "A marker stands on the Mexican train.",
    "HUB_MARKER": "A marker stands at a train that has no tile.",
}
"""Sentences for `engine.violations`, by its codes."""

NOT_PROVEN_SENTENCES: Mapping[str, str] = {
    "TURNS": "that tiles were laid in turn, by the right seat and one at a time",
    "ACCESS": "that each train was public, or its own player's, when it was played on",
    "DUTY": "that open doubles were covered before anything else was laid",
    "MUST_PLAY": "that whoever drew or passed could not play",
    "MARKERS": "that markers went on and came off when they had to",
    "REMOVED": "that no tile has been taken away or changed for another",
}
"""What a clean table leaves open."""


def train_name(train: str) -> str:
    """How a train is spoken of inside a sentence."""
    number = mexican_number(train)
    if number is None:
        return f"{train}'s train"
    return "the Mexican train" if number == 1 else f"the Mexican train {number}"


def variant(code: str, params: Mapping[str, Param]) -> str:
    """The key of the sentence: a code has several where its parameters call for other words."""
    if code == Code.OPEN_DOUBLE_FIRST and params.get("train") == params.get("double_train"):
        return f"{code}.here"
    if code == Code.TRAIN_PRIVATE and params.get("seat") == params.get("train"):
        return f"{code}.own"
    if code == Code.MUST_PLAY and params.get("tile") is not None:
        return f"{code}.tile"
    if code == Code.MUST_PLAY_DRAWN and params.get("tile") is None:
        return f"{code}.unseen"
    return code


def values_of(params: Mapping[str, Param], name_of: Callable[[str], str]) -> dict[str, Param]:
    """The parameters with the names by which trains are spoken of; what is missing shows as `?`."""
    values = _Missing({key: "?" if value is None else value for key, value in params.items()})
    for key in ("train", "double_train"):
        if isinstance(params.get(key), str):
            values[f"{key}_name"] = name_of(str(params[key]))
    name = str(values["train_name"])
    values["train_name_start"] = name[:1].upper() + name[1:]
    return values


def sentence(code: str, params: Mapping[str, Param]) -> str:
    """The English sentence for a code."""
    return SENTENCES[variant(code, params)].format_map(values_of(params, train_name))


class _Missing(dict[str, Param]):
    def __missing__(self, key: str) -> str:
        return "?"


def explain(found: Fault) -> str:
    """The sentence of a fault."""
    return sentence(found.code, found.params)
