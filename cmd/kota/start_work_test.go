package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// maxInitBytes is how much a package of KOTA may allocate before main begins. A
// package that prepares more delays the start of every command, so it should
// prepare on first use.
const maxInitBytes = 96 << 10

// The Go runtime prints "init PACKAGE @… ms, … ms clock, BYTES bytes, … allocs".
var initLine = regexp.MustCompile(`(?m)^init (kota/\S+) .* (\d+) bytes, \d+ allocs$`)

func TestNoPackagePreparesMuchAtStart(t *testing.T) {
	cmd := exec.Command("kota", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := initLine.FindAllSubmatch(out, -1)
	if len(lines) < 20 {
		t.Fatalf("%d packages of KOTA in the trace, want at least 20:\n%s", len(lines), out)
	}
	for _, line := range lines {
		if string(line[1]) == "kota/cmd/kota" {
			continue // the variables of these tests count there
		}
		bytes, err := strconv.Atoi(string(line[2]))
		if err != nil {
			t.Fatal(err)
		}
		if bytes > maxInitBytes {
			t.Errorf("%s allocates %d bytes before main, want at most %d", line[1], bytes, maxInitBytes)
		}
	}
}
