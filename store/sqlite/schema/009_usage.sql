-- How often each tool was called, by day. Only counts are stored, never arguments or
-- results.
CREATE TABLE usage (
    owner      TEXT    NOT NULL,
    day        TEXT    NOT NULL,                   -- where the user is: "2026-11-20"
    tool       TEXT    NOT NULL,                   -- "memory_set"; "" for all names that no tool has
    door       TEXT    NOT NULL CHECK (door IN ('discover', 'describe', 'direct', 'entry_point', 'read', 'cli')),
    code       TEXT    NOT NULL,                   -- of the error that was answered; "" when it succeeded
    count      INTEGER NOT NULL,
    tokens_in  INTEGER NOT NULL,                   -- of the arguments, estimated
    tokens_out INTEGER NOT NULL,                   -- of the answers, estimated
    PRIMARY KEY (owner, day, tool, door, code)
) STRICT, WITHOUT ROWID;

-- How often two tools were called shortly after one another, in either order.
CREATE TABLE usage_pairs (
    owner TEXT    NOT NULL,
    tool  TEXT    NOT NULL,
    other TEXT    NOT NULL CHECK (other > tool),
    count INTEGER NOT NULL,
    day   TEXT    NOT NULL,                        -- when it last was
    PRIMARY KEY (owner, tool, other)
) STRICT, WITHOUT ROWID;
