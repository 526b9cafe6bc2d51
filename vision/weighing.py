"""What a picture says of its own unclear halves: the marks, counts and colours of its sure ones are their measure."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict

import numpy as np
import numpy.typing as npt

from vision.colours import ColourBook
from vision.drafts import AgreeConfig, Draft, Floats, Half
from vision.tiles import Doubt

_MANY, _OF_NUMERALS = 6, 0.8
"""Numerals look like one pip or a few."""


def _split(drafts: list[Draft], config: AgreeConfig) -> tuple[list[Half], list[Half]]:
    """The halves with a value, as (tile, 0 or 1): those sure enough to teach, and the others."""
    halves = [(draft, index) for draft in drafts for index in (0, 1) if draft.ends[index] is not None]
    sure = [
        (d, i) for d, i in halves if d.evidence > config.tile_evidence and d.probabilities[i].max() >= config.teacher
    ]
    return sure, [(d, i) for d, i in halves if d.probabilities[i].max() < config.teacher]


def weigh_inks(drafts: list[Draft], config: AgreeConfig) -> None:
    """A half without a mark that stands out a quarter as far as the faintest pips of this picture is a blank.

    The readers learnt of sets with pips hardly darker than the face, and so take faint stains for something. Where
    marks stand out as far as pips do, and no marker stands, it is no blank: nine pale pips can look like nothing. A
    numeral's nought is a mark.
    """
    sure, unsure = _split(drafts, config)
    faintest = [float(d.inks[i]) for d, i in sure if d.ends[i] and not math.isnan(d.inks[i])]
    if len(faintest) < config.least_teachers:
        return
    with_pips = _counts_tell(sure, config)
    for draft, index in unsure:
        if draft.ends[index] != 0:
            continue
        blank = np.arange(draft.probabilities.shape[1]) == 0
        if draft.inks[index] < config.blank_ink * min(faintest):
            _weigh(draft, index, np.where(blank, 1.0, config.blank_doubt))
            draft.pips[index] = draft.pips[index][:0]
        elif with_pips and draft.inks[index] > min(faintest) and len(draft.markers[index]) == 0:
            _weigh(draft, index, np.where(blank, config.blank_doubt, 1.0))


def weigh_hollows(drafts: list[Draft], config: AgreeConfig) -> None:
    """Halves on which the marks of a value hardly stand out, while those of the same value elsewhere do, are blanks.

    Some makers press one mould into every half and paint only what counts: their blanks read as sevens or nines. A
    set paints one value one way. Glare pales pips too; so either nothing in the picture reads as a blank, and all that
    is pale reads as the same value, or what is pale stands out no more than the blanks do and does not read surely.
    """
    by_value: dict[int, list[Half]] = defaultdict(list)
    for draft in drafts:
        for index, value in enumerate(draft.ends):
            if value is not None and draft.evidence > config.tile_evidence and draft.inks[index] > 0:
                by_value[value].append((draft, index))
    blanks = [float(draft.inks[index]) for draft, index in by_value.pop(0, [])]
    pale = [found for found in (_pale(halves, config) for halves in by_value.values()) if found]
    if blanks:
        hollow = [
            (draft, index)
            for draft, index in itertools.chain.from_iterable(pale)
            if draft.inks[index] < max(blanks) and draft.probabilities[index].max() < config.teacher
        ]
    else:
        hollow = pale[0] if len(pale) == 1 and len(pale[0]) >= config.least_hollow else []
    for draft, index in hollow:
        row = draft.probabilities[index]
        row *= (1 - config.hollow) / max(float(row[1:].sum()), 1e-9)
        row[0] = config.hollow
        draft.pips[index] = draft.pips[index][:0]
        _revalue(draft, index, row)


def _pale(halves: list[Half], config: AgreeConfig) -> list[Half]:
    """Those of the halves of one value whose marks stand out far less than all the others' do."""
    halves = sorted(halves, key=lambda half: float(half[0].inks[half[1]]))
    inks = np.array([draft.inks[index] for draft, index in halves])
    steps = (inks[1:] / inks[:-1])[: len(inks) - config.least_painted]
    if len(steps) == 0 or steps.max() < config.hollow_step:
        return []
    return halves[: int(steps.argmax()) + 1]


def _counts_tell(sure: list[Half], config: AgreeConfig) -> bool:
    """Whether the pips counted on the halves that are sure are right, so that it is a set with pips."""
    right = sum(len(draft.pips[index]) == draft.ends[index] for draft, index in sure)
    return len(sure) >= config.least_teachers and right >= config.least_counted * len(sure)


def with_numerals(drafts: list[Draft], config: AgreeConfig) -> bool:
    """Whether this is a set with numerals: on hardly any half that surely has many pips nearly as many are counted."""
    sure, _ = _split(drafts, config)
    counted = [(len(draft.pips[index]), draft.ends[index] or 0) for draft, index in sure]
    many = [(count, value) for count, value in counted if value >= _MANY]
    few = sum(count < 0.5 * value for count, value in many)
    return len(many) >= config.least_teachers and few > _OF_NUMERALS * len(many)


def weigh_counts(drafts: list[Draft], config: AgreeConfig) -> None:
    """Where the pips counted on the sure halves are right in this picture, let counting speak on the others too.

    It says nothing of numerals, and little of a set whose pips the map does not see.
    """
    sure, unsure = _split(drafts, config)
    if not _counts_tell(sure, config):
        return
    for draft, index in unsure:
        away = np.abs(np.arange(draft.probabilities.shape[1]) - len(draft.pips[index]))
        _weigh(draft, index, np.where(away == 0, 1.0, np.where(away == 1, 0.3, 0.12)))


def _weigh(draft: Draft, index: int, weights: npt.NDArray[np.floating]) -> None:
    """Weigh the probabilities of a half's values (19,); their sum stays."""
    row = draft.probabilities[index]
    weighed = row * weights
    _revalue(draft, index, np.asarray(weighed * (row.sum() / max(float(weighed.sum()), 1e-9)), np.float32))


def _revalue(draft: Draft, index: int, row: Floats) -> None:
    """Give a half new probabilities (19,) and the value that they say."""
    draft.probabilities[index] = row
    best = int(row.argmax())
    draft.ends = (best, draft.ends[1]) if index == 0 else (draft.ends[0], best)


def weigh_colours(drafts: list[Draft], config: AgreeConfig) -> None:
    """Let the colours of the sure halves speak where a half is not sure, and object where one does not fit."""
    sure, unsure = _split(drafts, config)
    book = ColourBook([d.ends[i] or 0 for d, i in sure], [d.colours[i] for d, i in sure])
    if not book.tells:
        return
    for draft, index in unsure:
        _revalue(draft, index, book.weigh(draft.probabilities[index], draft.colours[index]))
    for draft, index in sure:
        if book.contradicts(draft.ends[index] or 0, draft.colours[index]):
            draft.doubts.append(Doubt("colour_disagrees", {"value": draft.ends[index] or 0}))
