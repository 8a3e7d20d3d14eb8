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

// errTooLarge says that a file is larger than any valid file.
var errTooLarge = errors.New("it is too large")

// readPrivate returns the content of the file at path, at most limit bytes, and its FileInfo.
// It returns *UnsafeError unless the path is a regular file of this user that nobody else can
// read or write. It returns errTooLarge if the file has more than limit bytes.
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
	if err := checkFile(path, opened); err != nil { // the file may have been replaced meanwhile
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
		return &UnsafeError{path, "is a symbolic link", "rm " + shellQuote(path)}
	case !mode.IsRegular():
		return &UnsafeError{path, "is not a regular file", "mv " + shellQuote(path) + " " + shellQuote(path+".old")}
	case !isOwn(info):
		return &UnsafeError{path, "belongs to another user", "sudo chown \"$(id -u)\" " + shellQuote(path) + " && chmod 600 " + shellQuote(path)}
	case runtime.GOOS != "windows" && mode.Perm()&0o077 != 0:
		return &UnsafeError{path, fmt.Sprintf("can be read or written by others (mode %04o)", mode.Perm()), "chmod 600 " + shellQuote(path)}
	}
	return nil
}

// checkFolder returns an *UnsafeError for a folder in which others could replace files.
func checkFolder(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsDir():
		return &UnsafeError{path, "is not a folder", "mv " + shellQuote(path) + " " + shellQuote(path+".old")}
	case !isOwn(info):
		return &UnsafeError{path, "belongs to another user", "sudo chown \"$(id -u)\" " + shellQuote(path) + " && chmod 700 " + shellQuote(path)}
	case runtime.GOOS != "windows" && mode.Perm()&0o022 != 0:
		return &UnsafeError{path, fmt.Sprintf("can be written by others (mode %04o)", mode.Perm()), "chmod 700 " + shellQuote(path)}
	}
	return nil
}

var shellSafe = regexp.MustCompile(`^[A-Za-z0-9@%+=:,./_-]+$`)

// shellQuote returns path as one shell word.
func shellQuote(path string) string {
	if shellSafe.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// writeFile replaces the file at path by a new file that only this user can access. It is
// atomic: even after a power cut, the path has either the old or the new file.
func writeFile(path string, content []byte) error {
	dir := filepath.Dir(path)
	temp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // fails after success, because the file was renamed
	_, err = temp.Write(content)
	if err = errors.Join(err, temp.Chmod(0o600), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes changes of the names in a folder durable.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" { // Windows does this itself and cannot open folders
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
