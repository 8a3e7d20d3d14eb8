package sqlite

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"kota/store"
)

// creating keeps Opens of this process from connecting while one of them has
// a descriptor of the new file: closing it would drop the POSIX locks that
// SQLite holds on the file. For the same reason nothing else in this package
// opens the file but SQLite.
var creating sync.Mutex

// prepareFile makes the folder and the file, or mends their modes. It notes
// which file it is before SQLite opens it, so that one which is replaced in
// between is not written either.
func (db *DB) prepareFile() error {
	if err := db.notLost(); err != nil {
		return err
	}
	if db.readOnly {
		return db.findFile()
	}
	if err := os.MkdirAll(filepath.Dir(db.path), 0o700); err != nil {
		return err
	}
	creating.Lock()
	defer creating.Unlock()
	if err := db.create(); err != nil {
		return err
	}
	return db.lookAt()
}

// Absent reports whether there is no database at path, nor a trace of one.
func Absent(path string) bool {
	for _, name := range []string{path, HeadFile(path)} {
		if _, err := os.Lstat(name); !errors.Is(err, os.ErrNotExist) {
			return false
		}
	}
	return true
}

// notLost returns ErrCorrupt where the file is gone or empty and what stands
// beside it tells of rows in it: another in its place would have forgotten what
// was sent, agreed to and counted.
func (db *DB) notLost() error {
	if info, err := os.Lstat(db.path); err == nil && (info.Size() > 0 || !info.Mode().IsRegular()) {
		return nil
	}
	if head, err := ReadHead(db.path); err == nil && head.Seq == 0 {
		return nil
	}
	return fmt.Errorf("%w: it is gone or empty, and %s tells that it was in use. Go back to a backup with `kota restore FILE`, or move %s elsewhere to begin anew",
		store.ErrCorrupt, filepath.Base(HeadFile(db.path)), HeadFile(db.path))
}

// lookAt notes which file it is, and mends its mode.
func (db *DB) lookAt() error {
	info, err := os.Stat(db.path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("it is a folder: %w", store.ErrForeign)
	}
	db.opened = info
	db.tighten(info)
	db.loosen(info)
	return nil
}

// create makes the file unless there is one.
func (db *DB) create() error {
	if _, err := os.Lstat(db.path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(db.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) { // another process was quicker
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// inPlace returns ErrReplaced when the file at the path is not, or not any
// more, the one that was opened: SQLite would write on into a file that nobody
// finds again.
func (db *DB) inPlace() error {
	if db.placeholder != nil {
		return nil
	}
	info, err := os.Stat(db.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: %w", store.ErrIO, err)
	}
	if err != nil || !os.SameFile(info, db.opened) {
		return store.ErrReplaced
	}
	return nil
}

// tighten takes the file from everybody but its owner. The folder stays as it
// is: it may be one that the user shares on purpose.
func (db *DB) tighten(info os.FileInfo) {
	if runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		info, err := os.Stat(db.path + suffix)
		if err != nil {
			continue
		}
		if err := os.Chmod(db.path+suffix, info.Mode().Perm()&^0o077); err != nil {
			db.log.Warn("others may read the database", "file", db.path+suffix, "mode", info.Mode().Perm().String(), "err", err)
			continue
		}
		db.log.Warn("others could read the database; not any more", "file", db.path+suffix, "mode", info.Mode().Perm().String())
	}
}

// loosen gives the owner of a file that may be written the files beside it
// too. SQLite makes them with the mode of the file, so that they stay
// read-only when that was opened while it was.
func (db *DB) loosen(info os.FileInfo) {
	const owner = 0o600
	if info.Mode().Perm()&owner != owner {
		return
	}
	for _, suffix := range Journals {
		beside, err := os.Stat(db.path + suffix)
		if err != nil || beside.Mode().Perm()&owner == owner {
			continue
		}
		if err := os.Chmod(db.path+suffix, owner); err != nil { // opening it says the rest
			db.log.Warn("a file beside the database may not be written", "file", db.path+suffix, "err", err)
		}
	}
}

// dsn names the file for the driver. Neither mode=rw nor mode=ro lets SQLite
// create it: the file was made before, with the right mode.
func (db *DB) dsn(more ...string) string {
	mode, path := "mode=rw", db.path
	if db.readOnly {
		mode = "mode=ro"
	}
	always := []string{mode, "_foreign_keys=1", "_defensive=1", "_dqs=0"}
	if db.immutable {
		always = append(always, "immutable=1")
	}
	if db.placeholder != nil {
		path, always = db.memory, append(always, inMemory)
	}
	return FileURI(path, append(always, more...)...)
}

// FileURI is a path as SQLite's URI, in which no character of the path has
// another meaning (https://sqlite.org/uri.html).
func FileURI(path string, query ...string) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" { // C:/...
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: strings.Join(query, "&")}).String()
}

// Journals are what SQLite may keep beside a file. They belong to that one
// file: beside another one they would be merged into it.
var Journals = []string{"-wal", "-shm", "-journal"}
