"""Agreement over the whole picture: which candidates are tiles, which values they show, and what is doubtful.

A missed or wrong tile that nobody is told about is the worst that can happen, so rules add doubts; only what
the picture itself shows (the colours of its other pips) can settle one.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict

import numpy as np
import numpy.typing as npt

from vision import blanks, geometry
from vision import candidates as cand
from vision.candidates import Candidates
from vision.detections import FACE_DOWN, FACE_UP, KINDS, MARKER
from vision.drafts import AgreeConfig, Draft, Floats
from vision.face_maps import places_in_picture
from vision.halves import NO_VALUE, HalfReadings
from vision.markers import SMALL, evident, maybe_markers, on_tiles, plain, sizes, standing_on, told_by_size
from vision.tiles import Doubt, Points, TileSighting
from vision.weighing import weigh_colours, weigh_counts, weigh_hollows, weigh_inks, with_numerals


def agree(
    found: Candidates, size_wh: tuple[int, int], set_size: int, mixed: bool, config: AgreeConfig
) -> tuple[list[TileSighting], list[TileSighting], list[TileSighting]]:
    """Face-up tiles, face-down tiles, and what looks as if it might be a marker, of one picture's candidates."""
    strength = cand.evidence(found)
    size = sizes(found, strength)
    on_tile = on_tiles(found, strength)
    kinds = told_by_size(found, cand.likely_kind(found), size, on_tile)
    spots = maybe_markers(found, size) & ((strength < config.tile_evidence) | (kinds == MARKER))
    # A back or a marker competes for its place with what the finder thinks of it.
    rank = np.where(kinds == FACE_UP, strength, np.log(found.score / (1.001 - found.score)))
    chosen, covered = _chosen(found, rank.astype(np.float32), kinds == MARKER, config)
    small = spots & ~on_tile & (size[:, 0] < SMALL)
    face_up = (kinds == FACE_UP) & _may_be_face_up(found, strength, size_wh, config) & ~small
    drafts: list[Draft] = []
    backs: list[TileSighting] = []
    for index, hidden in zip(chosen.tolist(), covered.tolist(), strict=True):
        if face_up[index]:
            draft = _draft(found, index, float(strength[index]), set_size, config)
            drafts.append(draft)
            _doubt_place(draft, hidden, size_wh, config)
            continue
        # What is a tile for sure, and shows no face that can be read, lies face down as far as anybody can see.
        if kinds[index] != MARKER and evident(found, index, size[index]):
            backs.append(plain(found, index, FACE_DOWN))
    markers = [plain(found, int(index), MARKER) for index in np.flatnonzero(spots)]
    _add_markers_on(drafts, markers, config)
    weigh_hollows(drafts, config)
    weigh_inks(drafts, config)
    weigh_counts(drafts, config)
    weigh_colours(drafts, config)
    if not mixed:
        _one_of_each(drafts, config)
    blurred = _blurred(drafts, config)
    told_apart = NO_VALUE if with_numerals(drafts, config) else config.told_apart
    for draft in drafts:
        _doubt_values(draft, told_apart, config)
        if blurred:
            # On such a photo tiles are missed without a trace, so what was found cannot be a promise either.
            draft.doubts.append(Doubt("blurred"))
    return [_sighting(draft) for draft in _in_rows(drafts)], backs, markers


def _may_be_face_up(
    found: Candidates, strength: Floats, size_wh: tuple[int, int], config: AgreeConfig
) -> npt.NDArray[np.bool_]:
    """Which candidates (n,) are strong enough for a tile, if for a doubtful one."""
    odd = cand.odd_size(found.corners, strength) > config.most_odd
    shows = cand.shows_pips(found)
    believed = (found.kind == FACE_UP) & (found.score >= config.finder_alone)
    # A back that surely shows pips is none.
    believed = (believed | ((found.kind == FACE_DOWN) & (found.score >= config.back_alone) & shows)) & ~odd
    # Half a tile cannot speak as clearly as a whole one, and must not be passed over for that.
    cut = np.array([_outside(corners, size_wh) > config.edge_ratio for corners in found.corners], np.bool_)
    # Where two values can be read, little else has to speak for a tile: what is passed over is passed over silently.
    two = shows & (found.readings.probabilities[:, :, NO_VALUE].max(1) < config.most_valueless)
    believed |= two & (strength > config.maybe_evidence_read)
    return np.asarray(believed | (strength >= np.where(cut, config.maybe_evidence_cut, config.maybe_evidence)))


def _blurred(drafts: list[Draft], config: AgreeConfig) -> bool:
    """Whether the edges of most tiles are so soft that others may have been missed.

    A tile that is smaller than its crop is softened by being enlarged, so less is asked of it. Of larger ones the
    edges that face one way may be soft and the others sharp: the camera moved.
    """
    if not drafts:
        return False
    length = float(np.median([np.linalg.norm(draft.corners[2] - draft.corners[1]) for draft in drafts]))
    least = config.least_sharpness_large if length > geometry.TILE_IN_CROP_PX else config.least_sharpness
    if float(np.median([draft.sharpness for draft in drafts])) < least:
        return True
    large = [draft.softest for draft in drafts if not math.isnan(draft.softest)]
    return bool(large) and float(np.median(large)) < config.least_sharpness_one_way


def _add_markers_on(drafts: list[Draft], markers: list[TileSighting], config: AgreeConfig) -> None:
    """Add the markers that stand on tiles; where nearly every tile has one, they are pips of a kind nobody knew."""
    marked = [draft for draft in drafts if any(map(len, draft.markers))]
    if len(marked) <= max(config.most_marked, config.most_marked_share * len(drafts)):
        for draft in marked:
            markers += standing_on(draft.corners, draft.markers, markers)


def _in_rows(drafts: list[Draft]) -> list[Draft]:
    """As one reads a page: rows from above, each from the left; a row is about half a tile high."""
    if not drafts:
        return []
    height = 0.55 * float(np.median([np.linalg.norm(d.corners[2] - d.corners[1]) for d in drafts]))
    ordered: list[Draft] = []
    pending = sorted(drafts, key=lambda draft: float(draft.corners[:, 1].mean()))
    while pending:
        top = float(pending[0].corners[:, 1].mean())
        row = [draft for draft in pending if float(draft.corners[:, 1].mean()) < top + height]
        ordered += sorted(row, key=lambda draft: float(draft.corners[:, 0].mean()))
        pending = pending[len(row) :]
    return ordered


def _chosen(
    found: Candidates, rank: Floats, marker: npt.NDArray[np.bool_], config: AgreeConfig
) -> tuple[npt.NDArray[np.int64], Floats]:
    """The candidates that stay and how much of each is covered; a marker may stand on a tile, so each has its turn."""
    parts = []
    for group in (np.flatnonzero(~marker), np.flatnonzero(marker)):
        kept, covered = cand.distinct(found[group], rank[group], config.shared_ratio)
        parts.append((group[kept], covered))
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _settle_blanks(rows: Floats, middles: npt.NDArray[np.int8]) -> None:
    """Blank or one (rows (2, 20), changed in place)? The middle of the half knows, whatever was read.

    A pale spot there may be a pip; where nothing stands there, it is no one.
    """
    for row, middle in zip(rows, middles, strict=True):
        if row.argmax() == 0 and middle != blanks.UNSURE:
            both = row[0] + row[1]
            row[0], row[1] = (0.6 * both, 0.4 * both) if middle == blanks.SPOT else (both, 0.0)


def _with_values(found: Candidates, index: int, config: AgreeConfig) -> Floats:
    """Probabilities (2, 20) of a place's halves, "no value" made unlikely where a face-up tile lies beyond doubt.

    A half alone can't tell the blank of a set without dividers from a back, or a value in deep colours from
    nothing; the whole tile can, when its other half is clear. What was won like that stays doubtful.
    """
    rows: Floats = found.readings.probabilities[index].copy()
    if found.kind[index] != FACE_UP or found.score[index] + found.kinds[index, FACE_UP] < config.whole_tile:
        return rows
    for row, other in ((rows[0], rows[1].copy()), (rows[1], rows[0].copy())):
        nothing = row[NO_VALUE]
        if nothing > config.least_valueless and other[:NO_VALUE].max() > config.sure_half:
            valued = float(row[:NO_VALUE].sum())
            # All values together stay below what one needs to be sure: no later evidence can lift one over it.
            share = min(valued / max(valued + config.valueless * nothing, 1e-9), 0.98 * config.sure_half)
            row[:NO_VALUE] *= share / max(valued, 1e-9)
            row[NO_VALUE] = 1 - share
    return rows


def _draft(found: Candidates, index: int, strength: float, set_size: int, config: AgreeConfig) -> Draft:
    rows = _with_values(found, index, config)
    _settle_blanks(rows, found.readings.middles[index])
    allowed = rows[:, : set_size + 1]
    # Values that the set does not have share their probability among those it has and "no value".
    kept = allowed.sum(1, keepdims=True) + rows[:, NO_VALUE:]
    probabilities = np.zeros((2, 19), np.float32)
    probabilities[:, : set_size + 1] = allowed / kept
    nothing = rows[:, NO_VALUE] / kept[:, 0]
    ends = tuple(
        int(row.argmax()) if row.max() > empty else None for row, empty in zip(probabilities, nothing, strict=True)
    )
    readings = found.readings
    return Draft(
        corners=found.corners[index],
        evidence=strength,
        probabilities=probabilities,
        pips=_counted(readings, index),
        markers=readings.markers[index],
        colours=readings.colours[index],
        sharpness=float(readings.sharpness[index]),
        softest=float(readings.softest[index]),
        inks=readings.inks[index],
        ends=(ends[0], ends[1]),
        doubts=[],
    )


def _counted(readings: HalfReadings, index: int) -> npt.NDArray[np.object_]:
    """The pips (2,) of a place; one spot on a half whose middle is plain is a fleck of light, not the pip of a one."""
    pips: npt.NDArray[np.object_] = readings.pips[index].copy()
    for half in (0, 1):
        if len(pips[half]) == 1 and readings.middles[index, half] == blanks.PLAIN:
            pips[half] = pips[half][:0]
    return pips


def _outside(corners: Points, size_wh: tuple[int, int]) -> float:
    """How far the farthest corner lies outside the picture, in tile lengths."""
    length = float(np.linalg.norm(corners[2] - corners[1]))
    return max(float((-corners).max()), float((corners - size_wh).max())) / max(length, 1.0)


def _doubt_place(draft: Draft, covered: float, size_wh: tuple[int, int], config: AgreeConfig) -> None:
    """Doubts about whether a whole tile lies there."""
    if _outside(draft.corners, size_wh) > config.edge_ratio:
        draft.doubts.append(Doubt("cut_by_edge"))
    if covered > config.covered_ratio:
        draft.doubts.append(Doubt("covered"))
    if draft.evidence < config.tile_evidence:
        draft.doubts.append(Doubt("maybe_tile"))
        guessed = float(draft.probabilities.max()) < config.guess
        if None in draft.ends and (guessed or draft.doubts == [Doubt("maybe_tile")]):
            # Hardly a tile, and half of it without a value: somebody has to look, but there is nothing to add up.
            # What the edge cuts may still be half a tile, whose value is told if it is more than a guess.
            draft.ends = (None, None)


def _doubt_values(draft: Draft, told_apart: int, config: AgreeConfig) -> None:
    """Doubts about what the halves say.

    Rows of four and rows of five are told apart by shape alone only in sets whose pips stand as the learnt ones do: of
    values above `told_apart` the count has a say however sure the reader is.
    """
    for row, end, pips in zip(draft.probabilities, draft.ends, draft.pips, strict=True):
        if end is None:
            draft.doubts.append(Doubt("half_unreadable"))
        elif row[end] < config.sure_half:
            order = np.argsort(-row)
            other = int(order[1] if order[0] == end else order[0])
            draft.doubts.append(Doubt("half_unclear", {"value": end, "other": other}))
        elif (count := len(pips)) != end and (row[end] < config.sure_without_count or count <= told_apart < end):
            draft.doubts.append(Doubt("count_disagrees", {"value": end, "count": count}))


def _options(draft: Draft, most: int) -> list[tuple[tuple[int, int], float]]:
    """The likeliest readings of a tile, best first, with their probabilities."""
    first, second = (np.argsort(-row)[:most] for row in draft.probabilities)
    pairs = [
        ((int(a), int(b)), float(draft.probabilities[0, a] * draft.probabilities[1, b]))
        for a, b in itertools.product(first, second)
    ]
    return sorted(pairs, key=lambda pair: -pair[1])[:most]


def _one_of_each(drafts: list[Draft], config: AgreeConfig) -> None:
    """In one set each tile exists once: where two read alike, let the less sure one be its next likely tile.

    If that makes no sense either, both keep their values and are doubtful.
    """
    groups: dict[tuple[int, int], list[Draft]] = defaultdict(list)
    for draft in drafts:
        first, second = draft.ends
        if first is not None and second is not None:
            groups[min(first, second), max(first, second)].append(draft)
    for tile, group in groups.items():
        if len(group) < 2:
            continue
        group.sort(key=lambda draft: -draft.sureness)
        taken = set(groups)
        for draft in group[1:]:
            free = [
                (ends, share)
                for ends, share in _options(draft, config.alternatives)
                if (min(ends), max(ends)) not in taken
            ]
            if free and free[0][1] > 0.1:
                draft.ends = free[0][0]
                taken.add((min(draft.ends), max(draft.ends)))
            draft.doubts.append(Doubt("seen_twice", {"low": tile[0], "high": tile[1]}))
        if any(draft.ends in (tile, tile[::-1]) for draft in group[1:]):
            group[0].doubts.append(Doubt("seen_twice", {"low": tile[0], "high": tile[1]}))


def _sighting(draft: Draft) -> TileSighting:
    present = 1 / (1 + math.exp(-draft.evidence))
    return TileSighting(
        kind=KINDS[FACE_UP],
        ends=draft.ends,
        corners_px=draft.corners,
        confidence=min(present, draft.sureness) if None not in draft.ends else 0.0,
        probabilities=draft.probabilities,
        pips_px=places_in_picture(draft.pips, draft.corners),
        doubts=tuple(draft.doubts),
    )
