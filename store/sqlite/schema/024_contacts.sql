-- Copies of address books, so that a search makes no request. All of it can be read from Google again.
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
