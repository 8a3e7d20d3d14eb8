-- The audit log: an intent before each change, and an outcome after the call. The intent is in
-- the transaction of the change, or written before the request to Google or to a mailing list.
-- Rows are only added. Each has the hash of the previous one, which reveals later changes:
--
--   hash = SHA-256(prev || n(owner) || n(at) || n(call) || n(phase) || n(tool)
--                       || n(effect) || n(door) || n(args) || n(approval) || n(code))
--
-- n(x) is the length of x in bytes, in decimal, a colon, and x; || joins. The number of the row
-- is not part of the hash, because prev determines its position.
CREATE TABLE IF NOT EXISTS audit (
    seq      INTEGER PRIMARY KEY,                  -- 1, 2, 3, ... without gaps, for all owners together
    owner    TEXT    NOT NULL,
    at       INTEGER NOT NULL,                     -- Unix milliseconds
    call     TEXT    NOT NULL,                     -- the same in the rows of one call
    phase    TEXT    NOT NULL CHECK (phase IN ('intent', 'outcome', 'refused')),
    tool     TEXT    NOT NULL,                     -- "memory_set"
    effect   TEXT    NOT NULL CHECK (effect IN ('writes', 'destroys', 'sends')),
    door     TEXT    NOT NULL,                     -- direct, entry_point, cli; "" for none of them
    args     TEXT    NOT NULL,                     -- JSON, with content replaced by its length; "" of an outcome
    approval TEXT    NOT NULL,                     -- how the user agreed: terminal, client, approve and an id; "" where nobody was asked
    code     TEXT    NOT NULL,                     -- OK, or of the error that was answered; "" of an intent
    prev     BLOB    NOT NULL CHECK (length(prev) = 32), -- the hash of the row before; zeros in the first
    hash     BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TRIGGER IF NOT EXISTS audit_keeps BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'rows of the audit log are never changed');
END;
CREATE TRIGGER IF NOT EXISTS audit_stays BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'rows of the audit log are never removed');
END;
