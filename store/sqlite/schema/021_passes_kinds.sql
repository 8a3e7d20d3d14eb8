-- Limits have more kinds than the first three: changes of the answer to an invitation are
-- counted per event.
CREATE TABLE passes_kinds (
    owner TEXT    NOT NULL,
    kind  TEXT    NOT NULL,                        -- "send", or "answer" and of what
    at    INTEGER NOT NULL,                        -- Unix milliseconds
    n     INTEGER NOT NULL DEFAULT 1 CHECK (n > 0) -- items
) STRICT;

INSERT INTO passes_kinds (owner, kind, at, n) SELECT owner, kind, at, n FROM passes;
DROP TABLE passes;
ALTER TABLE passes_kinds RENAME TO passes;

CREATE INDEX passes_at ON passes (owner, kind, at);
