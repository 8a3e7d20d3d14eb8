package mistake

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// OpenFile opens a file that the user has named, to read it. Its error is an
// Error. A folder is not a file.
func OpenFile(name string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, Errorf("%s", FileProblem(err, name))
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, Errorf("%s", FileProblem(syscall.EISDIR, name))
	}
	return file, nil
}

// NewFileProblem says in a plain sentence why the file could not be created. It
// returns "" unless the cause is the name of the file, its folder or a permission.
func NewFileProblem(err error, file string) string {
	switch {
	case errors.Is(err, fs.ErrExist):
		return file + " exists; name a new file"
	case errors.Is(err, fs.ErrNotExist):
		return "there is no folder " + filepath.Dir(file)
	case errors.Is(err, fs.ErrPermission):
		return FileProblem(err, file)
	}
	return ""
}

// FileProblem says in a plain sentence why the file could not be used: "there is
// no file /nope". For an error that is not about files it returns the error's
// own text.
func FileProblem(err error, file string) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no file " + file
	case errors.Is(err, fs.ErrPermission):
		return "you may not use " + file + "; the system denies it"
	case errors.Is(err, syscall.EISDIR):
		return file + " is a folder; name a file"
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Sprintf("there is no file %s: a part of its path is not a folder", file)
	case errors.As(err, &path):
		return fmt.Sprintf("%s: %v", file, path.Err)
	}
	return err.Error()
}
