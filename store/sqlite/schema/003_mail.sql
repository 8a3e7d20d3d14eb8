-- What lists of mail show, kept so that the second search costs little. It is a
-- copy: all of it can be fetched again. But for the labels none of it ever changes.
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

-- Up to where in a mailbox's history the labels above are known.
CREATE TABLE mail_state (
    owner   TEXT    NOT NULL,
    account TEXT    NOT NULL,
    history INTEGER NOT NULL,                      -- Gmail's historyId
    PRIMARY KEY (owner, account)
) STRICT, WITHOUT ROWID;
