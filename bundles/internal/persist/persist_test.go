package persist_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
	"kota/store/tables/undo"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.FixedZone("CET", 60*60))

// newUndos returns the empty undo records of the bundle mail over a database whose
// clock shows *now.
func newUndos(t *testing.T, now *time.Time) persist.Undos { return newUndosByBundle(t, now)("mail") }

// newUndosByBundle returns the undo records of bundles over one database.
func newUndosByBundle(t *testing.T, now *time.Time) func(bundle string) persist.Undos {
	t.Helper()
	clock := func() time.Time { return *now }
	db := enginetest.Open(t, clock)
	return func(bundle string) persist.Undos {
		return persist.Undos{
			Store: func(ctx context.Context) (persist.UndoStore, error) {
				return undo.New(db, "ann", bundle), ctx.Err()
			},
			Bundle: bundle, Tool: "mail_undo", Source: untrusted.Mail, Now: clock,
		}
	}
}

func save(t *testing.T, u persist.Undos, title string) string {
	t.Helper()
	id, err := u.Save(t.Context(), "ann@example.com", title, "labels", map[string]int{"a": 1})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// codeOf returns the code of an error.
func codeOf(t *testing.T, err error) metadata.Code {
	t.Helper()
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) || e.Hint == "" {
		t.Fatalf("got %v, want an error with a hint", err)
	}
	return e.Code
}

func all(context.Context, *store.UndoRecord) (bool, error) { return true, nil }

func TestChangeIsUndoneOnce(t *testing.T) {
	now := noon
	u := newUndos(t, &now)
	id := save(t, u, "archive 2 messages")
	var got store.UndoRecord
	change, err := u.Run(t.Context(), id, func(_ context.Context, c *store.UndoRecord) (bool, error) {
		if _, err := u.Run(t.Context(), id, all); codeOf(t, err) != metadata.Conflict {
			t.Errorf("meanwhile: %v", err)
		}
		got = *c
		return true, nil
	})
	if err != nil || change.Title != "archive 2 messages" {
		t.Fatalf("got %+v, %v", change, err)
	}
	want := store.UndoRecord{ID: id, Account: "ann@example.com", Kind: "labels", Title: "archive 2 messages", Before: json.RawMessage(`{"a":1}`), Created: noon.UTC()}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	_, err = u.Run(t.Context(), id, func(context.Context, *store.UndoRecord) (bool, error) {
		t.Error("it is put back twice")
		return true, nil
	})
	if codeOf(t, err) != metadata.Conflict || !strings.Contains(err.Error(), "2026-11-21T12:00:00+01:00") {
		t.Errorf("again: %v", err)
	}
}

func TestFailedUndoCanBeRepeated(t *testing.T) {
	now := noon
	u := newUndos(t, &now)
	id := save(t, u, "move 1 event")
	ctx, cancel := context.WithCancel(t.Context())
	change, err := u.Run(ctx, id, func(context.Context, *store.UndoRecord) (bool, error) {
		cancel() // the client gives up meanwhile
		return false, errors.New("no network")
	})
	if err == nil || change == nil {
		t.Errorf("got %v, %v", change, err)
	}
	if change, err := u.Run(t.Context(), id, func(context.Context, *store.UndoRecord) (bool, error) { return false, nil }); err != nil || change.ID != id {
		t.Errorf("in part: %+v, %v", change, err)
	}
	if _, err := u.Run(t.Context(), id, all); err != nil {
		t.Errorf("in the end: %v", err)
	}
}

func TestCancelledCallKeepsUndoRecord(t *testing.T) {
	now := noon
	u := newUndos(t, &now)
	less, none := save(t, u, "archive 5 messages"), save(t, u, "archive 1 message")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := u.Amend(ctx, less, "archive 3 messages", []string{"a"}); err != nil {
		t.Error(err)
	}
	why := metadata.Errorf(metadata.Refused, "no")
	if err := u.Drop(ctx, none, why); !errors.Is(err, why) || codeOf(t, u.Failed(ctx, less, metadata.Errorf(metadata.OutcomeUnknown, "?").WithHint("Look."))) != metadata.OutcomeUnknown {
		t.Errorf("got %v", err)
	}
	unknown := u.Unknown(less, why)
	if e := (*metadata.Error)(nil); codeOf(t, unknown) != metadata.OutcomeUnknown || !errors.As(unknown, &e) || !strings.Contains(e.Hint, `mail_undo {"undo_id": "`+less+`"}`) {
		t.Errorf("got %v", unknown)
	}
	recent, err := u.Recent(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []persist.Undoable{{ID: less, Title: "archive 3 messages", Account: "ann@example.com", At: "2026-11-21T12:00:00+01:00", Provenance: &untrusted.Provenance{Source: untrusted.Mail, Trust: "mixed"}}}
	if !cmp.Equal(recent, want) {
		t.Error(cmp.Diff(want, recent))
	}
	if err := u.Failed(ctx, less, why); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	if recent, err := u.Recent(t.Context()); err != nil || recent == nil || len(recent) != 0 {
		t.Errorf("one that failed is listed: %+v, %v", recent, err)
	}
}

func TestUnknownUndoIDNamesListTool(t *testing.T) {
	now := noon
	of := newUndosByBundle(t, &now)
	u, other := of("mail"), of("events")
	id := save(t, u, "archive 1 message")
	for name, unknown := range map[string]func() error{
		"no id":             func() error { _, err := u.Run(t.Context(), strings.Repeat("\x00", 1000), all); return err },
		"of another bundle": func() error { _, err := other.Run(t.Context(), id, all); return err },
		"too old": func() error {
			now = noon.Add(store.UndoTTL + time.Second)
			_, err := u.Run(t.Context(), id, all)
			return err
		},
	} {
		err := unknown()
		now = noon
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) || e.Code != metadata.NotFound || !strings.Contains(e.Hint, "mail_undo") || len(e.Message) > 500 {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRecentListsLastTen(t *testing.T) {
	now := noon
	u := newUndos(t, &now)
	for i := range 12 {
		now = noon.Add(time.Duration(i) * time.Minute)
		save(t, u, fmt.Sprint("change ", i))
	}
	recent, err := u.Recent(t.Context())
	if err != nil || len(recent) != 10 || recent[0].Title != "change 11" || recent[9].Title != "change 2" {
		t.Errorf("got %+v, %v", recent, err)
	}
}

func TestStoreErrorsHaveHints(t *testing.T) {
	u := persist.Undos{Store: func(context.Context) (persist.UndoStore, error) { return nil, fmt.Errorf("open: %w", store.ErrBusy) }}
	_, saving := u.Save(t.Context(), "a", "b", "c", nil)
	_, running := u.Run(t.Context(), "u_1", all)
	_, listing := u.Recent(t.Context())
	for _, err := range []error{saving, running, listing, u.Amend(t.Context(), "u_1", "b", nil)} {
		if codeOf(t, err) != metadata.Unavailable {
			t.Errorf("got %v", err)
		}
	}
	why := errors.New("no")
	if err := u.Drop(t.Context(), "u_1", why); !errors.Is(err, why) || !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v", err)
	}
}

func TestExplainStoreErrors(t *testing.T) {
	for err, want := range map[error]metadata.Code{
		store.ErrNotFound: metadata.NotFound, store.ErrInvalid: metadata.ValidationError, store.ErrBusy: metadata.Unavailable,
		store.ErrReplaced: metadata.Unavailable, store.ErrFull: metadata.Unavailable, store.ErrReadOnly: metadata.Unavailable,
		store.ErrIO: metadata.Unavailable, store.ErrCorrupt: metadata.Unavailable, store.ErrClosed: metadata.Unavailable,
		store.ErrUnreachable: metadata.Unavailable, store.ErrNoRights: metadata.Unavailable, store.ErrUnusable: metadata.Unavailable, store.ErrOutcomeUnknown: metadata.OutcomeUnknown,
	} {
		got := persist.Explain(fmt.Errorf("read: %w", err))
		e := (*metadata.Error)(nil)
		if codeOf(t, got) != want || !errors.Is(got, err) || !errors.As(got, &e) || e.Retryable != (err == store.ErrBusy || err == store.ErrUnreachable) {
			t.Errorf("%v: got %v", err, got)
		}
	}
	foreign := metadata.Errorf(metadata.RateLimited, "later")
	if got := persist.Explain(foreign); got != error(foreign) {
		t.Errorf("a foreign one becomes %v", got)
	}
	if got := persist.Explain(nil); got != nil {
		t.Errorf("none becomes %v", got)
	}
}
