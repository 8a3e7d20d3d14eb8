-- Changes that can be undone are limited too. A row counts the items of one call in n.
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
