package main

import (
	"context"
	"io"
	"path/filepath"
	"testing"
)

// idleInput is a user at a keyboard who types nothing.
type idleInput struct{ readStarted chan struct{} }

func (s idleInput) Read([]byte) (int, error) {
	close(s.readStarted)
	select {}
}

// A command that reads to the end of the input ends with a signal, as a
// question does.
func TestSignalEndsCommandThatWaitsForInput(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"memory", "import", "-"}, {"auth", "client", "-"}, {"call", "memory_set", "-"}} {
		ctx, stop := context.WithCancel(t.Context())
		in := idleInput{make(chan struct{})}
		go func() {
			<-in.readStarted
			stop()
		}()
		env := environment(t, map[string]string{"KOTA_HOME": filepath.Join(t.TempDir(), "home")})
		if err := run(ctx, args, env, in, io.Discard, io.Discard); err == nil {
			t.Errorf("%v: it went well, with nothing to read", args)
		}
	}
}
