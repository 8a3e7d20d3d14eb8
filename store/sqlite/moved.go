package sqlite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kota/store"
)

// MarkFile returns the path of the mark beside a database whose data was moved to another one. Open
// refuses a marked file: what it stored there would be missing in the other database.
func MarkFile(path string) string { return path + ".moved" }

// A mark is the content of the file.
type mark struct {
	To string    `json:"to"` // the other database, without a user and a password
	At time.Time `json:"at"`
}

// MarkMoved marks the database at path as moved. The mark survives a power failure.
func MarkMoved(path, to string) error {
	raw, err := json.Marshal(mark{to, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(MarkFile(path))+".*") // 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(append(raw, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), MarkFile(path))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	if err := SyncFolder(filepath.Dir(path)); err != nil {
		return errors.Join(err, RemoveMark(path))
	}
	return nil
}

// RemoveMark removes the mark of the database at path, if it has one.
func RemoveMark(path string) error {
	if err := os.Remove(MarkFile(path)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// checkNotMoved returns store.ErrMoved for a marked file.
func (db *DB) checkNotMoved() error {
	raw, err := os.ReadFile(MarkFile(db.path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	m := mark{}
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		return fmt.Errorf("%w, as %s shows, which cannot be read", store.ErrMoved, MarkFile(db.path))
	}
	return fmt.Errorf("%w: %s, on %s. Name that database as `database` in bundles.yaml or in KOTA_DATABASE_URL. To use this file again all the same, remove %s: the databases then differ",
		store.ErrMoved, m.To, m.At.Format(time.DateOnly), MarkFile(db.path))
}
