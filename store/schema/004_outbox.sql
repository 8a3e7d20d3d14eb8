-- Every mail that was asked to be sent, before it was: a row is written ahead
-- of the request to Gmail, and its outcome after it. Times are Unix milliseconds.
CREATE TABLE outbox (
    id       TEXT    NOT NULL PRIMARY KEY,         -- in the mail itself, as its header X-Kota-Outbox
    owner    TEXT    NOT NULL,
    account  TEXT    NOT NULL,
    key      TEXT    NOT NULL,                     -- idempotency key, the caller's or made of the content
    digest   TEXT    NOT NULL,                     -- of what was asked, so that a key names one mail only
    kind     TEXT    NOT NULL,                     -- send, reply, forward, draft
    summary  TEXT    NOT NULL,                     -- JSON: recipients and subject, for people
    raw      BLOB,                                 -- the mail, until it is sent or dropped
    thread   TEXT    NOT NULL,                     -- Gmail's thread to send it in; "" for a new one
    draft    TEXT    NOT NULL,                     -- Gmail's draft that is sent; "" before there is one
    message  TEXT    NOT NULL,                     -- Gmail's id of the sent message; "" while there is none
    status   TEXT    NOT NULL CHECK (status IN ('pending', 'sending', 'sent', 'unknown', 'failed', 'dropped')),
    error    TEXT    NOT NULL,                     -- why it failed or is unknown; ""
    tries    INTEGER NOT NULL,
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    lease    INTEGER NOT NULL                      -- the process that is sending it has it until then
) STRICT;

CREATE UNIQUE INDEX outbox_key ON outbox (owner, account, key) WHERE status <> 'dropped';
CREATE INDEX outbox_status ON outbox (owner, status, updated);
