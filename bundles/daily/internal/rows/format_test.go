package rows

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kota/bundles/internal/untrusted"
	"kota/store"
)

func TestShortenCutsBetweenCharacters(t *testing.T) {
	for _, c := range []struct{ text, want string }{{"", ""}, {"abcd", "abcd"}, {"abcde", "abc…"}, {"äöüßé", "äöü…"}, {"👩‍👩‍👧 and", ""}} {
		got := Shorten(c.text, 4)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 4 || c.want != "" && got != c.want {
			t.Errorf("%q: got %q", c.text, got)
		}
	}
}

func TestFenceMarksOnlyLongUntrustedText(t *testing.T) {
	others, long := &untrusted.Provenance{Trust: "stranger"}, strings.Repeat("x", Brief+1)
	if got := Fence(long, nil); got != long {
		t.Errorf("of the user: got %q", got)
	}
	if got := Fence("short", others); got != "short" {
		t.Errorf("a short one: got %q", got)
	}
	if got := Fence(long, others); !strings.Contains(got, long) || got == long {
		t.Errorf("a long one: got %q", got)
	}
}

// The time of an entry stays correct if its zone is no longer known.
func TestMomentOfUsesZoneOfEntry(t *testing.T) {
	at := time.Date(2026, 11, 20, 22, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		e    store.DayEntry
		want string
	}{{store.DayEntry{}, ""}, {store.DayEntry{Moment: at, Zone: "Europe/Amsterdam"}, "23:30"}, {store.DayEntry{Moment: at, Zone: "Mars/Phobos"}, "22:30"}} {
		if got := TimeOf(&c.e); got != c.want {
			t.Errorf("%+v: got %q", c.e, got)
		}
	}
}
