-- The diary: entries, tasks and documents. Dates are civil: "2026-11-20", chosen once and
-- never computed again. Other times are Unix milliseconds. Row numbers are never reused,
-- because the public ids are made of them.

-- The current state of each entry, one row each.
CREATE TABLE entries (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    owner      TEXT    NOT NULL,                   -- whose log it is
    date       TEXT    NOT NULL,                   -- the day it belongs to
    moment     INTEGER,                            -- when it happened; NULL where nobody said a time of the day
    zone       TEXT    NOT NULL,                   -- the IANA zone of whoever logged it, whose clock moment was read from
    type       TEXT    NOT NULL,                   -- "note", "food", ...
    section    TEXT    NOT NULL,                   -- of the day: "morning"; "" when it has none
    text       TEXT    NOT NULL,
    mood       INTEGER CHECK (mood BETWEEN 1 AND 5),
    energy     INTEGER CHECK (energy BETWEEN 1 AND 5),
    metrics    TEXT    NOT NULL,                   -- JSON object of numbers and booleans
    tags       TEXT    NOT NULL,                   -- JSON array of strings
    links      TEXT    NOT NULL,                   -- JSON array of strings: "event:abc"
    backfilled INTEGER NOT NULL CHECK (backfilled IN (0, 1)), -- 1: it was logged after its day had ended
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL,                   -- grows with every version, even when the clock is set back
    deleted    INTEGER,                            -- kept for undo, not seen
    version    INTEGER NOT NULL,                   -- counts the changes, from 1
    stale      INTEGER NOT NULL CHECK (stale IN (0, 1)) -- 1: the search index does not have this version yet
) STRICT;

-- Rows are added when they are indexed for search, so that a write need not wait for this
-- index. An entry without a time is last on its day: it sorts as the first millisecond
-- after the year 9999, the last year of stored times.
CREATE INDEX entries_day   ON entries (owner, date, ifnull(moment, 253402300800000)) WHERE deleted IS NULL AND stale = 0;
CREATE INDEX entries_stale ON entries (id) WHERE stale = 1;

-- One row per task, from its first day to its last. Whether a task is carried over or
-- overdue is computed when it is read.
CREATE TABLE tasks (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    owner    TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    state    TEXT    NOT NULL CHECK (state IN ('open', 'done', 'dropped')),
    made     TEXT    NOT NULL,                     -- the date it was first on the list
    due      TEXT    NOT NULL,                     -- the last date to do it; "" when there is none
    deferred TEXT    NOT NULL,                     -- the date until which it rests; "" when it does not
    ended    TEXT    NOT NULL,                     -- the date it was done or dropped; "" while it is open
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    deleted  INTEGER,
    version  INTEGER NOT NULL
) STRICT;

CREATE INDEX tasks_open  ON tasks (owner, made) WHERE ended = '' AND deleted IS NULL;
CREATE INDEX tasks_ended ON tasks (owner, ended) WHERE ended <> '' AND deleted IS NULL;

-- Plans, reviews and other texts that are written as a whole.
CREATE TABLE documents (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    owner   TEXT    NOT NULL,
    type    TEXT    NOT NULL,                      -- "week_review", "decision_record", ...
    period  TEXT    NOT NULL,                      -- "2026-11-20", "2026-W47", "2026-11"; "" when it is of none
    sole    INTEGER NOT NULL CHECK (sole IN (0, 1)), -- 1: the only one of its type and period
    title   TEXT    NOT NULL,
    body    TEXT    NOT NULL,                      -- Markdown
    fields  TEXT    NOT NULL,                      -- JSON object: the answers it was made of
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER,
    version INTEGER NOT NULL,
    stale   INTEGER NOT NULL CHECK (stale IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX documents_sole ON documents (owner, type, period) WHERE sole = 1 AND deleted IS NULL;
CREATE INDEX documents_type  ON documents (owner, type, period) WHERE deleted IS NULL;
CREATE INDEX documents_stale ON documents (id) WHERE stale = 1;

-- Each earlier state of an entry, a task or a document, complete.
CREATE TABLE diary_versions (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,   -- never reused: undo ids are made of it
    owner     TEXT    NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('entries', 'tasks', 'documents')),
    row       INTEGER NOT NULL,                    -- id in that table
    version   INTEGER NOT NULL,
    state     TEXT    NOT NULL,                    -- JSON
    ended     INTEGER NOT NULL,                    -- it was superseded then
    operation TEXT    NOT NULL,                    -- by this: edit, done, reopen, defer, drop, delete, restore, ...
    undo      INTEGER                              -- diary_versions.id of the first row of the same act; NULL: this is it
) STRICT;

CREATE INDEX diary_versions_row  ON diary_versions (kind, row, version);
CREATE INDEX diary_versions_undo ON diary_versions (undo) WHERE undo IS NOT NULL;

-- The rows that each call with an idempotency key created, so that a repeated call
-- creates none.
CREATE TABLE diary_calls (
    owner   TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    digest  TEXT    NOT NULL,                      -- of what was asked for, times aside
    made    TEXT    NOT NULL,                      -- JSON array of ids: ["e7k2m9"]
    created INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
