package faulttest_test

import (
	"strings"
	"testing"

	"kota/store/faulttest"
)

// An acknowledgement before its file was synced is found, whatever the threads did in
// between.
func TestSyncedBetweenFindsAnAcknowledgementBeforeTheSync(t *testing.T) {
	const (
		write = `7 pwrite64(5</h/kota.db-wal>, "k1", 2, 0) = 2`
		sync  = `7 fsync(5</h/kota.db-wal>) = 0`
		ack   = `8 write(1<pipe:[3]>, "{\"id\":\"k1\"}", 11) = 11`
	)
	for name, c := range map[string]struct {
		lines []string
		want  bool
	}{
		"synced":                       {[]string{write, sync, ack}, true},
		"never synced":                 {[]string{write, ack}, false},
		"synced too late":              {[]string{write, ack, sync}, false},
		"synced before it was written": {[]string{sync, write, ack}, false},
		"another file":                 {[]string{write, `7 fsync(6</h/kota.db>) = 0`, ack}, false},
		"a sync that failed":           {[]string{write, `7 fsync(5</h/kota.db-wal>) = -1 EIO (Input/output error) (INJECTED)`, ack}, false},
		"a sync under way when it was written": {[]string{
			`9 fsync(5</h/kota.db-wal> <unfinished ...>`, write, `9 <... fsync resumed>) = 0`, ack}, false},
		"a sync under way when it was acknowledged": {[]string{
			write, `7 fsync(5</h/kota.db-wal> <unfinished ...>`, ack, `7 <... fsync resumed>) = 0`}, false},
		"a sync that was interrupted": {[]string{
			write, `7 fsync(5</h/kota.db-wal> <unfinished ...>`, `9 --- SIGURG {si_signo=SIGURG} ---`, `7 <... fsync resumed>)       = 0`, ack}, true},
		"a write that was interrupted": {[]string{
			`7 pwrite64(5</h/kota.db-wal>, "k1", 2, 0 <unfinished ...>`, `9 fsync(5</h/kota.db-wal>) = 0`, `7 <... pwrite64 resumed>) = 2`, ack}, false},
	} {
		calls := faulttest.ParseTrace(strings.Join(c.lines, "\n") + "\n")
		written, ok := faulttest.First(calls, "pwrite64", "-wal", "k1", 0)
		announced, alsoOK := faulttest.First(calls, "write", "", `\"id\":\"k1\"`, 0)
		if !ok || !alsoOK {
			t.Errorf("%s: not found in %+v", name, calls)
			continue
		}
		if got := faulttest.SyncedBetween(calls, "-wal", written.End, announced.Start); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestCallsCountsPerThread(t *testing.T) {
	trace := "7 pwrite64(5, \"a\") = 1\n8 fsync(5) = 0\n7 fsync(5 <unfinished ...>\n8 --- SIGURG {} ---\n7 <... fsync resumed>) = 0\n7 pwrite64(5, \"b(\") = 2\n"
	want := []faulttest.NthCall{{Name: "pwrite64", N: 1}, {Name: "fsync", N: 1}, {Name: "pwrite64", N: 2}}
	got := faulttest.Calls(trace)
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("call %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}
