-- A secret: its value is encrypted here, and '""' stands where others have
-- theirs. NULL for what is none.
ALTER TABLE memories ADD COLUMN sealed BLOB;
ALTER TABLE versions ADD COLUMN sealed BLOB;
