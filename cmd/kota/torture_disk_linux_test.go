package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kota/store/faulttest"
)

// A server whose disk begins to fail reports each write truthfully, continues
// to read, and ends in order. Once the disk works again, all acknowledged
// writes are there. No mail is sent twice. Without full torture, only three of
// the faults occur: one write that fails, one sync, and one file that is full.
func TestFailingDiskReportsWritesTruthfully(t *testing.T) {
	faults := map[string]func(t *testing.T, serve *exec.Cmd) *exec.Cmd{
		"no space":                  injectFault("pwrite64", "ENOSPC"),
		"no space to sync":          injectFault("fsync", "ENOSPC"),
		"the quota is used up":      injectFault("pwrite64", "EDQUOT"),
		"a write fails":             injectFault("pwrite64", "EIO"),
		"a sync fails":              injectFault("fsync", "EIO"),
		"it has become read-only":   injectFault("pwrite64", "EROFS"),
		"the file may grow no more": limitFileSize,
	}
	if !faulttest.FullTorture() {
		for _, name := range []string{"no space to sync", "the quota is used up", "a write fails", "it has become read-only"} {
			delete(faults, name)
		}
		t.Log("four faults are left to `make torture`")
	}
	for name, fail := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newHomeForWrites(t)
			path, err := exec.LookPath("kota")
			if err != nil {
				t.Fatal(err)
			}
			warm := serveIn(t, d.home) // makes the database
			warm.send(kinds[0].lines("memory-9-0"))
			warm.end()
			p := start(t, fail(t, exec.Command(path, "serve")), d.home)
			acknowledged, refused := p.writeEveryKind(0, sampleSize(4, 12))
			if len(refused) == 0 {
				t.Error("nothing failed")
			}
			p.end()
			d.checkAllStored(acknowledged)
			d.repeatMails(refused)
			d.checkNothingSentTwice()
			d.checkIntact()
			t.Logf("%d writes were acknowledged, %d refused", len(acknowledged), len(refused))
		})
	}
}

// injectFault makes a system call of each thread fail from the tenth time on.
func injectFault(call, fault string) func(*testing.T, *exec.Cmd) *exec.Cmd {
	return func(t *testing.T, serve *exec.Cmd) *exec.Cmd {
		return faulttest.Strace(t, serve, "-o", os.DevNull, "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:error=%s:when=10+", call, fault))
	}
}

// limitFileSize limits files to 600 KiB, as ulimit counts them.
func limitFileSize(_ *testing.T, serve *exec.Cmd) *exec.Cmd {
	return exec.Command("sh", "-c", `ulimit -f 1200; exec "$0" "$@"`, serve.Path, "serve")
}

// writeEveryKind makes that many writes of each kind, one after the other, and
// checks that reading works after each failure. It returns what was
// acknowledged, and the ids of the others.
func (p *process) writeEveryKind(life, each int) (acknowledged []acknowledgement, refused []string) {
	p.t.Helper()
	for n := range each * len(kinds) {
		k := kinds[n%len(kinds)]
		id := k.id(life, n)
		if k.before != nil {
			tool, args := k.before(id)
			p.ask(toolCall(beforePrefix+id, tool, args))
		}
		answer := p.ask(k.line(id))
		if ack, ok := readAcknowledgement(p.t, answer); ok {
			acknowledged = append(acknowledged, ack)
			continue
		}
		refused = append(refused, id)
		p.checkReason(id, answer.call(p.t).text())
		if found := p.ask(toolCall("read", "memory_get", object{"query": "memory-9-0"})).call(p.t); found.IsError || !strings.Contains(found.text(), "the value of memory-9-0") {
			p.t.Errorf("after %s was refused, reading answers %s", id, found.text())
		}
	}
	return acknowledged, refused
}

// checkReason checks that a refused write says what the caller can do.
func (p *process) checkReason(id, output string) {
	p.t.Helper()
	var refusal struct{ Error, Message, Hint string }
	if err := json.Unmarshal([]byte(output), &refusal); err != nil {
		p.t.Fatalf("%s: %s", id, output)
	}
	may := []string{"UNAVAILABLE"}
	switch strings.Split(id, "-")[0] {
	case "outbox", "undo":
		may = append(may, "OUTCOME_UNKNOWN") // Google has done it, and that could not be recorded
	case "deletion":
		may = append(may, "NOT_FOUND") // the copy of what it deletes could not be stored
	}
	if !slices.Contains(may, refusal.Error) || refusal.Hint == "" {
		p.t.Errorf("%s answers %s", id, output)
	}
}

// repeatMails repeats the calls that sent mail: the mail may have been sent.
func (d *testHome) repeatMails(refused []string) {
	d.t.Helper()
	p := serveIn(d.t, d.home)
	for _, id := range refused {
		if strings.HasPrefix(id, "outbox-") {
			p.ask(kindOf(d.t, id).lines(id))
		}
	}
	p.end()
}

// A disk of 3 MB is filled to its last byte, and emptied again.
func TestFullDiskIsReadAndLaterWritten(t *testing.T) {
	d := newTestHome(t)
	onSmallDisk(t, d.home, "3m")
	d = d.permitEverything()
	p := serveIn(t, d.home)
	p.ask(kinds[0].lines("memory-9-0"))
	acknowledged, refused := p.writeEveryKind(0, 1)
	if len(refused) != 0 {
		t.Fatalf("refused while there is space: %s", refused)
	}
	filler := filepath.Join(d.home, "filler")
	fill(t, filler)
	for n := 0; len(refused) == 0; n++ { // writes that fit in the log still succeed
		if n == 200 {
			t.Fatal("it is never full")
		}
		id := fmt.Sprint("memory-8-", n)
		answer := p.ask(toolCall(id, "memory_set", object{"key": id, "value": "the value of " + id + strings.Repeat(" and so on", 5000)}))
		if ack, ok := readAcknowledgement(t, answer); ok {
			acknowledged = append(acknowledged, ack)
			continue
		}
		refused = append(refused, id)
		if output := answer.call(t).text(); !strings.Contains(output, `"UNAVAILABLE"`) || !strings.Contains(output, "disk is full") {
			t.Errorf("%s answers %s", id, output)
		}
	}
	more, _ := p.writeEveryKind(1, 2)
	acknowledged = append(acknowledged, more...)
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	more, refused = p.writeEveryKind(2, 1)
	if len(refused) != 0 {
		t.Errorf("refused again though there is space: %s", refused)
	}
	acknowledged = append(acknowledged, more...)

	fill(t, filler)
	p.end()
	again := serveIn(t, d.home)
	if found := again.ask(toolCall("read", "memory_get", object{"query": "memory-9-0"})).call(t); found.IsError {
		t.Errorf("a server that starts on a full disk answers %s", found.text())
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	more, refused = again.writeEveryKind(3, 1)
	if len(refused) != 0 {
		t.Errorf("a server that started on a full disk refuses though there is space: %s", refused)
	}
	again.end()
	d.checkAllStored(append(acknowledged, more...))
	d.checkNothingSentTwice()
	d.checkIntact()
}

// onSmallDisk mounts a disk of that size at dir, until the test ends.
func onSmallDisk(t *testing.T, dir, size string) {
	t.Helper()
	if err := syscall.Mount("kota", dir, "tmpfs", 0, "mode=0700,size="+size); err != nil {
		t.Skipf("not checked here: a disk may not be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// fill writes a file until its disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for size := 1 << 16; size > 0; size /= 2 {
		for err == nil {
			_, err = file.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		err = nil
	}
}
