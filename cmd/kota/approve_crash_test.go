package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestApprovalSendsAtMostOnceAtEveryCrashPoint kills `kota approve` at each
// commit, request and answer. The test then repeats the call, and approves it
// again if needed, until it returns an outcome. The call must leave at most
// once, and a possible delivery must be reported.
func TestApprovalSendsAtMostOnceAtEveryCrashPoint(t *testing.T) {
	kinds := []string{"a draft", "a cancellation", "an invitation", "a mail without a key"}
	for _, name := range kinds[:sampleSize(1, len(kinds))] {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newCalendarHome(t, "send: ask\nlimits: {sends_per_hour: off, sends_per_day: off}\n")
			ended := 0
			for _, at := range []string{"commit", "request", "answer"} {
				for number := 1; sendingCalls[name].crashWhileApproving(d, crashPoint{at, number}) && !t.Failed(); number++ {
					ended++
				}
			}
			if ended < 6 {
				t.Errorf("it was ended at %d points, which cannot be all", ended)
			}
			t.Logf("ended at %d points", ended)
		})
	}
}

// crashWhileApproving has the call approved by a program that dies at that point, and
// reports whether it died.
func (l sendingCall) crashWhileApproving(d *testHome, point crashPoint) bool {
	d.t.Helper()
	name := "Approved " + point.String()
	args := l.prepare(d, name)
	id := d.mustPend(l.tool, args)
	died := d.runUntilCrash(nil, point, "approve", id, "--yes")
	if got := l.sent(d, name); got > 1 || !died && got != 1 {
		d.t.Fatalf("%s: reached %d times before anything is repeated", point, got)
	}
	d.expireLeases()
	d.expireApprovals()
	output := ""
	for range 3 {
		_, stderr, status := d.run("call", l.tool, mustMarshal(d.t, args))
		output += stderr
		if status == 0 {
			break
		}
		var pending pendingError
		if json.Unmarshal([]byte(stderr), &pending) == nil && pending.Approval != "" {
			_, stderr, _ = d.run("approve", pending.Approval, "--yes")
			output += stderr
		}
	}
	if got := l.sent(d, name); got > 1 || got == 0 && !strings.Contains(output, "OUTCOME_UNKNOWN") {
		d.t.Errorf("%s: reached %d times: %s", point, got, output)
	}
	return died
}
