package app

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/metadata"
)

// fakeOutbox is an outbox in memory that records what it is asked to do.
type fakeOutbox struct {
	items   []bundles.OutboxItem
	suggest string
	broken  error
	actions []string
}

func (s *fakeOutbox) List(context.Context) ([]bundles.OutboxItem, error) { return s.items, s.broken }

func (s *fakeOutbox) Show(_ context.Context, id string) (bundles.OutboxItem, error) {
	for _, item := range s.items {
		if item.ID == id {
			return item, s.broken
		}
	}
	e := metadata.Errorf(metadata.NotFound, "it is not here").WithHint("Look elsewhere.")
	if s.suggest != "" {
		e.Problems = []metadata.Problem{{Path: "id", Suggestion: s.suggest}}
	}
	return bundles.OutboxItem{}, errors.Join(s.broken, e)
}

func (s *fakeOutbox) Retry(ctx context.Context, id string) (bundles.OutboxItem, error) {
	s.actions = append(s.actions, "retry "+id)
	return s.Show(ctx, id)
}

func (s *fakeOutbox) Drop(ctx context.Context, id string) (bundles.OutboxItem, error) {
	s.actions = append(s.actions, "drop "+id)
	return s.Show(ctx, id)
}

func itemAt(id string, minute int) bundles.OutboxItem {
	return bundles.OutboxItem{ID: id, Changed: time.Date(2026, 11, 21, 12, minute, 0, 0, time.UTC)}
}

func TestOutboxListsAllBundles(t *testing.T) {
	mail := &fakeOutbox{items: []bundles.OutboxItem{itemAt("m3", 3), itemAt("m1", 1), itemAt("m0", 1)}}
	events := &fakeOutbox{items: []bundles.OutboxItem{itemAt("e4", 4), itemAt("e1", 1)}}
	items, err := outboxes{mail, events}.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, item := range items {
		got = append(got, item.ID)
	}
	if want := "e4 m3 m1 m0 e1"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if items, err := (outboxes{&fakeOutbox{}, &fakeOutbox{}}).List(t.Context()); err != nil || items == nil {
		t.Errorf("of nothing: %v, %v", items, err)
	}
	events.broken = errors.New("no database")
	if _, err := (outboxes{mail, events}).List(t.Context()); !errors.Is(err, events.broken) {
		t.Errorf("half a list is shown: %v", err)
	}
}

func TestOutboxThatHasItemHandlesIt(t *testing.T) {
	mail, events := &fakeOutbox{items: []bundles.OutboxItem{itemAt("m1", 1)}}, &fakeOutbox{items: []bundles.OutboxItem{itemAt("e1", 1)}}
	all := outboxes{mail, events}
	for _, act := range []func(context.Context, string) (bundles.OutboxItem, error){all.Show, all.Retry, all.Drop} {
		if item, err := act(t.Context(), "e1"); err != nil || item.ID != "e1" {
			t.Errorf("got %+v, %v", item, err)
		}
	}
	if len(mail.actions) != 0 || strings.Join(events.actions, ", ") != "retry e1, drop e1" {
		t.Errorf("mail did %q, events %q", mail.actions, events.actions)
	}
	mail.broken = metadata.Errorf(metadata.Unavailable, "no database")
	if _, err := all.Retry(t.Context(), "m1"); !errors.Is(err, mail.broken) || len(mail.actions) != 0 {
		t.Errorf("one that cannot be read: %v, %q", err, mail.actions)
	}
}

func TestUnknownItemSuggestsSimilarID(t *testing.T) {
	for _, c := range []struct{ mail, events, want string }{{"", "e1", "e1"}, {"m1", "e1", "m1"}, {"m1", "", "m1"}, {"", "", ""}} {
		all := outboxes{&fakeOutbox{suggest: c.mail}, &fakeOutbox{suggest: c.events}}
		_, err := all.Drop(t.Context(), "x")
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) || e.Code != metadata.NotFound {
			t.Fatalf("got %v", err)
		}
		got := ""
		if len(e.Problems) > 0 {
			got = e.Problems[0].Suggestion
		}
		if got != c.want {
			t.Errorf("%+v: it suggests %q", c, got)
		}
	}
}
