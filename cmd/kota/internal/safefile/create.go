// Package safefile writes files. After Replace, a reader finds either the
// complete old or the complete new bytes, even after a power cut. Create makes
// new files.
package safefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"kota/cmd/kota/internal/mistake"
)

// Create writes a file that must not exist and that only its owner can read. If
// it cannot be written completely, it is removed.
func Create(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if problem := mistake.NewFileProblem(err, path); problem != "" {
		return mistake.Errorf("%s", problem)
	}
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if err := errors.Join(Buffered(file, write), file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Buffered buffers the writes to w, so that small pieces are written together.
func Buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	return errors.Join(write(b), b.Flush())
}
