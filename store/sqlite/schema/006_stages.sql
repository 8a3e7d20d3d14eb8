-- Unfinished flows of several steps: the answers of a client so far, so that any client
-- can continue after a restart. Times are Unix milliseconds.
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
