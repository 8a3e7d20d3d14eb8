package postgres

import (
	"strings"
	"testing"
	"time"
)

func TestCheckFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.asSuperuser())
	if err := s.Writable(t.Context()); err != nil {
		t.Error(err)
	}
	s.localClock = func() time.Time { return time.Now().Add(5 * time.Minute) }
	d.exec(t, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'kota.memories_key'::regclass")
	problems, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := strings.Join(problems, "\n")
	for _, want := range []string{"fsync off", "not complete, drop them and start KOTA again: memories_key.", "The clock of this machine is 5m0s away"} {
		if !strings.Contains(found, want) {
			t.Errorf("%q is missing in:\n%s", want, found)
		}
	}
}
