-- Whose words a thing logged, a task or a document has: "" for the user's own,
-- else a note on where they come from. The states in diary_versions have it too.
ALTER TABLE entries   ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE tasks     ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN source TEXT NOT NULL DEFAULT '';
