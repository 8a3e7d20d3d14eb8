-- What lists of mail show, kept so that the second search costs little. It is a
-- copy: all of it can be fetched again.
CREATE TABLE mail (
    owner    TEXT    NOT NULL,
    account  TEXT    NOT NULL,                     -- the address of the mailbox
    id       TEXT    NOT NULL,                     -- Gmail's message id
    thread   TEXT    NOT NULL,
    date     INTEGER NOT NULL,                     -- internalDate, Unix milliseconds
    size     INTEGER NOT NULL,                     -- sizeEstimate
    snippet  TEXT    NOT NULL,
    headers  TEXT    NOT NULL,                     -- JSON array of [name, value]
    labels   TEXT    NOT NULL,                     -- JSON array of label ids, as of mail_state.history
    history  INTEGER NOT NULL,                     -- the message's historyId when it was read
    PRIMARY KEY (owner, account, id)
) STRICT, WITHOUT ROWID;

-- Up to where in a mailbox's history the labels above are known.
CREATE TABLE mail_state (
    owner   TEXT    NOT NULL,
    account TEXT    NOT NULL,
    history INTEGER NOT NULL,                      -- Gmail's historyId
    checked INTEGER NOT NULL,                      -- Unix milliseconds
    PRIMARY KEY (owner, account)
) STRICT, WITHOUT ROWID;
