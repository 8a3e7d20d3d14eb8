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

// createMutex ensures that no call of Open in this process connects while another call has the
// new file open. Closing that descriptor would drop the POSIX locks that SQLite holds on the
// file. For the same reason, this package opens an existing file only through SQLite.
var createMutex sync.Mutex

// prepareFile creates the folder and the file, unless they exist or the database is read-only. It
// corrects the mode of the file. It records the identity of the file before SQLite opens it, so
// that KOTA never writes to a file that replaces it in between.
func (db *DB) prepareFile() error {
	if err := db.checkNotLost(); err != nil {
		return err
	}
	if err := db.checkNotMoved(); err != nil {
		return err
	}
	if db.readOnly {
		return db.findFile()
	}
	if err := os.MkdirAll(filepath.Dir(db.path), 0o700); err != nil {
		return err
	}
	createMutex.Lock()
	defer createMutex.Unlock()
	if err := db.create(); err != nil {
		return err
	}
	return db.identifyFile()
}

// Absent reports whether there is neither a database at path nor a checkpoint of its audit log.
func Absent(path string) bool {
	for _, name := range []string{path, CheckpointFile(path)} {
		if _, err := os.Lstat(name); !errors.Is(err, os.ErrNotExist) {
			return false
		}
	}
	return true
}

// checkNotLost returns ErrCorrupt for a missing or empty file if its audit log had rows according
// to the checkpoint, or the checkpoint cannot be read. A new file would lack the records of what
// was sent, approved and counted.
func (db *DB) checkNotLost() error {
	if info, err := os.Lstat(db.path); err == nil && (info.Size() > 0 || !info.Mode().IsRegular()) {
		return nil
	}
	if checkpoint, err := ReadCheckpoint(db.path); err == nil && checkpoint.Seq == 0 {
		return nil
	}
	return fmt.Errorf("%w: it is missing or empty, but %s shows that it was in use. Restore a backup with `kota restore FILE`, or move %s elsewhere to start with an empty database",
		store.ErrCorrupt, filepath.Base(CheckpointFile(db.path)), CheckpointFile(db.path))
}

// errFolder says that a folder is where the database file belongs. It matches store.ErrForeign.
var errFolder error = folderError{}

type folderError struct{}

func (folderError) Error() string { return "it is a folder, not a database; move it away" }

func (folderError) Is(target error) bool { return target == store.ErrForeign }

// identifyFile records the identity of the file, and corrects its mode.
func (db *DB) identifyFile() error {
	info, err := os.Stat(db.path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return errFolder
	}
	if err := checkReadable(db.path); err != nil {
		return err
	}
	db.identity = info
	db.restrictMode(info)
	db.makeWritable(info)
	return nil
}

// create creates the file unless it exists.
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

// checkNotReplaced returns ErrReplaced unless the file at the path is the one that was opened.
// SQLite would otherwise continue to write to a file that is no longer at the path.
func (db *DB) checkNotReplaced() error {
	if db.placeholder != nil {
		return nil
	}
	info, err := os.Stat(db.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: %w", store.ErrIO, err)
	}
	if err != nil || !os.SameFile(info, db.identity) {
		return store.ErrReplaced
	}
	return nil
}

// restrictMode removes all access of other users to the file and its journals. It does not change
// the folder, which may be shared on purpose.
func (db *DB) restrictMode(info os.FileInfo) {
	if runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		info, err := os.Stat(db.path + suffix)
		if err != nil {
			continue
		}
		if err := os.Chmod(db.path+suffix, info.Mode().Perm()&^0o077); err != nil {
			db.log.Warn("other users can read the database", "file", db.path+suffix, "mode", info.Mode().Perm().String(), "err", err)
			continue
		}
		db.log.Warn("other users could read the database; its permissions are now corrected", "file", db.path+suffix, "mode", info.Mode().Perm().String())
	}
}

// makeWritable makes the files beside a writable database writable for their owner. SQLite
// creates them with the mode of the database, so they are read-only if the database was read-only
// then.
func (db *DB) makeWritable(info os.FileInfo) {
	const owner = 0o600
	if info.Mode().Perm()&owner != owner {
		return
	}
	for _, suffix := range JournalSuffixes {
		info, err := os.Stat(db.path + suffix)
		if err != nil || info.Mode().Perm()&owner == owner {
			continue
		}
		if err := os.Chmod(db.path+suffix, owner); err != nil { // opening the file then fails and reports more
			db.log.Warn("a file next to the database is not writable", "file", db.path+suffix, "err", err)
		}
	}
}

// dsn returns the data source name of the file. With mode=rw and mode=ro SQLite does not create
// the file. Only create does, with the right mode.
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
		path, always = db.memoryName, append(always, inMemory)
	}
	return FileURI(path, append(always, more...)...)
}

// FileURI returns a path as a URI for SQLite. The URI escapes characters of the path that have a
// special meaning (https://sqlite.org/uri.html).
func FileURI(path string, query ...string) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" { // C:/...
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: strings.Join(query, "&")}).String()
}

// JournalSuffixes are the suffixes of the files that SQLite may keep beside a database. These
// files belong to that one database: SQLite would merge them into any other database with that
// path.
var JournalSuffixes = []string{"-wal", "-shm", "-journal"}
