package failure

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

// canary is in every text of the server that may quote rows.
const canary = "0123-CANARY"

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
		err := Classify(fmt.Errorf("insert: %w", refused))
		if want.cause != nil && !errors.Is(err, want.cause) || !errors.As(err, new(*pgconn.PgError)) {
			t.Errorf("%s: got %v, want %v", code, err, want.cause)
		}
		if strings.Contains(err.Error(), canary) || !strings.Contains(err.Error(), "SQLSTATE "+code) || !strings.Contains(err.Error(), "some_key") {
			t.Errorf("%s: the text is %q", code, err)
		}
		message, hint, retryable := err.(*databaseError).Unavailable()
		if wantMessage := want.cause != nil && want.cause != store.ErrInvalid; (message != "") != wantMessage || retryable != want.retryable {
			t.Errorf("%s: the caller gets %q, retryable %v", code, message, retryable)
		}
		if strings.Contains(hint, "repeat the call") != want.retryable {
			t.Errorf("%s: the hint is %q", code, hint)
		}
		if again := Classify(fmt.Errorf("write: %w", err)); !strings.HasPrefix(again.Error(), "write: ") {
			t.Errorf("a second classify loses the text: %v", again)
		}
	}
}

func TestLostConnectionsAreUnreachable(t *testing.T) {
	t.Parallel()
	for _, err := range []error{io.ErrUnexpectedEOF, io.EOF, net.ErrClosed, pgconn.ErrConnClosed, &net.OpError{Op: "read", Err: errors.New("connection reset by peer")}} {
		if got := Classify(fmt.Errorf("receive: %w", err)); !errors.Is(got, store.ErrUnreachable) || !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
	for _, err := range []error{context.Canceled, context.DeadlineExceeded} {
		if got := Classify(fmt.Errorf("timeout: %w", err)); !errors.Is(got, err) || errors.Is(got, store.ErrUnreachable) {
			t.Errorf("%v became %v", err, got)
		}
	}
	unknown := &databaseError{store.ErrOutcomeUnknown, io.EOF, store.ErrOutcomeUnknown.Error()}
	if message, hint, retryable := unknown.Unavailable(); message == "" || retryable || !strings.Contains(hint, "before you repeat it") {
		t.Errorf("after an unknown outcome the caller gets %q, %q, retryable %v", message, hint, retryable)
	}
	own := errors.New("own")
	if Classify(nil) != nil || Classify(own) != own {
		t.Error("errors of others change")
	}
}
