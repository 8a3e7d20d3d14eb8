package sqlite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kota/store"
)

// HeadFile returns the path of the file that notes the last row of the audit log, beside the
// database. Without it, removing rows from the end would leave no trace.
func HeadFile(path string) string { return path + ".audit-head" }

// ReadHead returns the row that is noted for the database at path, or the zero head without a
// note. It returns ErrCorrupt for a damaged note.
func ReadHead(path string) (store.AuditCheckpoint, error) {
	raw, err := os.ReadFile(HeadFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return store.AuditCheckpoint{}, nil
	}
	if err != nil {
		return store.AuditCheckpoint{}, err
	}
	head := store.AuditCheckpoint{}
	if err := json.Unmarshal(raw, &head); err != nil {
		return store.AuditCheckpoint{}, fmt.Errorf("%w: %s: %w", store.ErrCorrupt, filepath.Base(HeadFile(path)), err)
	}
	return head, nil
}

// WriteHead notes a row for the database at path. It replaces the file in one step.
func WriteHead(path string, head store.AuditCheckpoint) error {
	raw, err := json.Marshal(head)
	if err != nil {
		return err
	}
	fresh, err := os.CreateTemp(filepath.Dir(path), filepath.Base(HeadFile(path))+".*") // 0600
	if err != nil {
		return err
	}
	_, err = fresh.Write(append(raw, '\n'))
	if err = errors.Join(err, fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), HeadFile(path))
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh.Name()))
	}
	return nil
}
