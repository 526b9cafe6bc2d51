-- The camera that is in use, so that it is taken up again after a restart: one row at most.
CREATE TABLE camera (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    game_id TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    choice  TEXT NOT NULL,
    at      TEXT NOT NULL
) STRICT;
