-- The process that began to undo a change. After its end it no longer excludes others.
ALTER TABLE undo ADD COLUMN claimer TEXT NOT NULL DEFAULT '';
