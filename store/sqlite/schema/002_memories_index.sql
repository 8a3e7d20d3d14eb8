-- The search index of memories. It only contains data of their rows, and can be deleted
-- and rebuilt. The FTS tables do not store text: memories_docs and memories_terms have
-- their content, so a removal always names exactly what was inserted. A search gets ids
-- from the index and keeps those of its owner. All owners share the terms: these show how
-- rare a word is, and which correct spellings exist.

-- One row per indexed memory: its terms, each once per column, separated by spaces.
CREATE TABLE memories_docs (
    id       INTEGER PRIMARY KEY,                  -- memories.id
    owner    TEXT NOT NULL,                        -- as in memories
    key      TEXT NOT NULL,                        -- "home address homeaddress"
    labels   TEXT NOT NULL,                        -- of category and tags
    body     TEXT NOT NULL,                        -- of the value
    initials TEXT NOT NULL                         -- of the key: "ha"
) STRICT;

-- Each term that occurs, once. The row of the empty term counts the documents.
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

-- Go code makes the terms, because it knows words that the tokenizer does not ("C++",
-- 漢字). The tokenizer must only split at spaces: every category of characters except
-- separators belongs to a token.
CREATE VIRTUAL TABLE memories_words USING fts5 (
    key, labels, body, initials,
    content = 'memories_docs', content_rowid = 'id', columnsize = 0, detail = 'column',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);

-- Finds the terms that contain a given text.
CREATE VIRTUAL TABLE memories_grams USING fts5 (
    term,
    content = 'memories_terms', content_rowid = 'id', columnsize = 0, detail = 'none',
    tokenize = 'trigram case_sensitive 1'
);

-- A removed document leaves no text in the index segments.
INSERT INTO memories_words (memories_words, rank) VALUES ('secure-delete', 1);
INSERT INTO memories_grams (memories_grams, rank) VALUES ('secure-delete', 1);
