-- The conversation that made a pending call, so that one with too many calls does not
-- block the others. "" for calls from the command line.
ALTER TABLE approvals ADD COLUMN session TEXT NOT NULL DEFAULT '';
