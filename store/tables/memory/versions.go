package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// The operations that History returns.
const (
	opCreate  = "create"
	opSet     = "set"
	opUpdate  = "update"
	opRename  = "rename"
	opDelete  = "delete"
	opRestore = "restore"
)

// memoryOf returns the memory with that key that is not deleted. If there is none, it returns the
// memory with that key that was deleted last, or ErrNotFound.
func memoryOf(t engine.Tx, owner any, key string) (*store.Memory, error) {
	norm := store.NormalizeKey(key)
	queries := []string{livingOfKey, deletedOfKey}
	if t.Dialect() == engine.Postgres {
		queries = []string{anyOfKey}
	}
	for _, query := range queries {
		found, err := scanMemory(t.Row(query, owner, norm, key))
		if !errors.Is(err, sql.ErrNoRows) {
			return found, err
		}
	}
	return nil, store.ErrNotFound
}

// The memories of owner ?1 with key ?3, whose normalized key is ?2. anyOfKey selects that of
// livingOfKey or else that of deletedOfKey. In PostgreSQL, two questions would be two trips.
const (
	ofKey        = "SELECT " + columns + " FROM memories WHERE owner = ?1 AND norm = ?2 AND key = ?3 AND "
	livingOfKey  = ofKey + "deleted IS NULL"
	deletedOfKey = ofKey + "deleted IS NOT NULL ORDER BY deleted DESC, id DESC LIMIT 1"
	anyOfKey     = "SELECT " + columns + " FROM (" + livingOfKey + " UNION ALL SELECT " + columns + " FROM (" + deletedOfKey + ") AS dead) AS found" +
		" ORDER BY deleted IS NULL DESC LIMIT 1"
)

// A changeSet holds the changes of one call, in one or more memories. number is the id of the
// first version that it stored, and 0 before that.
type changeSet struct {
	engine.Tx
	owner        any
	secrets      secrets
	operation    string
	now          time.Time
	number       int64
	becameSecret bool  // a memory has become a secret
	undoes       int64 // the number of the change set that this one undoes; 0 for none
}

func (m *Store) newChangeSet(t engine.Tx, operation string) *changeSet {
	return &changeSet{Tx: t, owner: m.owner, secrets: m.secrets(), operation: operation, now: t.Now()}
}

// undoID returns the undo id of the call, "u12", or "" if no version was stored.
func (a *changeSet) undoID() string {
	if a.number == 0 {
		return ""
	}
	return "u" + strconv.FormatInt(a.number, 10)
}

// creationUndoID returns the undo id of a memory's creation: "c12-0k3f". It consists of the
// memory's id and a part of its creation time, because the id of an erased memory may be reused.
func creationUndoID(id int64, created time.Time) string {
	return fmt.Sprintf("c%d-%04s", id, strconv.FormatInt(created.UnixMilli()%(36*36*36*36), 36))
}

// parseCreationUndoID returns the id of the memory in a creation's undo id, or 0 for any other
// text.
func parseCreationUndoID(undo string) int64 {
	number, _, _ := strings.Cut(strings.TrimPrefix(undo, "c"), "-")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || undo[0] != 'c' {
		return 0
	}
	return id
}

func parseUndo(undo string) (int64, error) {
	number, err := strconv.ParseInt(strings.TrimPrefix(undo, "u"), 10, 64)
	if err != nil || number < 1 {
		return 0, fmt.Errorf("%w: %q is not an undo id", store.ErrInvalid, undo)
	}
	return number, nil
}

// replace makes next the current state of a memory, and stores old as a version. It sets id,
// version and times of next. A version starts after the previous one, even if the clock was set
// back.
func (a *changeSet) replace(old, next *store.Memory) error {
	next.ID, next.Version, next.Created = old.ID, old.Version+1, old.Created
	next.Updated = a.now.UTC().Truncate(time.Millisecond)
	if !next.Updated.After(old.Updated) {
		next.Updated = old.Updated.Add(time.Millisecond)
	}
	if !next.Deleted.IsZero() {
		next.Deleted = next.Updated
	}
	if err := a.storeVersion(old.ID, next.Updated); err != nil {
		return err
	}
	if err := a.Exec(deleteVector.For(a), a.owner, old.ID); err != nil {
		return err
	}
	if err := a.Exec(`
		UPDATE memories SET key = ?, norm = ?, value = ?, sealed = ?, category = ?, tags = ?, source = ?, importance = ?, pinned = ?,
			updated = ?, expires = ?, deleted = ?, version = ?, stale = 1 WHERE id = ? AND owner = ?`,
		next.Key, store.NormalizeKey(next.Key), string(next.Value), next.Sealed, next.Category, tagsText(next.Tags), next.Source, next.Importance, next.Pinned,
		engine.Millis(next.Updated), engine.Millis(next.Expires), engine.Millis(next.Deleted), next.Version, next.ID, a.owner); err != nil {
		return err
	}
	if next.Secret && !old.Secret {
		return a.sealVersions(old.ID)
	}
	return nil
}

// storeVersion copies the current state of a memory into versions.
func (a *changeSet) storeVersion(id int64, ended time.Time) error {
	number, err := a.Insert("versions", "INSERT INTO versions (id, memory, owner, norm, "+versionedColumns+", operation, ended, undo) "+
		"SELECT ?, id, owner, norm, "+versionedColumns+", ?, ?, nullif(CAST(? AS bigint), 0) FROM memories WHERE id = ? AND owner = ?", a.operation, engine.Millis(ended), a.number, id, a.owner)
	if a.number == 0 {
		a.number = number
	}
	return err
}

// markDeleted deletes a memory, and keeps it as a version.
func (a *changeSet) markDeleted(old *store.Memory) error {
	next := *old
	next.Deleted = a.now
	return a.replace(old, &next)
}

// GetAt returns the memory with that key as it was at that time. The key is spelled as for Get.
// It returns a *NotFoundError if there was none, or if there were several other spellings.
func (m *Store) GetAt(ctx context.Context, key string, at time.Time) (*store.Memory, error) {
	found, err := m.getAt(ctx, key, at)
	if err != nil {
		return nil, fmt.Errorf("get %q at %s: %w", key, at, err)
	}
	return found, nil
}

func (m *Store) getAt(ctx context.Context, key string, at time.Time) (*store.Memory, error) {
	rows, err := m.db.Read(ctx).Query(visibleAt, m.owner, store.NormalizeKey(key), at.UnixMilli())
	if err != nil {
		return nil, err
	}
	found, err := scanMemories(rows)
	if err != nil {
		return nil, err
	}
	return resolveSpelling(key, found)
}

const visibleAt = `
	SELECT ` + columns + ` FROM (
		SELECT ` + columns + ` FROM memories
		WHERE owner = ?1 AND norm = ?2 AND updated <= ?3 AND deleted IS NULL
		UNION ALL
		SELECT memory AS id, ` + versionedColumns + `, 0 AS uses, NULL AS last_used FROM versions
		WHERE owner = ?1 AND norm = ?2 AND updated <= ?3 AND ended > ?3 AND deleted IS NULL) AS states
	WHERE expires IS NULL OR expires > ?3
	ORDER BY +updated DESC, key`
