-- Each mail and invitation to be sent. The row is written before the request to Google,
-- and its outcome afterwards. Times are Unix milliseconds.
CREATE TABLE outbox (
    id       TEXT    NOT NULL PRIMARY KEY,         -- in the mail itself, as its header X-Kota-Outbox
    owner    TEXT    NOT NULL,
    bundle   TEXT    NOT NULL,                     -- that sends it: gmail for mail
    account  TEXT    NOT NULL,                     -- the address whose account it leaves from, as known when it was asked for
    key      TEXT    NOT NULL,                     -- the caller's idempotency key; "" where the digest stands for one
    digest   TEXT    NOT NULL,                     -- of what was asked, so that a key names one letter only
    gist     TEXT    NOT NULL,                     -- the digest without what has come meanwhile, by which one that is not settled is found
    kind     TEXT    NOT NULL,                     -- of mail send, reply, forward, draft: for people
    summary  TEXT    NOT NULL,                     -- JSON: recipients and subject, for people
    raw      BLOB,                                 -- the letter itself, until it is sent or dropped; NULL for a draft of the user's
    thread   TEXT    NOT NULL,                     -- Gmail's thread to send it in; "" for a new one
    save     INTEGER NOT NULL CHECK (save IN (0, 1)), -- 1: it is to be a draft, and not sent
    draft    TEXT    NOT NULL,                     -- Gmail's draft that is sent; "" before there is one
    own      INTEGER NOT NULL CHECK (own IN (0, 1)), -- 1: the draft is made for this mail, and goes with it
    placed   TEXT    NOT NULL,                     -- the thread that the draft, then the message, is in; "" while unknown
    message  TEXT    NOT NULL,                     -- Gmail's id of the sent message; "" while there is none
    status   TEXT    NOT NULL CHECK (status IN ('pending', 'sending', 'sent', 'saved', 'unknown', 'failed', 'dropped')),
    error    TEXT    NOT NULL,                     -- why it failed or is unknown; ""
    tries    INTEGER NOT NULL,                     -- requests to send it that may have been carried out
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    holder   TEXT    NOT NULL,                     -- who works on it, and
    lease    INTEGER NOT NULL                      -- until when nobody else may, by the system's clock
) STRICT;

CREATE UNIQUE INDEX outbox_key ON outbox (owner, bundle, account, key) WHERE key <> '' AND status <> 'dropped';
CREATE INDEX outbox_digest  ON outbox (owner, bundle, account, digest) WHERE status <> 'dropped';
CREATE INDEX outbox_gist    ON outbox (owner, bundle, account, gist) WHERE status IN ('pending', 'sending', 'unknown');
CREATE INDEX outbox_updated ON outbox (owner, bundle, updated);
