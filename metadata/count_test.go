package metadata_test

import (
	"testing"

	"kota/metadata"
)

func TestCountOf(t *testing.T) {
	for _, c := range []struct {
		n    int
		word string
		want string
	}{
		{1, "search", "1 search"}, {2, "search", "2 searches"}, {0, "row", "0 rows"}, {1, "row", "1 row"}, {3, "memory", "3 memories"},
		{1, "memory", "1 memory"}, {2, "day", "2 days"}, {2, "entry", "2 entries"}, {2, "address", "2 addresses"}, {2, "fax", "2 faxes"},
	} {
		if got := metadata.CountOf(c.n, c.word); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
