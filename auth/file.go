package auth

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// errTooLarge: a file has more bytes than anything that belongs there.
var errTooLarge = errors.New("it is too large")

// readPrivate returns what is in the file at path, which must be a plain file
// of this user that nobody else can read or write: otherwise *UnsafeError.
func readPrivate(path string, limit int64) ([]byte, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := checkFile(path, info); err != nil {
		return nil, info, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, info, err
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return nil, info, err
	}
	if err := checkFile(path, opened); err != nil { // replaced since
		return nil, info, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = errTooLarge
	}
	return raw, opened, err
}

func checkFile(path string, info fs.FileInfo) error {
	mode := info.Mode()
	switch {
	case mode&fs.ModeSymlink != 0:
		return &UnsafeError{path, "is a symbolic link", "rm " + quote(path)}
	case !mode.IsRegular():
		return &UnsafeError{path, "is no plain file", "mv " + quote(path) + " " + quote(path+".old")}
	case !isOwn(info):
		return &UnsafeError{path, "belongs to another user", "sudo chown \"$(id -u)\" " + quote(path) + " && chmod 600 " + quote(path)}
	case runtime.GOOS != "windows" && mode.Perm()&0o077 != 0:
		return &UnsafeError{path, fmt.Sprintf("can be read or written by others (mode %04o)", mode.Perm()), "chmod 600 " + quote(path)}
	}
	return nil
}

// checkFolder refuses a folder in which others could replace files.
func checkFolder(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsDir():
		return &UnsafeError{path, "is no folder", "mv " + quote(path) + " " + quote(path+".old")}
	case !isOwn(info):
		return &UnsafeError{path, "belongs to another user", "sudo chown \"$(id -u)\" " + quote(path) + " && chmod 700 " + quote(path)}
	case runtime.GOOS != "windows" && mode.Perm()&0o022 != 0:
		return &UnsafeError{path, fmt.Sprintf("can be written by others (mode %04o)", mode.Perm()), "chmod 700 " + quote(path)}
	}
	return nil
}

var plain = regexp.MustCompile(`^[A-Za-z0-9@%+=:,./_-]+$`)

// quote writes path as one word of a shell.
func quote(path string) string {
	if plain.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// writeFile makes content the file at path, for this user alone, at once or
// not at all: also after a power cut there is the old file or the new one.
func writeFile(path string, content []byte) error {
	dir := filepath.Dir(path)
	temp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone already when all went well
	_, err = temp.Write(content)
	if err = errors.Join(err, temp.Chmod(0o600), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes names last.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" { // it does so by itself, and opens no folder
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
