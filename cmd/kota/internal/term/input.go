package term

import (
	"context"
	"io"
)

// Input is what the user types or pipes in. Reading it ends with ctx: a signal has
// to end a program that waits for somebody to type, and reading alone does not
// heed it. What is read at that moment is lost.
func (t Terminal) Input(ctx context.Context) io.Reader { return typed{ctx, t.Stdin} }

// A typed is a reader whose Read returns the error of ctx once that is over.
type typed struct {
	ctx context.Context
	in  io.Reader
}

func (t typed) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	type piece struct {
		text []byte
		err  error
	}
	came := make(chan piece, 1) // so that who reads ends, though nobody waits any more
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
