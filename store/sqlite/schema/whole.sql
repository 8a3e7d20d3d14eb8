-- The result of all migration steps, for a new file. It is generated:
-- go test ./store/sqlite -run WholeSchema -update
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,                        -- "kota": the version of KOTA that last changed these tables;
                                                   -- "erased", "rewritten": text of erased rows is still to leave the file
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE memories (
    id         INTEGER PRIMARY KEY,
    owner      TEXT    NOT NULL,                   -- whose memory it is
    key        TEXT    NOT NULL,                   -- as given, trimmed, NFC
    norm       TEXT    NOT NULL,                   -- the key's words, folded, joined by one space: "user name"
    value      TEXT    NOT NULL,                   -- JSON, compact, otherwise as given
    category   TEXT    NOT NULL,                   -- "" when it has none
    tags       TEXT    NOT NULL,                   -- JSON array of strings
    source     TEXT    NOT NULL,                   -- where the value comes from; "" when unknown
    importance INTEGER NOT NULL CHECK (importance BETWEEN 0 AND 3),
    pinned     INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL,                   -- grows with every version, even when the clock is set back
    expires    INTEGER,                            -- not seen from then on
    deleted    INTEGER,                            -- soft delete: kept for restore, not seen
    version    INTEGER NOT NULL,                   -- counts the changes, from 1
    uses       INTEGER NOT NULL DEFAULT 0,         -- how often it was recalled
    last_used  INTEGER,
    stale      INTEGER NOT NULL CHECK (stale IN (0, 1)) -- 1: the search index does not have this version yet
, sealed BLOB) STRICT;
CREATE UNIQUE INDEX memories_key ON memories (owner, norm, key) WHERE deleted IS NULL;
CREATE INDEX memories_dead   ON memories (owner, norm, key) WHERE deleted IS NOT NULL;
CREATE INDEX memories_recent ON memories (owner, updated) WHERE deleted IS NULL AND stale = 0;
CREATE INDEX memories_pinned ON memories (owner, norm, key) WHERE pinned = 1 AND deleted IS NULL;
CREATE INDEX memories_ending ON memories (owner, expires) WHERE expires IS NOT NULL AND deleted IS NULL;
CREATE INDEX memories_stale ON memories (id) WHERE stale = 1;
CREATE TABLE versions (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused: undo ids are made of it
    memory     INTEGER NOT NULL,                   -- memories.id
    owner      TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    norm       TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    category   TEXT    NOT NULL,
    tags       TEXT    NOT NULL,
    source     TEXT    NOT NULL,
    importance INTEGER NOT NULL,
    pinned     INTEGER NOT NULL,
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL,                   -- this state began then
    expires    INTEGER,
    deleted    INTEGER,
    version    INTEGER NOT NULL,
    ended      INTEGER NOT NULL,                   -- and was superseded then
    operation  TEXT    NOT NULL,                   -- by this: set, update, rename, delete, restore
    undo       INTEGER                             -- versions.id of the first row of the same act; NULL: this is it
, sealed BLOB, undone INTEGER) STRICT;
CREATE INDEX versions_memory ON versions (memory, version);
CREATE INDEX versions_key    ON versions (owner, norm, updated);
CREATE INDEX versions_ended  ON versions (owner, ended);
CREATE INDEX versions_undo   ON versions (undo) WHERE undo IS NOT NULL;
CREATE TABLE memories_docs (
    id       INTEGER PRIMARY KEY,                  -- memories.id
    owner    TEXT NOT NULL,                        -- as in memories
    key      TEXT NOT NULL,                        -- "home address homeaddress"
    labels   TEXT NOT NULL,                        -- of category and tags
    body     TEXT NOT NULL,                        -- of the value
    initials TEXT NOT NULL                         -- of the key: "ha"
) STRICT;
CREATE TABLE memories_terms (
    id   INTEGER PRIMARY KEY,
    term TEXT    NOT NULL UNIQUE,
    back TEXT    NOT NULL,                         -- the term read backwards
    size INTEGER NOT NULL,                         -- in runes
    stem TEXT    NOT NULL,                         -- "run" of "running"
    docs INTEGER NOT NULL                          -- in how many documents
) STRICT;
CREATE INDEX memories_terms_stem  ON memories_terms (stem);
CREATE INDEX memories_terms_start ON memories_terms (size, term);
CREATE INDEX memories_terms_end   ON memories_terms (size, back);
CREATE VIRTUAL TABLE memories_words USING fts5 (
    key, labels, body, initials,
    content = 'memories_docs', content_rowid = 'id', columnsize = 0, detail = 'column',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
CREATE VIRTUAL TABLE memories_grams USING fts5 (
    term,
    content = 'memories_terms', content_rowid = 'id', columnsize = 0, detail = 'none',
    tokenize = 'trigram case_sensitive 1'
);
CREATE TABLE mail (
    owner    TEXT    NOT NULL,
    account  TEXT    NOT NULL,                     -- the address of the mailbox
    id       TEXT    NOT NULL,                     -- Gmail's message id
    thread   TEXT    NOT NULL,
    date     INTEGER NOT NULL,                     -- internalDate, Unix milliseconds
    size     INTEGER NOT NULL,                     -- sizeEstimate
    snippet  TEXT    NOT NULL,
    headers  TEXT    NOT NULL,                     -- JSON array of [name, value]
    labels   TEXT    NOT NULL,                     -- JSON array of label ids: replaying all history after mail_state.history makes them true
    kept     INTEGER NOT NULL,                     -- Unix milliseconds; who was kept first goes first
    PRIMARY KEY (owner, account, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_kept ON mail (owner, account, kept);
CREATE TABLE mail_state (
    owner   TEXT    NOT NULL,
    account TEXT    NOT NULL,
    history INTEGER NOT NULL,                      -- Gmail's historyId
    PRIMARY KEY (owner, account)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE undo (
    id      TEXT    NOT NULL PRIMARY KEY,          -- what the answer of the change calls undo_id
    owner   TEXT    NOT NULL,
    bundle  TEXT    NOT NULL,                      -- whose change it was: "gmail"
    account TEXT    NOT NULL,
    kind    TEXT    NOT NULL,                      -- of change; says how before is read and put back
    title   TEXT    NOT NULL,                      -- for people: "archive 12 messages"
    before  TEXT    NOT NULL,                      -- JSON, read by the bundle alone
    created INTEGER NOT NULL,                      -- Unix milliseconds
    claimed INTEGER,                               -- somebody began to put it back
    undone  INTEGER                                -- when it was put back
, claimer TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX undo_recent ON undo (owner, bundle, created);
CREATE TABLE stages (
    handle   TEXT    NOT NULL PRIMARY KEY,         -- what the client shows to go on: "s_" and 10 letters and digits
    owner    TEXT    NOT NULL,
    flow     TEXT    NOT NULL,                     -- which one: "daily_review"
    stage    TEXT    NOT NULL,                     -- where in it
    state    TEXT    NOT NULL,                     -- JSON, read by the flow alone
    version  INTEGER NOT NULL,                     -- counts the saves, from 1: of two at once one is refused
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    expires  INTEGER NOT NULL,                     -- not seen from then on, and removed when another is opened
    finished INTEGER                               -- when it came to its end; kept until it expires for a client that asks again
) STRICT, WITHOUT ROWID;
CREATE INDEX stages_pending ON stages (owner, flow, updated) WHERE finished IS NULL;
CREATE INDEX stages_expires ON stages (expires);
CREATE TABLE entries (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    owner      TEXT    NOT NULL,                   -- whose log it is
    date       TEXT    NOT NULL,                   -- the day it belongs to
    moment     INTEGER,                            -- when it happened; NULL where nobody said a time of the day
    zone       TEXT    NOT NULL,                   -- the IANA zone of whoever logged it, whose clock moment was read from
    type       TEXT    NOT NULL,                   -- "note", "food", ...
    section    TEXT    NOT NULL,                   -- of the day: "morning"; "" when it has none
    text       TEXT    NOT NULL,
    mood       INTEGER CHECK (mood BETWEEN 1 AND 5),
    energy     INTEGER CHECK (energy BETWEEN 1 AND 5),
    metrics    TEXT    NOT NULL,                   -- JSON object of numbers and booleans
    tags       TEXT    NOT NULL,                   -- JSON array of strings
    links      TEXT    NOT NULL,                   -- JSON array of strings: "event:abc"
    backfilled INTEGER NOT NULL CHECK (backfilled IN (0, 1)), -- 1: it was logged after its day had ended
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL,                   -- grows with every version, even when the clock is set back
    deleted    INTEGER,                            -- kept for undo, not seen
    version    INTEGER NOT NULL,                   -- counts the changes, from 1
    stale      INTEGER NOT NULL CHECK (stale IN (0, 1)) -- 1: the search index does not have this version yet
, source TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX entries_day   ON entries (owner, date, ifnull(moment, 253402300800000)) WHERE deleted IS NULL AND stale = 0;
CREATE INDEX entries_stale ON entries (id) WHERE stale = 1;
CREATE TABLE tasks (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    owner    TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    state    TEXT    NOT NULL CHECK (state IN ('open', 'done', 'dropped')),
    made     TEXT    NOT NULL,                     -- the date it was first on the list
    due      TEXT    NOT NULL,                     -- the last date to do it; "" when there is none
    deferred TEXT    NOT NULL,                     -- the date until which it rests; "" when it does not
    ended    TEXT    NOT NULL,                     -- the date it was done or dropped; "" while it is open
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    deleted  INTEGER,
    version  INTEGER NOT NULL
, source TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX tasks_open  ON tasks (owner, made) WHERE ended = '' AND deleted IS NULL;
CREATE INDEX tasks_ended ON tasks (owner, ended) WHERE ended <> '' AND deleted IS NULL;
CREATE TABLE documents (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    owner   TEXT    NOT NULL,
    type    TEXT    NOT NULL,                      -- "week_review", "decision_record", ...
    period  TEXT    NOT NULL,                      -- "2026-11-20", "2026-W47", "2026-11"; "" when it is of none
    sole    INTEGER NOT NULL CHECK (sole IN (0, 1)), -- 1: the only one of its type and period
    title   TEXT    NOT NULL,
    body    TEXT    NOT NULL,                      -- Markdown
    fields  TEXT    NOT NULL,                      -- JSON object: the answers it was made of
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER,
    version INTEGER NOT NULL,
    stale   INTEGER NOT NULL CHECK (stale IN (0, 1))
, source TEXT NOT NULL DEFAULT '') STRICT;
CREATE UNIQUE INDEX documents_sole ON documents (owner, type, period) WHERE sole = 1 AND deleted IS NULL;
CREATE INDEX documents_type  ON documents (owner, type, period) WHERE deleted IS NULL;
CREATE INDEX documents_stale ON documents (id) WHERE stale = 1;
CREATE TABLE diary_versions (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,   -- never reused: undo ids are made of it
    owner     TEXT    NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('entries', 'tasks', 'documents')),
    row       INTEGER NOT NULL,                    -- id in that table
    version   INTEGER NOT NULL,
    state     TEXT    NOT NULL,                    -- JSON
    ended     INTEGER NOT NULL,                    -- it was superseded then
    operation TEXT    NOT NULL,                    -- by this: edit, done, reopen, defer, drop, delete, restore, ...
    undo      INTEGER                              -- diary_versions.id of the first row of the same act; NULL: this is it
, undone INTEGER) STRICT;
CREATE INDEX diary_versions_row  ON diary_versions (kind, row, version);
CREATE INDEX diary_versions_undo ON diary_versions (undo) WHERE undo IS NOT NULL;
CREATE TABLE diary_calls (
    owner   TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    digest  TEXT    NOT NULL,                      -- of what was asked for, times aside
    made    TEXT    NOT NULL,                      -- JSON array of ids: ["e7k2m9"]
    created INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE entries_docs (
    id       INTEGER PRIMARY KEY,                  -- entries.id
    owner    TEXT NOT NULL,
    key      TEXT NOT NULL,                        -- empty: an entry has no name
    labels   TEXT NOT NULL,                        -- of type, section and tags
    body     TEXT NOT NULL,                        -- of the text and the names of the metrics
    initials TEXT NOT NULL                         -- of the key
) STRICT;
CREATE TABLE entries_terms (
    id   INTEGER PRIMARY KEY,
    term TEXT    NOT NULL UNIQUE,
    back TEXT    NOT NULL,
    size INTEGER NOT NULL,
    stem TEXT    NOT NULL,
    docs INTEGER NOT NULL
) STRICT;
CREATE INDEX entries_terms_stem  ON entries_terms (stem);
CREATE INDEX entries_terms_start ON entries_terms (size, term);
CREATE INDEX entries_terms_end   ON entries_terms (size, back);
CREATE VIRTUAL TABLE entries_words USING fts5 (
    key, labels, body, initials,
    content = 'entries_docs', content_rowid = 'id', columnsize = 0, detail = 'column',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
CREATE VIRTUAL TABLE entries_grams USING fts5 (
    term,
    content = 'entries_terms', content_rowid = 'id', columnsize = 0, detail = 'none',
    tokenize = 'trigram case_sensitive 1'
);
CREATE TABLE documents_docs (
    id       INTEGER PRIMARY KEY,                  -- documents.id
    owner    TEXT NOT NULL,
    key      TEXT NOT NULL,                        -- of the title
    labels   TEXT NOT NULL,                        -- of type and period
    body     TEXT NOT NULL,                        -- of the body and the fields
    initials TEXT NOT NULL                         -- of the key
) STRICT;
CREATE TABLE documents_terms (
    id   INTEGER PRIMARY KEY,
    term TEXT    NOT NULL UNIQUE,
    back TEXT    NOT NULL,
    size INTEGER NOT NULL,
    stem TEXT    NOT NULL,
    docs INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_terms_stem  ON documents_terms (stem);
CREATE INDEX documents_terms_start ON documents_terms (size, term);
CREATE INDEX documents_terms_end   ON documents_terms (size, back);
CREATE VIRTUAL TABLE documents_words USING fts5 (
    key, labels, body, initials,
    content = 'documents_docs', content_rowid = 'id', columnsize = 0, detail = 'column',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
CREATE VIRTUAL TABLE documents_grams USING fts5 (
    term,
    content = 'documents_terms', content_rowid = 'id', columnsize = 0, detail = 'none',
    tokenize = 'trigram case_sensitive 1'
);
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
CREATE TABLE usage_pairs (
    owner TEXT    NOT NULL,
    tool  TEXT    NOT NULL,
    other TEXT    NOT NULL CHECK (other > tool),
    count INTEGER NOT NULL,
    day   TEXT    NOT NULL,                        -- when it last was
    PRIMARY KEY (owner, tool, other)
) STRICT, WITHOUT ROWID;
CREATE TABLE text_vectors (
    hash   TEXT NOT NULL PRIMARY KEY,              -- SHA-256 of the text, in hex
    model  TEXT NOT NULL,                          -- that made the vector
    vector BLOB NOT NULL
) STRICT;
CREATE TABLE memory_vectors (
    memory INTEGER PRIMARY KEY,                    -- memories.id
    model  TEXT NOT NULL,
    vector BLOB NOT NULL
) STRICT;
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
    reported    INTEGER NOT NULL CHECK (reported IN (0, 1)), -- whether the outcome was handed to whoever repeated the call
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    expires INTEGER NOT NULL                       -- not seen from then on, and removed when another is kept
, session TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;
CREATE INDEX approvals_call ON approvals (owner, call);
CREATE INDEX approvals_expires ON approvals (expires);
CREATE TABLE consents (
    nonce   TEXT    NOT NULL PRIMARY KEY,
    expires INTEGER NOT NULL                       -- of the consent: after that nobody asks for it
) STRICT, WITHOUT ROWID;
CREATE INDEX consents_expires ON consents (expires);
CREATE TABLE audit (
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
CREATE TRIGGER audit_keeps BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'rows of the audit log are never changed');
END;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'rows of the audit log are never removed');
END;
CREATE TABLE foreign_names (
    owner   TEXT NOT NULL,
    account TEXT NOT NULL,                         -- the key of the account they were given in
    kind    TEXT NOT NULL,                         -- of what they are the name: "label"
    name    TEXT NOT NULL,
    PRIMARY KEY (owner, account, kind, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE "passes" (
    owner TEXT    NOT NULL,
    kind  TEXT    NOT NULL,                        -- "send", or "answer" and of what
    at    INTEGER NOT NULL,                        -- Unix milliseconds
    n     INTEGER NOT NULL DEFAULT 1 CHECK (n > 0) -- items
) STRICT;
CREATE INDEX passes_at ON passes (owner, kind, at);
CREATE TABLE contacts (
    owner    TEXT    NOT NULL,
    account  TEXT    NOT NULL,                     -- the address of the account
    source   TEXT    NOT NULL,                     -- contacts, other or directory
    id       TEXT    NOT NULL,                     -- Google's resource name
    card     TEXT    NOT NULL,                     -- JSON
    PRIMARY KEY (owner, account, source, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE contacts_state (
    owner    TEXT    NOT NULL,
    account  TEXT    NOT NULL,
    source   TEXT    NOT NULL,
    token    TEXT    NOT NULL,                     -- Google's sync token
    version  INTEGER NOT NULL,                     -- grows with each change of the copy
    synced   INTEGER NOT NULL,                     -- Unix milliseconds
    PRIMARY KEY (owner, account, source)
) STRICT, WITHOUT ROWID;
INSERT INTO memories_words (memories_words, rank) VALUES ('secure-delete', 1);
INSERT INTO memories_grams (memories_grams, rank) VALUES ('secure-delete', 1);
INSERT INTO entries_words (entries_words, rank) VALUES ('secure-delete', 1);
INSERT INTO entries_grams (entries_grams, rank) VALUES ('secure-delete', 1);
INSERT INTO documents_words (documents_words, rank) VALUES ('secure-delete', 1);
INSERT INTO documents_grams (documents_grams, rank) VALUES ('secure-delete', 1);
