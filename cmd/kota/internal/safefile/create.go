// Package safefile writes files so that a reader, and whoever looks after a power
// cut, finds the old bytes or the new ones and never a part of either.
package safefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"kota/cmd/kota/internal/mistake"
)

// Create writes a file that must not exist and that its owner alone can read.
// When it cannot be written whole, it is taken away again.
func Create(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return mistake.Errorf("%s exists; name a new file", path)
	}
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if err := errors.Join(Buffered(file, write), file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Buffered gives write a buffer before w, so that small pieces leave together.
func Buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	return errors.Join(write(b), b.Flush())
}
