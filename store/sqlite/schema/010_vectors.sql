-- Vectors for the search by meaning, where the user has set that up: numbers of
-- 32 bits, little-endian, of length 1. They can be thrown away and made again.

-- Of texts that the program itself has, such as the descriptions of actions.
CREATE TABLE text_vectors (
    hash   TEXT NOT NULL PRIMARY KEY,              -- SHA-256 of the text, in hex
    model  TEXT NOT NULL,                          -- that made the vector
    vector BLOB NOT NULL
) STRICT;

-- Of memories as they stand now: a change, a deletion or an erasure takes the
-- vector away.
CREATE TABLE memory_vectors (
    memory INTEGER PRIMARY KEY,                    -- memories.id
    model  TEXT NOT NULL,
    vector BLOB NOT NULL
) STRICT;
