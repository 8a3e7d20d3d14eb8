package zoned_test

import (
	"testing"
	"time"

	"kota/bundles/internal/zoned"
)

func TestWhatCannotBeReadIsSaidWithWhatMayBeMeant(t *testing.T) {
	amsterdam, err := zoned.Zone("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	at := zoned.Context{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, amsterdam), Zone: amsterdam}
	_, skipped := zoned.Parse("2026-03-29T02:30", at)
	_, never := zoned.Parse("soon", at)
	_, near := zoned.Zone("Europe/Amsterdm")
	_, nowhere := zoned.Zone("Mars/Phobos")
	for name, c := range map[string]struct {
		err           error
		what, instead string
	}{
		"a time that clocks skip": {skipped, "a time that clocks show", "2026-03-29T03:00:00+02:00"},
		"no time":                 {never, "a time", ""},
		"a zone misspelt":         {near, "a time zone", "Europe/Amsterdam"},
		"a zone of nowhere":       {nowhere, "a time zone", ""},
	} {
		if what, instead := zoned.Wanted(c.err); what != c.what || instead != c.instead {
			t.Errorf("%s: got %q, %q of %v", name, what, instead, c.err)
		}
	}
}
