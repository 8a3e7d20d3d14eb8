-- Names that labels, filters and calendars got in a tainted conversation, and which may
-- therefore be untrusted text. Google's resources have no field for such a mark.
CREATE TABLE foreign_names (
    owner   TEXT NOT NULL,
    account TEXT NOT NULL,                         -- the key of the account they were given in
    kind    TEXT NOT NULL,                         -- of what they are the name: "label"
    name    TEXT NOT NULL,
    PRIMARY KEY (owner, account, kind, name)
) STRICT, WITHOUT ROWID;
