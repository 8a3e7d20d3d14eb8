package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"kota/cmd/kota/internal/mistake"
	"os"
)

// writeNew writes a file that must not exist and that its owner alone can read.
// When it cannot be written whole, it is taken away again.
func writeNew(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return mistake.Errorf("%s exists; name a new file", path)
	}
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if err := errors.Join(buffered(file, write), file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// buffered gives write a buffer before w, so that small pieces leave together.
func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	return errors.Join(write(b), b.Flush())
}
