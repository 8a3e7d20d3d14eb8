-- Vectors for the search by meaning, if the user has configured it: 32-bit floating-point
-- numbers, little-endian, of length 1. They can be deleted and requested again.

-- Vectors of texts of the program, such as the descriptions of actions.
CREATE TABLE text_vectors (
    hash   TEXT NOT NULL PRIMARY KEY,              -- SHA-256 of the text, in hex
    model  TEXT NOT NULL,                          -- that made the vector
    vector BLOB NOT NULL
) STRICT;

-- Vectors of memories in their current version: a change, a deletion or an erasure
-- removes the vector.
CREATE TABLE memory_vectors (
    memory INTEGER PRIMARY KEY,                    -- memories.id
    model  TEXT NOT NULL,
    vector BLOB NOT NULL
) STRICT;
