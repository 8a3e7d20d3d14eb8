-- The change that has undone this one, by the number in its undo id; NULL for none. It
-- counts only while that change is not undone itself.
ALTER TABLE versions       ADD COLUMN undone INTEGER;
ALTER TABLE diary_versions ADD COLUMN undone INTEGER;
