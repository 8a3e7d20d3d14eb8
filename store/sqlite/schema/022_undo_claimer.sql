-- Which process began to put a change back: one that has ended keeps nobody out.
ALTER TABLE undo ADD COLUMN claimer TEXT NOT NULL DEFAULT '';
