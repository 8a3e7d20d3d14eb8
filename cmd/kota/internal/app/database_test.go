package app

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"

	"kota/cmd/kota/internal/config"
)

// A call that joins an attempt from before the repair must not report the
// error of that attempt.
func TestAJoinedAttemptThatFailedIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &App{Config: config.Config{Home: t.TempDir()}, Log: slog.New(slog.DiscardHandler)}
		d, earlier := &a.database, &attempt{done: make(chan struct{})}
		d.attempt = earlier
		opened := make(chan error)
		go func() {
			_, err := a.OpenDB(t.Context())
			opened <- err
		}()
		synctest.Wait() // the call has joined

		d.mu.Lock()
		d.attempt, earlier.err = nil, errors.New("the disk is not repaired yet")
		close(earlier.done)
		d.mu.Unlock()
		if err := <-opened; err != nil {
			t.Errorf("the call reports %v", err)
		}
		if err := a.CloseDB(); err != nil {
			t.Error(err)
		}
	})
}
