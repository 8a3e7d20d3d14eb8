-- Allowed calls that reach people or cannot be undone, so that their number can be
-- limited across processes and restarts. They are kept for a day.
CREATE TABLE passes (
    owner TEXT    NOT NULL,
    kind  TEXT    NOT NULL CHECK (kind IN ('send', 'destroy')),
    at    INTEGER NOT NULL                         -- Unix milliseconds
) STRICT;

CREATE INDEX passes_at ON passes (owner, kind, at);
