-- The search index over memories. It is made of their text alone and can be
-- thrown away and built again. The FTS tables hold no text of their own: what
-- is in them is in memories_docs and memories_terms, so that taking a row out
-- always names exactly what was put in. A search takes ids from it and keeps
-- those of its owner. The terms are of all owners together: they say how rare a
-- word is, and which there are to be misspelt.

-- One row per indexed memory: its terms, each once in a column, parted by spaces.
CREATE TABLE memories_docs (
    id       INTEGER PRIMARY KEY,                  -- memories.id
    owner    TEXT NOT NULL,                        -- as in memories
    key      TEXT NOT NULL,                        -- "home address homeaddress"
    labels   TEXT NOT NULL,                        -- of category and tags
    body     TEXT NOT NULL,                        -- of the value
    initials TEXT NOT NULL                         -- of the key: "ha"
) STRICT;

-- Every term that occurs, once. The row of the empty term counts the documents.
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

-- The terms are made in Go, which knows words that the tokenizer does not
-- ("C++", 漢字). It parts them at spaces and nowhere else: every category of
-- characters but the separators belongs to a token.
CREATE VIRTUAL TABLE memories_words USING fts5 (
    key, labels, body, initials,
    content = 'memories_docs', content_rowid = 'id', columnsize = 0, detail = 'column',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);

-- Finds the terms that have a given text within.
CREATE VIRTUAL TABLE memories_grams USING fts5 (
    term,
    content = 'memories_terms', content_rowid = 'id', columnsize = 0, detail = 'none',
    tokenize = 'trigram case_sensitive 1'
);

-- A document taken out leaves no trace in the segments.
INSERT INTO memories_words (memories_words, rank) VALUES ('secure-delete', 1);
INSERT INTO memories_grams (memories_grams, rank) VALUES ('secure-delete', 1);
