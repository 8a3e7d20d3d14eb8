-- Names that were given to labels, filters and calendars after text of strangers
-- had come into the conversation, and so may be their words. Those things have no
-- place for such a note themselves.
CREATE TABLE foreign_names (
    owner   TEXT NOT NULL,
    account TEXT NOT NULL,                         -- the key of the account they were given in
    kind    TEXT NOT NULL,                         -- of what they are the name: "label"
    name    TEXT NOT NULL,
    PRIMARY KEY (owner, account, kind, name)
) STRICT, WITHOUT ROWID;
