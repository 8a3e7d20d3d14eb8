-- The state before each change outside of KOTA, so that the change can be undone.
CREATE TABLE undo (
    id      TEXT    NOT NULL PRIMARY KEY,          -- what the answer of the change calls undo_id
    owner   TEXT    NOT NULL,
    bundle  TEXT    NOT NULL,                      -- whose change it was: "gmail"
    account TEXT    NOT NULL,
    kind    TEXT    NOT NULL,                      -- of change; says how before is read and put back
    title   TEXT    NOT NULL,                      -- for people: "archive 12 messages"
    before  TEXT    NOT NULL,                      -- JSON, read by the bundle alone
    created INTEGER NOT NULL,                      -- Unix milliseconds
    claimed INTEGER,                               -- somebody began to put it back
    undone  INTEGER                                -- when it was put back
) STRICT;

CREATE INDEX undo_recent ON undo (owner, bundle, created);
