package metadata_test

import (
	"testing"

	"kota/metadata"
)

func TestSizeOverALimitDoesNotReadLikeTheLimit(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0.0", 1: "0.1", 1 << 20: "1.0", 4 << 20: "4.0", 4<<20 + 1: "4.1", 43 << 17: "5.4"} {
		if got := metadata.MiB(bytes); got != want {
			t.Errorf("%d bytes: got %s, want %s", bytes, got, want)
		}
	}
}

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
