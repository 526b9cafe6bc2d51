-- One row a game; `version` is the number of the last event.
CREATE TABLE game (
    id         TEXT PRIMARY KEY,
    code       TEXT NOT NULL UNIQUE,
    kind       TEXT NOT NULL,
    title      TEXT NOT NULL,
    created_at TEXT NOT NULL,
    version    INTEGER NOT NULL
) STRICT;

-- Everything that happened in a game, in order. Never changed; positions and sheets are derived from it.
CREATE TABLE event (
    game_id TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    at      TEXT NOT NULL,
    actor   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    data    TEXT NOT NULL,
    PRIMARY KEY (game_id, version)
) STRICT, WITHOUT ROWID;

-- A device that joined. Only a hash of its token is kept, so that a stolen database opens no seat.
CREATE TABLE member (
    id         TEXT PRIMARY KEY,
    game_id    TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    host       INTEGER NOT NULL,
    seat       TEXT,
    waiting    INTEGER NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX member_game ON member (game_id);

CREATE TABLE photo (
    id         TEXT PRIMARY KEY,
    game_id    TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    member_id  TEXT NOT NULL,
    seat       TEXT NOT NULL,
    round      INTEGER NOT NULL,
    purpose    TEXT NOT NULL,
    state      TEXT NOT NULL,
    created_at TEXT NOT NULL,
    width      INTEGER,
    height     INTEGER,
    bytes      INTEGER,
    reading    TEXT,
    problem    TEXT
) STRICT;
CREATE INDEX photo_game ON photo (game_id);

-- What a player has entered and not yet accepted.
CREATE TABLE draft (
    game_id TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    round   INTEGER NOT NULL,
    seat    TEXT NOT NULL,
    version INTEGER NOT NULL,
    data    TEXT NOT NULL,
    PRIMARY KEY (game_id, round, seat)
) STRICT, WITHOUT ROWID;

-- Each change of what the reader saw: who, when, before, after.
CREATE TABLE edit (
    id       INTEGER PRIMARY KEY,
    game_id  TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    round    INTEGER NOT NULL,
    seat     TEXT NOT NULL,
    photo_id TEXT,
    at       TEXT NOT NULL,
    actor    TEXT NOT NULL,
    slot     TEXT NOT NULL,
    before   TEXT NOT NULL,
    after    TEXT NOT NULL
) STRICT;
CREATE INDEX edit_game ON edit (game_id, round, seat);
