package sqlite_test

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// A panicLog is a log that signals when a panic was written to it.
type panicLog struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{}
}

func (l *panicLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(line)
	if bytes.Contains(line, []byte("panic")) {
		select {
		case l.wrote <- struct{}{}:
		default:
		}
	}
	return len(line), nil
}

// Background work runs in its own goroutine. A panic there is logged without its value, and does
// not end the program.
func TestPanicInBackgroundWorkIsLoggedAndEndsNothing(t *testing.T) {
	var broken atomic.Bool
	log := &panicLog{wrote: make(chan struct{}, 1)}
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{
		Now: func() time.Time {
			if broken.Load() {
				panic("marzipan")
			}
			return time.Now()
		},
		Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
	m := memory.New(db, "ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("good")})
	broken.Store(true)
	<-log.wrote // by the background work after the write
	broken.Store(false)
	if got := string(get(t, m, "k").Value); got != `"good"` {
		t.Errorf("it has %s", got)
	}
	set(t, m, store.Entry{Key: "k", Value: jsonText("better")})
	log.mu.Lock()
	defer log.mu.Unlock()
	if logged := log.text.String(); strings.Contains(logged, "marzipan") || !strings.Contains(logged, "work in the background") {
		t.Errorf("the log says %s", logged)
	}
}
