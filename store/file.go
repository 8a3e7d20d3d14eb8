package store

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// creating keeps Opens of this process from connecting while one of them has
// a descriptor of the new file: closing it would drop the POSIX locks that
// SQLite holds on the file. For the same reason nothing else in this package
// opens the file but SQLite.
var creating sync.Mutex

// prepareFile makes the folder and the file, or tightens their modes.
func (db *DB) prepareFile() error {
	dir := filepath.Dir(db.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	creating.Lock()
	defer creating.Unlock()
	info, err := os.Stat(db.path)
	if errors.Is(err, os.ErrNotExist) {
		file, err := os.OpenFile(db.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, os.ErrExist) { // another process was quicker
			return nil
		}
		if err != nil {
			return err
		}
		return file.Close()
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("it is a folder: %w", ErrForeign)
	}
	db.tighten(info)
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

// dsn names the file for the driver. mode=rw keeps SQLite from creating it:
// the file was made before, with the right mode.
func (db *DB) dsn(more ...string) string {
	always := []string{"mode=rw", "_foreign_keys=1", "_defensive=1", "_dqs=0"}
	if db.immutable {
		always = append(always, "immutable=1")
	}
	return fileURI(db.path, append(always, more...)...)
}

// fileURI is a path as SQLite's URI, in which no character of the path has
// another meaning (https://sqlite.org/uri.html).
func fileURI(path string, query ...string) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" { // C:/...
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: strings.Join(query, "&")}).String()
}
