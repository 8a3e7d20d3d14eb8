package sqlite

import (
	"errors"
	"os"
	"runtime"
)

// SyncFolder makes changes of names in a folder durable.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" { // Windows does this itself, and cannot open a folder
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
