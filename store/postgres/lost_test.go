package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"kota/store"
)

// Only the context of the caller may look like one that has ended.
func TestKOTAsOwnLimitIsNoErrorOfTheCallersContext(t *testing.T) {
	t.Parallel()
	waited := fmt.Errorf("timeout: %w", context.DeadlineExceeded)
	own, cancel := context.WithTimeoutCause(t.Context(), 0, errCallLimit)
	defer cancel()
	<-own.Done()
	if got := (&Server{}).classifyRead(own, waited); !errors.Is(got, store.ErrUnreachable) || errors.Is(got, context.DeadlineExceeded) {
		t.Errorf("after KOTA's own limit: %v", got)
	}
	callers, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	inner, cancel := withCallLimit(callers)
	defer cancel()
	<-inner.Done()
	if got := (&Server{}).classifyRead(inner, waited); errors.Is(got, store.ErrUnreachable) || !errors.Is(got, context.DeadlineExceeded) {
		t.Errorf("after the limit of the caller: %v", got)
	}
}

func TestTranslatedFatalErrorEndsConnection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		severity, unlocalized string
		ends                  bool
	}{
		{"FATAL", "FATAL", true}, {"FATALE", "FATAL", true}, {"PANIK", "PANIC", true}, {"FATAL", "", true},
		{"ERROR", "ERROR", false}, {"ERRORE", "ERROR", false}, {"", "", false},
	} {
		err := &pgconn.PgError{Severity: c.severity, SeverityUnlocalized: c.unlocalized, Code: "57P01"}
		if got := isLost(&tripError{err: err}); got != c.ends {
			t.Errorf("%+v: the connection has ended: %t", c, got)
		}
	}
}
