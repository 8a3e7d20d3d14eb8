-- A cache of what lists show of messages, so that a repeated search makes few requests.
-- All of it can be read from the mailbox again. Only the labels of a message ever change.
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

-- The position in a mailbox's history up to which the labels above are known.
CREATE TABLE mail_state (
    owner   TEXT    NOT NULL,
    account TEXT    NOT NULL,
    history INTEGER NOT NULL,                      -- Gmail's historyId
    PRIMARY KEY (owner, account)
) STRICT, WITHOUT ROWID;
