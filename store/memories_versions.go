package store

import (
	"strconv"
	"time"
)

// replace makes next the state of the memory whose state is old, keeps old as
// a version, and returns the number of the act for undo. act is 0 for the
// first change of an act. next gets its version and times here: a version
// begins after the one before it, also when the clock was set back.
func (t *tx) replace(owner string, old, next *Memory, operation string, now time.Time, act int64) (int64, error) {
	next.ID, next.Version, next.Created = old.ID, old.Version+1, old.Created
	next.Updated = now.UTC().Truncate(time.Millisecond)
	if !next.Updated.After(old.Updated) {
		next.Updated = old.Updated.Add(time.Millisecond)
	}
	row, err := t.keepVersion(old.ID, operation, next.Updated, act)
	if err != nil {
		return 0, err
	}
	_, err = t.exec(`
		UPDATE memories SET key = ?, norm = ?, value = ?, category = ?, tags = ?, source = ?, importance = ?, pinned = ?,
			updated = ?, expires = ?, deleted = ?, version = ?, stale = 1 WHERE id = ?`,
		next.Key, Normal(next.Key), string(next.Value), next.Category, tagsText(next.Tags), next.Source, next.Importance, next.Pinned,
		millis(next.Updated), millis(next.Expires), millis(next.Deleted), next.Version, next.ID)
	if err != nil {
		return 0, err
	}
	if act == 0 {
		act = row
	}
	return act, nil
}

// keepVersion copies the state of a memory into versions.
func (t *tx) keepVersion(id int64, operation string, ended time.Time, act int64) (int64, error) {
	undo := any(act)
	if act == 0 {
		undo = nil
	}
	kept, err := t.exec("INSERT INTO versions (memory, owner, norm, "+state+", operation, ended, undo) "+
		"SELECT id, owner, norm, "+state+", ?, ?, ? FROM memories WHERE id = ?", operation, millis(ended), undo, id)
	if err != nil {
		return 0, err
	}
	return kept.LastInsertId()
}

// undoText is how an act is named outside: "u12". Act 0 has no name.
func undoText(act int64) string {
	if act == 0 {
		return ""
	}
	return "u" + strconv.FormatInt(act, 10)
}
