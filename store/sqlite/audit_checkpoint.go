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

// CheckpointFile returns the path of the file that contains the checkpoint of the audit log,
// beside the database. The log itself does not show that rows were removed from its end; this file
// does.
func CheckpointFile(path string) string { return path + ".audit-head" }

// CheckpointName returns the name of the file that contains the checkpoint.
func (db *DB) CheckpointName() string { return filepath.Base(CheckpointFile(db.path)) }

// HasCheckpoint reports whether the file that contains the checkpoint exists.
func (db *DB) HasCheckpoint() bool {
	_, err := os.Lstat(CheckpointFile(db.path))
	return err == nil
}

// ReadCheckpoint is the function ReadCheckpoint for the file of db.
func (db *DB) ReadCheckpoint() (store.AuditCheckpoint, error) { return ReadCheckpoint(db.path) }

// WriteCheckpoint is the function WriteCheckpoint for the file of db.
func (db *DB) WriteCheckpoint(checkpoint store.AuditCheckpoint) error {
	return WriteCheckpoint(db.path, checkpoint)
}

// ReadCheckpoint returns the checkpoint of the database at path, or the zero checkpoint if there
// is no file. It returns ErrCorrupt for a damaged file.
func ReadCheckpoint(path string) (store.AuditCheckpoint, error) {
	raw, err := os.ReadFile(CheckpointFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return store.AuditCheckpoint{}, nil
	}
	if err != nil {
		return store.AuditCheckpoint{}, err
	}
	checkpoint := store.AuditCheckpoint{}
	if err := json.Unmarshal(raw, &checkpoint); err != nil {
		return store.AuditCheckpoint{}, fmt.Errorf("%w: %s: %w", store.ErrCorrupt, filepath.Base(CheckpointFile(path)), err)
	}
	return checkpoint, nil
}

// WriteCheckpoint writes the checkpoint of the database at path. It replaces the file in one step.
func WriteCheckpoint(path string, checkpoint store.AuditCheckpoint) error {
	raw, err := json.Marshal(checkpoint)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(CheckpointFile(path))+".*") // 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(append(raw, '\n'))
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), CheckpointFile(path))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
