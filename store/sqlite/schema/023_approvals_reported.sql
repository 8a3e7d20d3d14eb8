-- Whether the outcome was returned to whoever repeated the call.
ALTER TABLE approvals RENAME COLUMN told TO reported;
