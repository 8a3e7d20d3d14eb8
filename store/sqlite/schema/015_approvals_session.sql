-- Which conversation a call that waits came from, so that one that asks without
-- end keeps no other from asking. "" for those of the command line.
ALTER TABLE approvals ADD COLUMN session TEXT NOT NULL DEFAULT '';
