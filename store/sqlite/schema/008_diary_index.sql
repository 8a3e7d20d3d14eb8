-- The search indexes of entries and of documents. Both are built like the one of
-- memories; 002_memories_index.sql explains the columns. Each has its own terms, because
-- a word may be rare in one table and common in another.

-- Entries.
CREATE TABLE entries_docs (
    id       INTEGER PRIMARY KEY,                  -- entries.id
    owner    TEXT NOT NULL,
    key      TEXT NOT NULL,                        -- empty: an entry has no name
    labels   TEXT NOT NULL,                        -- of type, section and tags
    body     TEXT NOT NULL,                        -- of the text and the names of the metrics
    initials TEXT NOT NULL                         -- of the key
) STRICT;

CREATE TABLE entries_terms (
    id   INTEGER PRIMARY KEY,
    term TEXT    NOT NULL UNIQUE,
    back TEXT    NOT NULL,
    size INTEGER NOT NULL,
    stem TEXT    NOT NULL,
    docs INTEGER NOT NULL
) STRICT;

CREATE INDEX entries_terms_stem  ON entries_terms (stem);
CREATE INDEX entries_terms_start ON entries_terms (size, term);
CREATE INDEX entries_terms_end   ON entries_terms (size, back);

CREATE VIRTUAL TABLE entries_words USING fts5 (
    key, labels, body, initials,
    content = 'entries_docs', content_rowid = 'id', columnsize = 0, detail = 'column',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);

CREATE VIRTUAL TABLE entries_grams USING fts5 (
    term,
    content = 'entries_terms', content_rowid = 'id', columnsize = 0, detail = 'none',
    tokenize = 'trigram case_sensitive 1'
);

INSERT INTO entries_words (entries_words, rank) VALUES ('secure-delete', 1);
INSERT INTO entries_grams (entries_grams, rank) VALUES ('secure-delete', 1);

-- Documents.
CREATE TABLE documents_docs (
    id       INTEGER PRIMARY KEY,                  -- documents.id
    owner    TEXT NOT NULL,
    key      TEXT NOT NULL,                        -- of the title
    labels   TEXT NOT NULL,                        -- of type and period
    body     TEXT NOT NULL,                        -- of the body and the fields
    initials TEXT NOT NULL                         -- of the key
) STRICT;

CREATE TABLE documents_terms (
    id   INTEGER PRIMARY KEY,
    term TEXT    NOT NULL UNIQUE,
    back TEXT    NOT NULL,
    size INTEGER NOT NULL,
    stem TEXT    NOT NULL,
    docs INTEGER NOT NULL
) STRICT;

CREATE INDEX documents_terms_stem  ON documents_terms (stem);
CREATE INDEX documents_terms_start ON documents_terms (size, term);
CREATE INDEX documents_terms_end   ON documents_terms (size, back);

CREATE VIRTUAL TABLE documents_words USING fts5 (
    key, labels, body, initials,
    content = 'documents_docs', content_rowid = 'id', columnsize = 0, detail = 'column',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);

CREATE VIRTUAL TABLE documents_grams USING fts5 (
    term,
    content = 'documents_terms', content_rowid = 'id', columnsize = 0, detail = 'none',
    tokenize = 'trigram case_sensitive 1'
);

INSERT INTO documents_words (documents_words, rank) VALUES ('secure-delete', 1);
INSERT INTO documents_grams (documents_grams, rank) VALUES ('secure-delete', 1);
