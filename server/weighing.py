"""Which accounts of a picture are kept, and which nothing tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.codes import Code
from server.explaining import Account, Pending, SeenTurn, State
from server.told import Told

_MOST_STATES = 12
_LESS_LIKELY = 4.2
"""States that are less likely than the likeliest by no more than this are kept."""
_RIVAL = 2.05
_NEARLY = 0.45
"""Of two accounts that differ by less than this nobody can say which it was."""
_PROOF = 2.05
"""By so much an account without a fault has to be likelier than others for it to be proof."""
_PATIENCE = 5
"""Changes after which a fault of which it was open who made it is forgotten."""
_NO_TRACE, _AND_LAWFUL = 0.9, 1.55
"""The same where the first is that somebody did nothing at all; and where the other breaks no rule."""


def duplicate(told: Told) -> bool:
    """A tile lies there twice, or a line begins where none can: likelier misread than done."""
    codes = (Code.DUPLICATE_TILE, Code.NOT_IN_SET, Code.SECOND_MEXICAN)
    return any(turn.fault is not None and turn.fault.code in codes for turn in told.accounts[0].turns)


def weighed(accounts: Sequence[Account], doubt: str = "") -> tuple[State, ...]:
    """The states that the likely accounts leave, each once, the likeliest at 0.

    An account that needs a fault is kept beside the likelier one that needs none, with the fault untold: later
    pictures may leave nothing else. `doubt` is why what is at fault now was told as undetermined; each account keeps
    its own.
    """
    first = accounts[0]
    told = faults_of(first)
    found: dict[object, State] = {}
    for account in accounts:
        if account.weight <= first.weight + _LESS_LIKELY:
            # One foul is told of a picture; what else might have been one there is no second.
            other = account.owed if first.faults else faults_of(account)
            owed = tuple(turn for turn in other if turn not in told and account.weight > first.weight + 0.1)
            weight = account.weight - first.weight + _unlikely(account, first)
            if weight > _LESS_LIKELY:
                continue
            pending = _pending(account, owed, doubt)
            state = replace(account.state, weight=weight, owed=owed, pending=pending)
            found.setdefault(state.identity, state)
    return tuple(found.values())[:_MOST_STATES]


def _pending(account: Account, owed: Sequence[SeenTurn], doubt: str) -> tuple[Pending, ...]:
    """What the account may be accused of later: lays at fault, not long ago. Of markers, too little is ever sure.

    Of a tile that can't be read it is sure where it lies, and nothing else.
    """

    def provable(turn: SeenTurn) -> bool:
        private = turn.fault is not None and turn.fault.code is Code.TRAIN_PRIVATE
        return turn.at is not None and turn not in owed and (private or doubt != "readable_tile")

    kept = [replace(one, age=one.age + 1) for one in account.pending if one.age < _PATIENCE]
    new = list(filter(provable, faults_of(account))) if doubt else []
    found = (*kept, *(Pending(replace(turn, ruling=None, state=None)) for turn in new))
    return tuple(one for one in found if not stood_open(one.turn, account))


def stood_open(turn: SeenTurn, account: Account) -> bool:
    """A marker stands on the train that was laid on as if it were closed: perhaps it stood there all the time."""
    if turn.fault is None or turn.fault.code is not Code.TRAIN_PRIVATE or turn.at is None:
        return False
    return account.state.mid.table.train(turn.at.train).marker


def proven(accounts: Sequence[Account]) -> tuple[SeenTurn, ...]:
    """Undetermined faults of the first account, which is faultless itself, that every likely account shares."""
    first = accounts[0]
    near = [account for account in accounts if account.weight <= first.weight + _PROOF]

    def shared(one: Pending, account: Account) -> bool:
        owed = [Pending(turn) for turn in account.owed]
        return any(one.identity == other.identity for other in (*account.pending, *owed))

    return tuple(one.turn for one in first.pending if all(shared(one, account) for account in near))


def _unlikely(account: Account, first: Account) -> float:
    """What counts against an account once it was not the likeliest: turns that nobody saw, tiles laid wrongly."""
    missed = 3.0 * max(0, account.cost - first.cost) if account.faults == 0 else 0.0
    wrong = 1.5 * sum(turn.at is not None for turn in account.turns) if account is not first else 0.0
    return missed + (wrong if account.weight > first.weight + 0.1 else 0.0)


def on_own(account: Account, went: bool = False) -> bool:
    """The one who acted laid on the own train, which was closed to everybody else.

    With `went` also if it was open and its marker went with the lay, as only its owner may take it.
    """

    def own(turn: SeenTurn) -> bool:
        if turn.state is None or all(play.train != turn.seat for play in turn.plays):
            return False
        gone = went and not account.state.mid.table.train(turn.seat).marker
        return gone or not turn.state.base.table.train(turn.seat).marker

    return any(map(own, account.turns))


def began(account: Account) -> bool:
    """A train began: whose it is was guessed."""
    return any(
        turn.state is not None and any(not turn.state.base.table.train(play.train).started for play in turn.plays)
        for turn in account.turns
    )


def at_fault(told: Told) -> bool:
    return bool(faults_of(told.accounts[0]))


def faults_of(account: Account) -> list[SeenTurn]:
    return [*account.owed, *(turn for turn in account.turns if turn.fault is not None)]


def rivalled(accounts: Sequence[Account]) -> bool:
    """Another account is nearly as likely as the first and tells of no fault, or of another: who acted may be open."""

    def reasons(account: Account) -> set[Code]:
        return {turn.fault.code for turn in faults_of(account) if turn.fault is not None}

    first = accounts[0]
    no_trace = Code.MARKER_MISSING in reasons(first)

    def near(account: Account) -> bool:
        margin = (_NO_TRACE if reasons(account) else _AND_LAWFUL) if no_trace else _NEARLY
        return account.weight <= first.weight + margin

    return any(reasons(account) != reasons(first) for account in filter(near, accounts))


def alike(accounts: Sequence[Account]) -> tuple[Account, ...]:
    """The accounts that nothing tells apart from the first: as likely, and with the same reason if one is at fault.

    Where the first needs a turn that nobody saw, or starts from a state that is not the likeliest, one with a fault
    that needs neither is not told apart from it either: who acted stays open, and nobody is accused.
    """

    def reason(account: Account) -> tuple[str, ...]:
        return tuple(turn.fault.code.value for turn in faults_of(account) if turn.fault is not None)

    def rival(account: Account) -> bool:
        near = account.weight <= first.weight + _RIVAL and not reason(first)
        return near and (account.cost < first.cost or account.began < first.began - 0.5)

    first = accounts[0]
    return tuple(
        account
        for account in accounts
        if (account.weight <= first.weight + 0.1 and reason(account) == reason(first)) or rival(account)
    )
