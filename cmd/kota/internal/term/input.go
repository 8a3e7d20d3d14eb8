package term

import (
	"context"
	"io"
)

// Input returns a reader of stdin whose reads end with ctx, so that a signal
// ends a program that waits for input. Bytes that arrive after that are lost.
func (t Terminal) Input(ctx context.Context) io.Reader { return contextReader{ctx, t.Stdin} }

// contextReader is a reader whose Read returns the error of ctx once ctx is done.
type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (t contextReader) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	type piece struct {
		text []byte
		err  error
	}
	came := make(chan piece, 1) // buffered, so that the goroutine ends even if nobody receives
	go func() {
		text := make([]byte, len(p))
		n, err := t.in.Read(text)
		came <- piece{text[:n], err}
	}()
	select {
	case <-t.ctx.Done():
		return 0, t.ctx.Err()
	case c := <-came:
		return copy(p, c.text), c.err
	}
}
