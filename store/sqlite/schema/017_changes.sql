-- What was changed that can be undone counts among what was let through, as many
-- at once as there were items.
CREATE TABLE passes_counted (
    owner TEXT    NOT NULL,
    kind  TEXT    NOT NULL CHECK (kind IN ('send', 'destroy', 'change')),
    at    INTEGER NOT NULL,                        -- Unix milliseconds
    n     INTEGER NOT NULL DEFAULT 1 CHECK (n > 0) -- items
) STRICT;

INSERT INTO passes_counted (owner, kind, at) SELECT owner, kind, at FROM passes;
DROP TABLE passes;
ALTER TABLE passes_counted RENAME TO passes;

CREATE INDEX passes_at ON passes (owner, kind, at);
