package timeparse_test

import (
	"testing"
	"time"

	"kota/bundles/internal/timeparse"
)

func TestExplainSuggestsAlternative(t *testing.T) {
	amsterdam, err := timeparse.Zone("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	at := timeparse.Context{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, amsterdam), Zone: amsterdam}
	_, skipped := timeparse.Parse("2026-03-29T02:30", at)
	_, never := timeparse.Parse("soon", at)
	_, near := timeparse.Zone("Europe/Amsterdm")
	_, nowhere := timeparse.Zone("Mars/Phobos")
	for name, c := range map[string]struct {
		err           error
		what, instead string
	}{
		"a time that clocks skip": {skipped, "an existing time", "2026-03-29T03:00:00+02:00"},
		"no time":                 {never, "a time", ""},
		"a zone misspelt":         {near, "a time zone", "Europe/Amsterdam"},
		"a zone of nowhere":       {nowhere, "a time zone", ""},
	} {
		if what, instead := timeparse.Explain(c.err); what != c.what || instead != c.instead {
			t.Errorf("%s: got %q, %q of %v", name, what, instead, c.err)
		}
	}
}
