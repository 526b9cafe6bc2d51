"""The catalogue of house rules, the presets, rules files and refused combinations."""

from __future__ import annotations

import pytest

from engine.codes import RESTS_ON, Code
from engine.errors import RulesError
from engine.options import spell
from engine.presets import PRESETS, load_rules, preset, save_rules
from engine.rules import OPTIONS, Rules


def test_every_option_can_be_understood() -> None:
    for option in OPTIONS.values():
        assert option.sentence.endswith(".")
        assert option.source
        assert option.accepts(option.default)
        assert option.words or option.numbers
        assert spell(option.default) in option.allowed or option.numbers


def test_every_value_of_every_option_is_read() -> None:
    for option in OPTIONS.values():
        for value in option.words:
            assert option.read(value) == value
        with pytest.raises(RulesError, match=option.name):
            option.read("no such value")


def test_true_is_no_number_and_one_is_not_true() -> None:
    with pytest.raises(RulesError):
        Rules.of({"rounds": True})
    with pytest.raises(RulesError):
        Rules.of({"one_tile_call": 1})
    with pytest.raises(RulesError):
        Rules.of({"max_doubles_per_turn": True})


def test_the_nine_presets() -> None:
    assert len(PRESETS) == 9
    assert preset("published_default") == Rules()
    assert preset("squarescores_extra").double_extra_placement == "must_cover"
    assert preset("squarescores_extra").engine_source == "pulled"
    assert preset("mtf_chickenfoot").double_answers == 3
    assert preset("tournament").max_doubles_per_turn == 1
    assert preset("double_nine").set_size == 9
    with pytest.raises(RulesError, match="published_default"):
        preset("nobody_plays_so")


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("base", ["published_default", "tournament"])
def test_rules_files_round_trip(name: str, base: str) -> None:
    rules = preset(name)
    assert load_rules(save_rules(rules, base, name='Ana\'s "house"')) == rules


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("colour = 1", "colour"),
        ('double_duty = "none"', "under"),
        ("[rules]\nno_such = 1", "no_such"),
        ('[rules]\ndouble_duty = "me"', "double_duty"),
        ('preset = "nope"', "nope"),
        ("preset = 3", "name"),
        ("rules = 3", "table"),
        ("[rules", "not a rules file"),
        ("[rules]\nrounds = 1.5", "rounds"),
    ],
)
def test_bad_rules_files_are_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        load_rules(text)


def test_none_in_a_file_means_no_limit() -> None:
    assert load_rules('[rules]\npublic_train_tile_cap = "none"').public_train_tile_cap is None


def test_a_name_of_two_lines_is_refused() -> None:
    with pytest.raises(RulesError):
        save_rules(Rules(), name="two\nlines")


@pytest.mark.parametrize(
    "changes",
    [
        {"set_size": 9, "start_double": 12},
        {"deal_table": "custom"},
        {"hand_size": 8},
        {"objective": "single_round", "rounds": 3},
        {"mexican_present": False, "mexican_count": 2},
        {"first_turn": "one_tile", "first_build_carry": True},
        {"first_turn": "one_tile", "first_turn_order": "simultaneous"},
        {"first_turn_order": "simultaneous", "first_turn_end_double": "immediate"},
        {"double_extra_tile": "none", "double_extra_placement": "must_cover"},
        {"double_duty": "layer_only", "double_extra_tile": "none"},
        {"double_duty": "layer_only", "double_answers": 3},
        {"double_answers": 3, "double_branching": "optional"},
        {"players": 10, "set_size": 6},
    ],
)
def test_contradictions_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(RulesError):
        Rules.of(changes)


def test_changes_tell_what_differs() -> None:
    rules = Rules.of({"double_blank": 50, "one_tile_call": True})
    assert rules.changes() == {"double_blank": 50, "one_tile_call": True}
    assert rules.changes(rules) == {}
    assert Rules.of(rules.changes()) == rules


def test_every_fault_at_the_table_says_what_it_rests_on() -> None:
    for code in Code:
        assert (code in RESTS_ON) == code.value.startswith("R_")
    for _, names in RESTS_ON.values():
        assert set(names) <= set(OPTIONS)
