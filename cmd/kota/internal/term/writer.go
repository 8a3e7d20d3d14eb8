package term

import "io"

// CheckedWriter remembers the first error of a writer. Libraries that print help
// ignore such errors.
type CheckedWriter struct {
	To  io.Writer
	Err error
}

func (w *CheckedWriter) Write(p []byte) (int, error) {
	n, err := w.To.Write(p)
	if w.Err == nil {
		w.Err = err
	}
	return n, err
}
