-- What was let through that reaches people or cannot be undone, so that there
-- are never too many of them in a while, whoever asks and however often KOTA is
-- started. Kept for a day.
CREATE TABLE passes (
    owner TEXT    NOT NULL,
    kind  TEXT    NOT NULL CHECK (kind IN ('send', 'destroy')),
    at    INTEGER NOT NULL                         -- Unix milliseconds
) STRICT;

CREATE INDEX passes_at ON passes (owner, kind, at);
