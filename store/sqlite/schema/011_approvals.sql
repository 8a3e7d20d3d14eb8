-- Calls that wait for their user's approval, and the outcomes of earlier ones. Times are
-- Unix milliseconds.
CREATE TABLE approvals (
    id      TEXT    NOT NULL PRIMARY KEY,          -- what the user names: "a_" and 10 letters and digits
    owner   TEXT    NOT NULL,
    call    TEXT    NOT NULL,                      -- SHA-256 of the tool and its arguments, in hex: repeated calls have the same
    digest  TEXT    NOT NULL,                      -- the same with all that would be done: what the user agrees to
    tool    TEXT    NOT NULL,
    effect  TEXT    NOT NULL,
    args    TEXT    NOT NULL,                      -- JSON; "" once it is settled
    shown   TEXT    NOT NULL,                      -- JSON, for the user; "" once it is settled
    because TEXT    NOT NULL,                      -- why the user is asked
    status  TEXT    NOT NULL CHECK (status IN ('waiting', 'running', 'done', 'failed', 'rejected', 'changed')),
    outcome TEXT    NOT NULL,                      -- JSON: what was answered; of a changed one the id in its place; else ""
    told    INTEGER NOT NULL CHECK (told IN (0, 1)), -- whether the outcome was handed to whoever repeated the call
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    expires INTEGER NOT NULL                       -- not seen from then on, and removed when another is kept
) STRICT, WITHOUT ROWID;

CREATE INDEX approvals_call ON approvals (owner, call);
CREATE INDEX approvals_expires ON approvals (expires);

-- Nonces of consents that were given in a conversation and used: each can be used once.
CREATE TABLE consents (
    nonce   TEXT    NOT NULL PRIMARY KEY,
    expires INTEGER NOT NULL                       -- of the consent: after that nobody asks for it
) STRICT, WITHOUT ROWID;

CREATE INDEX consents_expires ON consents (expires);
