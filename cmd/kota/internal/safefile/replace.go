package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace atomically makes text the content of file. A reader sees either the
// old or the new bytes, even after a power cut. Replace follows a link to its
// target and keeps the target's mode. Only the owner can access a new file.
func Replace(file string, text []byte) error {
	target, mode, err := writeTarget(file)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	folder := filepath.Dir(target)
	temp, err := os.CreateTemp(folder, "."+filepath.Base(target)+"-*.tmp")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer os.Remove(temp.Name()) // already gone after a success
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	syncFolder(folder)
	return nil
}

// writeTarget returns the path to write to, with links resolved, and the mode
// for it. A dangling link is an error.
func writeTarget(file string) (target string, mode fs.FileMode, err error) {
	target, err = filepath.EvalSymlinks(file)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(file); err == nil {
			return "", 0, errors.New("it is a link to a file that does not exist")
		}
		return file, 0o600, nil
	}
	if err != nil {
		return "", 0, err
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", 0, err
	}
	return target, info.Mode().Perm(), nil
}

// syncFolder makes a rename in folder survive a power cut, if the system
// supports it. Failures do not matter, because the file is complete either way.
func syncFolder(folder string) {
	f, err := os.Open(folder)
	if err != nil {
		return
	}
	defer f.Close()
	_ = f.Sync()
}

// IsDanglingLink reports whether path is a link whose target is absent.
func IsDanglingLink(path string) bool {
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return false
	}
	_, err := os.Lstat(path)
	return err == nil
}
