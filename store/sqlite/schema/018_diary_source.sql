-- Where the text of an entry, a task or a document comes from; "" for the user's own
-- words. The states in diary_versions have it too.
ALTER TABLE entries   ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE tasks     ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN source TEXT NOT NULL DEFAULT '';
