"""The house rules: one field for each, with its default, its values, its source and a sentence.

The sources are the tags of the rules matrix: S0, S1, S3, S4 are the published texts, PG, WP, W12 and so on
others, R a ruling where no text speaks. The default of every option is the game as published (S0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from dataclasses import replace as dataclass_replace
from typing import Literal

from engine.errors import RulesError
from engine.options import Option, Value, option, options_of


@dataclass(frozen=True)
class Rules:
    """House rules of one game. Refuses values that do not exist and options that contradict each other."""

    # -- session and setup (3.1, 3.2) ----------------------------------------------------------------
    set_size: Literal[6, 9, 12, 15, 18] = option(
        12, "session", "S0-01, S1-V5", "The highest number on a tile of your set.")
    players: int | None = option(
        None, "session", "S1-01, S0-02", "How many play, if that is settled beforehand.", low=2, high=10)
    deal_table: Literal["standard", "galt_11", "pressman", "parsons", "idaho", "ludomax", "custom"] = option(
        "standard", "session", "S0-02, S1-03, TXG", "Which table says how many tiles each player is dealt.")
    hand_size: int | None = option(
        None, "session", "S0-02", "Tiles dealt to each player, for the custom deal table.", low=1, high=94)
    engine_source: Literal["held_or_draw", "pulled", "highest_held"] = option(
        "held_or_draw", "session", "S0-04, S1-V2, PG; S1-04, S3-30; S4-01",
        "Where the starting double comes from: whoever holds it lays it, it is taken out before the deal, "
        "or the highest double in any hand is laid whatever the round.")
    engine_draw: Literal["one_each_in_turn", "all_draw_together"] = option(
        "one_each_in_turn", "session", "PG, S1-V2; IGS, BUL",
        "How the starting double is looked for when nobody holds it.")
    first_starter: Literal["engine_placer", "agreed", "highest_draw", "oldest"] = option(
        "engine_placer", "session", "S0-06; S1-05; GREV; S4-02", "Who moves first in the first round.")
    start_rotation: Literal["engine_placer", "left", "lowest_score", "left_of_last_opener"] = option(
        "engine_placer", "session", "S0-06; S1-05, WP; RAM; GREV", "Who moves first in later rounds.")
    start_double: int | None = option(
        None, "session", "S0-05; S1-23", "The starting double of the first round; none means the highest.",
        low=0, high=18)
    rounds: int | None = option(
        None, "session", "S0-05, S0-21, S1-23", "How many rounds are played; none means down to the blank.",
        low=1, high=100)
    objective: Literal["lowest_total", "single_round"] = option(
        "lowest_total", "session", "S0-19, S0-21", "Whether a whole session or a single round is played for.")

    # -- first turn (3.3) ----------------------------------------------------------------------------
    first_turn: Literal["build", "one_tile"] = option(
        "build", "first turn", "S0-07, S1-06; S1-V4, S4-05",
        "Whether your first turn may be a whole line of tiles or is one tile like any other.")
    first_turn_order: Literal["sequential", "simultaneous"] = option(
        "sequential", "first turn", "S0-06; MTC", "Whether all build their first line at the same time.")
    first_turn_draw: Literal["one", "none", "until_start"] = option(
        "one", "first turn", "S0-12; S3-18; FUN", "What you draw when you can't start your train.")
    first_turn_after_draw: Literal["line", "single"] = option(
        "line", "first turn", "MTC (R); CLJ", "Whether your line may go on after a drawn first tile.")
    first_build_carry: bool = option(
        False, "first turn", "S0-07; MTC",
        "You keep your long first line until you can start your train.")
    first_build_if_preempted: bool = option(
        True, "first turn", "CLJ, WH",
        "A first turn spent on covering somebody's double does not use up your long line.")
    first_turn_end_double: Literal["deferred", "immediate", "must_cover_if_able", "forbidden"] = option(
        "deferred", "first turn", "S3-20; WH; R; DCR",
        "What happens when a first line ends with a double: it waits until all have had a first turn, the "
        "next player covers it at once, you cover it if you can, or it may not end so.")
    first_turn_out: Literal["complete_first_turns", "immediate_end"] = option(
        "complete_first_turns", "first turn", "PG, DCR; S0-V1",
        "Whether the others still have their first turn when somebody goes out in theirs.")
    starter_plays_two: bool = option(
        False, "first turn", "W12", "The first player lays two tiles on the own train, or is marked.")

    # -- Mexican train (3.4) -------------------------------------------------------------------------
    mexican_present: bool = option(
        True, "Mexican train", "WP", "There is a Mexican train that everybody may play on.")
    mexican_start: Literal["second_turn", "any_time", "own_started", "after_all_trains"] = option(
        "second_turn", "Mexican train", "S0-10; S1-10, S3-04, S4-05; JMD; W12",
        "When you may start the Mexican train.")
    mexican_count: Literal["slots"] | int = option(
        1, "Mexican train", "S3-03; TGS", "How many Mexican trains there may be.", low=1, high=18)
    mexican_location: Literal["hub_slot", "anywhere"] = option(
        "anywhere", "Mexican train", "NWL, WP", "Where the Mexican train lies; looks only.")

    # -- access, drawing (3.5) -----------------------------------------------------------------------
    must_play: Literal["strict", "optional"] = option(
        "strict", "play", "S3-24, S4-07; DCR", "Whether you must play when you can, or may draw instead.")
    own_train_first: Literal["none", "others", "all"] = option(
        "none", "play", "S0; W12; TW",
        "Whether your own train must be started before you play on other players' trains, or anywhere else.")
    start_other_marked_train: bool = option(
        True, "play", "S3-21, PRS", "You may start another player's marked train that has no tile yet.")
    public_train_tile_cap: int | None = option(
        None, "play", "S0-V2", "Most tiles you may lay on one marked train in a turn.", low=1, high=20)
    public_trains_per_turn_cap: int | None = option(
        None, "play", "S0-V2", "Most different marked trains you may use in a turn.", low=1, high=20)
    draw_count: Literal["one", "until_playable"] = option(
        "one", "play", "S0-12; RC", "Whether you draw one tile or until one fits.")
    draw_play: Literal["must", "may"] = option(
        "must", "play", "S1-12, S3-23, S4-08; PG", "Whether a drawn tile that fits must be played.")
    extra_draw_placement: Literal["anywhere", "double_or_public"] = option(
        "anywhere", "play", "S0-09; S3-25",
        "Where a tile drawn after a double may go: anywhere, or only on that double and on public trains.")
    duty_draw_placement: Literal["double_only", "anywhere"] = option(
        "double_only", "play", "S0-14; R", "Where a tile drawn while covering an open double may go.")
    empty_boneyard: Literal["mark_and_pass", "pass_only"] = option(
        "mark_and_pass", "play", "S1-13, S3-16; behar",
        "Whether you are marked when there is nothing to draw.")
    blanks_wild: bool = option(False, "play", "WH; MLT, FAA", "A blank matches any number.")

    # -- markers (3.6) -------------------------------------------------------------------------------
    marker_trigger: Literal["no_play", "no_own_play"] = option(
        "no_play", "markers", "S0-12; FUN",
        "Whether you are marked when you can't play at all, or whenever you play nothing on your own train.")
    marker_removal: Literal["mandatory", "optional", "any_play"] = option(
        "mandatory", "markers", "S0-13, S1-12; S3-22; W12",
        "Whether your marker comes off when you play on your train, may then, or goes with any play.")
    marker_removed_by_open_double: bool = option(
        True, "markers", "S0-13; DCR", "An uncovered double on your own train takes your marker off.")
    voluntary_marker: bool = option(False, "markers", "W12", "You may mark your train although you can play.")
    marker_at_hub: bool = option(
        True, "markers", "S3-18", "A train without a tile is marked at its place on the hub.")
    marker_public_in_first_turn: bool = option(
        False, "markers", "S3-21", "Marked trains are open to others in their first turn too.")
    marker_on_failed_cover: Literal["all", "layer_exempt"] = option(
        "all", "markers", "S0-14, S1-16; W12",
        "Whether the player who lays a double and can't follow it draws and is marked like anybody else.")

    # -- doubles (3.7) -------------------------------------------------------------------------------
    double_extra_tile: Literal["mandatory", "optional", "none"] = option(
        "mandatory", "doubles", "S0-09, S1-V1, S3-25, S4-10; behar; S1-15, S3-05",
        "Whether laying a double means laying another tile at once.")
    double_extra_placement: Literal["anywhere", "double_or_public", "must_cover"] = option(
        "anywhere", "doubles", "S0-09; S3-25; S1-V1, S4-10",
        "Where that other tile goes: anywhere, on the double or a public train, or only on the double.")
    double_duty: Literal["table", "own_train", "layer_only", "none"] = option(
        "table", "doubles", "S0-14, S1-15, S4-10; S1-V3; CR",
        "Whom an open double binds: the whole table, only its own train, only who laid it, or nobody.")
    closed_train_cover_access: Literal["normal", "anyone"] = option(
        "normal", "doubles", "R",
        "Who may cover a waiting double on a private train when it binds only its train.")
    double_order: Literal["played_order", "last_first", "any"] = option(
        "played_order", "doubles", "PG; JMD; PYB", "Which of several open doubles is covered first.")
    cover_chain: Literal["one_per_turn", "same_player"] = option(
        "one_per_turn", "doubles", "S0-14; JMD", "Whether whoever covers a double may go on covering others.")
    max_doubles_per_turn: Literal["unlimited", 1, "two_if_followed"] = option(
        "unlimited", "doubles", "PG; W12; RAM",
        "How many doubles you may lay in a turn; a second one perhaps only with a third tile from your hand.")
    drawn_double_repeats: bool = option(
        True, "doubles", "S3-26", "A double that you drew and laid asks for another tile again.")
    drawn_double_followup: Literal["hand_then_draw", "draw_only"] = option(
        "hand_then_draw", "doubles", "R; S3-26",
        "Whether that other tile may come from your hand or is drawn.")
    dead_double_exempt: bool = option(
        True, "doubles", "S4-11", "A double whose number is all on the table need not be covered.")
    double_answers: Literal[1, 3] = option(
        1, "doubles", "S0; S3-06", "How many tiles a double asks for: one, or three like a chicken's foot.")
    chickenfoot_scope: Literal["all", "personal", "own"] = option(
        "all", "doubles", "S3-06; W12", "Which doubles ask for three tiles.")
    chickenfoot_open_ends: Literal[3, 1] = option(
        3, "doubles", "CF; W12", "How many of the three toes the train goes on from.")
    double_branching: Literal["none", "optional"] = option(
        "none", "doubles", "S0-V3; WP, S4", "Whether a covered double may take side lines.")
    double_marker: bool = option(
        False, "doubles", "S3-07", "A token stands on an open double; looks only.")

    # -- going out, call, blocked (3.8) --------------------------------------------------------------
    go_out_on_double: Literal["allowed", "must_cover", "not_while_boneyard"] = option(
        "allowed", "going out", "S0-20, S3-29; S3-10; R", "Whether a double may be your last tile.")
    one_tile_call: bool = option(
        False, "going out", "S0-15, S3-08, S4-12", "You announce that you have one tile left.")
    call_window: Literal["next_player_turn_end", "next_player_first_action", "at_play"] = option(
        "next_player_turn_end", "going out", "S0-15; S3-09; S4-12",
        "Until when a late announcement is in time.")
    call_penalty: Literal[2, 1] = option(
        2, "going out", "S0-15, S3-08, S4-12; W12", "Tiles you draw if you forget to announce.")
    call_caught_by: Literal["other_player", "referee"] = option(
        "other_player", "going out", "S0-15, S3-08; R", "Who must notice a forgotten announcement.")
    blocked_test: Literal["pass_cycle", "hands"] = option(
        "pass_cycle", "going out", "S0-17; R",
        "How it is found that nobody can play: by passes round the table or by the hands, where known.")
    blocked_scoring: Literal["all_score"] = option(
        "all_score", "going out", "S0-17", "In a blocked round everybody counts.")

    # -- scoring and enforcement (3.9) ---------------------------------------------------------------
    double_blank: Literal[0, 25, 50] = option(
        0, "scoring", "S0-18, S3-15; S3-14; S1-20", "What the double-blank in your hand counts.")
    blank_value: Literal[25] | None = option(
        None, "scoring", "CF", "What any other tile with a blank counts; none means its pips.")
    out_on_double_doubles_scores: bool = option(
        False, "scoring", "RB", "The others' points are doubled when somebody goes out with a double.")
    scoring_direction: Literal["penalty", "winner_collects"] = option(
        "penalty", "scoring", "S0-16; BUL", "Whether pips count against you or go to who went out.")
    tie_break: Literal["zeros_then_low", "shared"] = option(
        "zeros_then_low", "scoring", "S3-13; W12", "How a tie on the total is broken.")
    illegal_play_remedy: Literal[
        "take_back", "take_back_and_draw_1", "take_back_and_draw_2", "take_back_and_draw_3"
    ] = option("take_back", "scoring", "R; BUL", "What happens after a play that the rules do not allow.")
    misplay_window: Literal["next_lay", "round_end"] = option(
        "next_lay", "scoring", "R", "Until when a wrong play is put right; later it stands.")
    missed_marker_remedy: Literal["place_now"] = option(
        "place_now", "scoring", "R", "A forgotten marker is placed as soon as it is noticed.")

    def __post_init__(self) -> None:
        for name, choice in OPTIONS.items():
            choice.read(getattr(self, name))
        clash = _clash(self)
        if clash is not None:
            raise clash

    @classmethod
    def of(cls, changes: Mapping[str, object], base: Rules | None = None) -> Rules:
        """`base` (or the published game) with `changes`. Raises `RulesError` for an unknown option."""
        read: dict[str, Value] = {}
        for name, value in changes.items():
            if name not in OPTIONS:
                raise RulesError(f"there is no house rule called {name}")
            read[name] = OPTIONS[name].read(value)
        return dataclass_replace(base if base is not None else cls(), **read)  # type: ignore[arg-type]

    @property
    def has_side_lines(self) -> bool:
        """Tiles may lie at the sides of a double: chicken feet, or lines that branch off."""
        return self.double_answers == 3 or self.double_branching == "optional"

    def changes(self, base: Rules | None = None) -> dict[str, Value]:
        """The options that differ from `base` (or from the published game)."""
        base = base if base is not None else Rules()
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != getattr(base, field.name)
        }

    @property
    def extra_must_cover(self) -> bool:
        """The tile after a double goes on it [S1-V1, S4-10], also when only the layer is bound [CR]."""
        return self.double_extra_placement == "must_cover" or self.double_duty == "layer_only"


def contradiction(rules: Rules) -> str | None:
    """Why these options cannot hold together, or `None`. Options without effect are no contradiction."""
    clash = _clash(rules)
    return None if clash is None else str(clash)


def _clash(rules: Rules) -> RulesError | None:
    for clash, code, reason in (
        (
            rules.start_double is not None and rules.start_double > rules.set_size,
            "start_double_not_in_set",
            f"a double-{rules.set_size} set has no double {rules.start_double} to start with",
        ),
        (
            rules.deal_table == "custom" and rules.hand_size is None,
            "custom_without_hand",
            "deal_table is custom, but no hand_size is given",
        ),
        (
            rules.deal_table != "custom" and rules.hand_size is not None,
            "hand_without_custom",
            "hand_size is given, but the deal table is not custom",
        ),
        (
            rules.objective == "single_round" and rules.rounds not in (None, 1),
            "single_round_of_several",
            "a single round is played for, but several rounds are asked for",
        ),
        (
            not rules.mexican_present and rules.mexican_count != 1,
            "several_of_no_mexican",
            "there is no Mexican train, but several are asked for",
        ),
        (
            rules.first_build_carry and rules.first_turn == "one_tile",
            "no_line_to_carry",
            "the long first line can't be kept for later: first_turn is one_tile, so there is none",
        ),
        (
            rules.first_turn_order == "simultaneous" and rules.first_turn == "one_tile",
            "no_line_at_once",
            "all can't have their first turn at once when it is an ordinary turn (first_turn is one_tile)",
        ),
        (
            rules.first_turn_order == "simultaneous" and rules.first_turn_end_double == "immediate",
            "nobody_next",
            "when all build at once, no next player can cover a double at once",
        ),
        (
            rules.double_extra_tile == "none" and rules.double_extra_placement != "anywhere",
            "no_extra_tile",
            "double_extra_placement says where the tile after a double goes, but double_extra_tile is none",
        ),
        (
            rules.double_duty == "layer_only" and rules.double_extra_tile == "none",
            "layer_without_tile",
            "only the layer covers a double (double_duty), but has no tile to do it with (double_extra_tile)",
        ),
        (
            rules.double_duty == "layer_only" and rules.double_answers == 3,
            "layer_of_three",
            "only the layer covers a double (double_duty), but three tiles are asked for (double_answers)",
        ),
        (
            rules.double_answers == 3 and rules.double_branching == "optional",
            "two_kinds_of_sides",
            "double_answers and double_branching both say what lies at the sides of a double",
        ),
    ):
        if clash:
            return RulesError(reason).named(code, set_size=rules.set_size, double=rules.start_double or 0)
    return None if rules.players is None else _deal_fails(rules, rules.players)


def _deal_fails(rules: Rules, players: int) -> RulesError | None:
    """Why these many players can't be dealt their tiles, or `None`."""
    from engine.deal import hand_size  # the deal reads the rules, so it can't be imported above

    try:
        hand_size(players, rules)
    except RulesError as error:
        return error
    return None


OPTIONS: Mapping[str, Option] = options_of(Rules)
"""Every house rule by name, in the order of the rules matrix."""
