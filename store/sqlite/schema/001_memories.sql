-- Properties of the file itself.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,                        -- "kota": the version of KOTA that last changed these tables;
                                                   -- "erased", "rewritten": text of erased rows is still to leave the file
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The current state of each memory, one row each. Times are Unix milliseconds.
CREATE TABLE memories (
    id         INTEGER PRIMARY KEY,
    owner      TEXT    NOT NULL,                   -- whose memory it is
    key        TEXT    NOT NULL,                   -- as given, trimmed, NFC
    norm       TEXT    NOT NULL,                   -- the key's words, folded, joined by one space: "user name"
    value      TEXT    NOT NULL,                   -- JSON, compact, otherwise as given
    category   TEXT    NOT NULL,                   -- "" when it has none
    tags       TEXT    NOT NULL,                   -- JSON array of strings
    source     TEXT    NOT NULL,                   -- where the value comes from; "" when unknown
    importance INTEGER NOT NULL CHECK (importance BETWEEN 0 AND 3),
    pinned     INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL,                   -- grows with every version, even when the clock is set back
    expires    INTEGER,                            -- not seen from then on
    deleted    INTEGER,                            -- soft delete: kept for restore, not seen
    version    INTEGER NOT NULL,                   -- counts the changes, from 1
    uses       INTEGER NOT NULL DEFAULT 0,         -- how often it was recalled
    last_used  INTEGER,
    stale      INTEGER NOT NULL CHECK (stale IN (0, 1)) -- 1: the search index does not have this version yet
) STRICT;

-- norm comes before key, so that one index finds a key in its exact spelling and in other
-- spellings. Each further index would cost one more page per write.
CREATE UNIQUE INDEX memories_key ON memories (owner, norm, key) WHERE deleted IS NULL;
CREATE INDEX memories_dead   ON memories (owner, norm, key) WHERE deleted IS NOT NULL;
-- Rows are added when they are indexed for search, so that a write need not wait for this
-- index.
CREATE INDEX memories_recent ON memories (owner, updated) WHERE deleted IS NULL AND stale = 0;
CREATE INDEX memories_pinned ON memories (owner, norm, key) WHERE pinned = 1 AND deleted IS NULL;
CREATE INDEX memories_ending ON memories (owner, expires) WHERE expires IS NOT NULL AND deleted IS NULL;
CREATE INDEX memories_stale ON memories (id) WHERE stale = 1;

-- Each earlier state of a memory, complete.
CREATE TABLE versions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused: undo ids are made of it
    memory     INTEGER NOT NULL,                   -- memories.id
    owner      TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    norm       TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    category   TEXT    NOT NULL,
    tags       TEXT    NOT NULL,
    source     TEXT    NOT NULL,
    importance INTEGER NOT NULL,
    pinned     INTEGER NOT NULL,
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL,                   -- this state began then
    expires    INTEGER,
    deleted    INTEGER,
    version    INTEGER NOT NULL,
    ended      INTEGER NOT NULL,                   -- and was superseded then
    operation  TEXT    NOT NULL,                   -- by this: set, update, rename, delete, restore
    undo       INTEGER                             -- versions.id of the first row of the same act; NULL: this is it
) STRICT;

CREATE INDEX versions_memory ON versions (memory, version);
CREATE INDEX versions_key    ON versions (owner, norm, updated);
CREATE INDEX versions_ended  ON versions (owner, ended);
CREATE INDEX versions_undo   ON versions (undo) WHERE undo IS NOT NULL;
