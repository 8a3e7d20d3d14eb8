-- Which act has taken an act back, by the number that undo ids are made of; NULL
-- for none. It holds as long as that one is not taken back itself.
ALTER TABLE versions       ADD COLUMN undone INTEGER;
ALTER TABLE diary_versions ADD COLUMN undone INTEGER;
