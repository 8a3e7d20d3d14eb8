package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"kota/store"
)

func TestCodesBecomeCauses(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		cause     error
		retryable bool
	}{
		"53100": {store.ErrFull, true}, "53300": {store.ErrBusy, true}, "25006": {store.ErrReadOnly, false}, "55P03": {store.ErrBusy, true},
		"40001": {store.ErrBusy, true}, "40P01": {store.ErrBusy, true}, "57014": {store.ErrBusy, true}, "25P03": {store.ErrBusy, true},
		"08006": {store.ErrUnreachable, true}, "57P01": {store.ErrUnreachable, true}, "57P02": {store.ErrUnreachable, true}, "57P03": {store.ErrUnreachable, true},
		"42501": {store.ErrNoRights, false}, "28P01": {store.ErrNoRights, false}, "58030": {store.ErrIO, false}, "XX001": {store.ErrCorrupt, false},
		"22021": {store.ErrInvalid, false}, "54000": {store.ErrInvalid, false}, "23505": {nil, false}, "42703": {nil, false}, "": {nil, false}, "X": {nil, false},
	} {
		refused := &pgconn.PgError{Severity: "ERROR", Code: code, Message: "oops", Detail: "Key (k)=(" + canary + ")", Hint: canary, Where: canary, ConstraintName: "some_key"}
		err := classify(fmt.Errorf("insert: %w", refused))
		if want.cause != nil && !errors.Is(err, want.cause) || !errors.As(err, new(*pgconn.PgError)) {
			t.Errorf("%s: got %v, want %v", code, err, want.cause)
		}
		if strings.Contains(err.Error(), canary) || !strings.Contains(err.Error(), "SQLSTATE "+code) || !strings.Contains(err.Error(), "some_key") {
			t.Errorf("%s: the text is %q", code, err)
		}
		message, hint, retryable := err.(*failure).Unavailable()
		if wantMessage := want.cause != nil && want.cause != store.ErrInvalid; (message != "") != wantMessage || retryable != want.retryable {
			t.Errorf("%s: the caller gets %q, retryable %v", code, message, retryable)
		}
		if strings.Contains(hint, "repeat the call") != want.retryable {
			t.Errorf("%s: the hint is %q", code, hint)
		}
		if again := classify(fmt.Errorf("write: %w", err)); !strings.HasPrefix(again.Error(), "write: ") {
			t.Errorf("a second classify loses the text: %v", again)
		}
	}
}

func TestLostConnectionsAreUnreachable(t *testing.T) {
	t.Parallel()
	for _, err := range []error{io.ErrUnexpectedEOF, io.EOF, net.ErrClosed, pgconn.ErrConnClosed, &net.OpError{Op: "read", Err: errors.New("connection reset by peer")}} {
		if got := classify(fmt.Errorf("receive: %w", err)); !errors.Is(got, store.ErrUnreachable) || !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
	for _, err := range []error{context.Canceled, context.DeadlineExceeded} {
		if got := classify(fmt.Errorf("timeout: %w", err)); !errors.Is(got, err) || errors.Is(got, store.ErrUnreachable) {
			t.Errorf("%v became %v", err, got)
		}
	}
	unknown := &failure{store.ErrOutcomeUnknown, io.EOF, store.ErrOutcomeUnknown.Error()}
	if message, hint, retryable := unknown.Unavailable(); message == "" || retryable || !strings.Contains(hint, "before you repeat it") {
		t.Errorf("after an unknown outcome the caller gets %q, %q, retryable %v", message, hint, retryable)
	}
	own := errors.New("own")
	if classify(nil) != nil || classify(own) != own {
		t.Error("errors of others change")
	}
}

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
