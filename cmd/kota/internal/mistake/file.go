package mistake

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

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
