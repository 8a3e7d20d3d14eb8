-- The encrypted value of a secret; its column value is '""'. NULL if the memory is not a
-- secret.
ALTER TABLE memories ADD COLUMN sealed BLOB;
ALTER TABLE versions ADD COLUMN sealed BLOB;
