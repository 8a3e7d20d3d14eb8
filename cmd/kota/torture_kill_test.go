package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// acknowledgement is what a server answered to a write before it died.
type acknowledgement struct {
	id     string
	answer object
}

func TestKilledServerLosesNoWriteOfAnyKind(t *testing.T) {
	d := newHomeForWrites(t)
	var acknowledged []acknowledgement
	for life := range crashLoops(t) {
		p := serveIn(t, d.home)
		go func() {
			for n := 0; ; n++ { // until the pipe breaks
				k := kinds[n%len(kinds)]
				if k.name == "approval" && (life%5 > 0 || n > 4*len(kinds)) {
					continue // beyond a hundred pending calls, some are dropped
				}
				if _, err := io.WriteString(p.stdin, k.lines(k.id(life, n))); err != nil {
					return
				}
			}
		}()
		// Some lives last until a call waits for approval.
		wants, killed := life%5 == 0, false
		for answers := 0; ; answers++ {
			answer, more := p.next() // output from before the kill is still read
			if !more {
				break
			}
			if ack, ok := readAcknowledgement(t, answer); ok {
				acknowledged = append(acknowledged, ack)
				wants = wants && kindOf(t, ack.id).name != "approval"
			}
			if !killed && answers >= 20+life*37%200 && (!wants || answers > 1000) {
				if killed = true; p.cmd.Process.Kill() != nil {
					t.Fatal("it has ended before it was killed")
				}
			}
		}
		if err := p.cmd.Wait(); err == nil {
			t.Fatal("the server ended by itself")
		}
	}
	found := d.checkAllStored(acknowledged)
	for _, k := range kinds {
		if found[k.name] == 0 {
			t.Errorf("no %s was acknowledged before a kill", k.name)
		}
	}
	d.checkNothingSentTwice()
	d.checkIntact()
}

// readAcknowledgement returns what an answer acknowledges. It returns false for an
// error, the greeting, and the answer to a call that only another call needed.
func readAcknowledgement(t testing.TB, answer message) (acknowledgement, bool) {
	t.Helper()
	id, _ := answer.ID.(string)
	if id == "hello" || strings.HasPrefix(id, beforePrefix) {
		return acknowledgement{}, false
	}
	result := answer.call(t)
	ack := acknowledgement{id: id}
	if err := json.Unmarshal([]byte(result.text()), &ack.answer); err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return ack, !result.IsError || isPending(result)
}

// isPending reports whether a call is pending.
func isPending(result callResult) bool { return strings.Contains(result.text(), `"APPROVAL_REQUIRED"`) }

// checkAllStored checks that another process can read every write that was acknowledged, and
// returns their number per kind.
func (d *testHome) checkAllStored(acknowledged []acknowledgement) map[string]int {
	d.t.Helper()
	p := serveIn(d.t, d.home)
	want, of := map[string]string{}, map[string]int{}
	var calls strings.Builder
	for _, ack := range acknowledged {
		k := kindOf(d.t, ack.id)
		of[k.name]++
		tool, args, has := k.read(ack.id, ack.answer)
		want[ack.id] = has
		calls.WriteString(toolCall(ack.id, tool, args))
	}
	for _, answer := range p.callAll(calls.String()) {
		id := answer.ID.(string)
		if found := answer.call(d.t); found.IsError && !isPending(found) || !strings.Contains(found.text(), want[id]) {
			d.t.Errorf("%s was acknowledged, and reading it answers %s", id, found.text())
		}
	}
	p.end()
	d.t.Logf("acknowledged and found: %v", of)
	return of
}

// callAll makes calls all at once and returns the answers to them. A server
// whose input ends answers for at most five seconds.
func (p *process) callAll(lines string) []message {
	p.t.Helper()
	go io.WriteString(p.stdin, lines)
	answers := []message{}
	for len(answers) < strings.Count(lines, "\n") {
		answer, more := p.next()
		if !more {
			p.t.Fatalf("it stopped: %s", p.stderr.String())
		}
		if answer.ID != "hello" && answer.ID != nil { // not a notification
			answers = append(answers, answer)
		}
	}
	return answers
}

// checkNothingSentTwice checks that no mail was sent twice.
func (d *testHome) checkNothingSentTwice() {
	d.t.Helper()
	times := map[string]int{}
	for _, mail := range d.google.User(ann).Sent() {
		times[mail.Header("Subject")]++
	}
	if len(times) == 0 {
		d.t.Error("no mail was sent")
	}
	for subject, n := range times {
		if n > 1 {
			d.t.Errorf("%s was sent %d times", subject, n)
		}
	}
}

// checkIntact checks that the doctor finds the tables and the index undamaged, and
// the audit log unchanged.
func (d *testHome) checkIntact() {
	d.t.Helper()
	output, _, _ := d.run("doctor") // which fails for mail whose outcome is unknown
	for _, line := range []string{"ok    integrity ", "ok    search index "} {
		if !strings.Contains(output, line) {
			d.t.Errorf("the doctor does not say %q:\n%s", line, output)
		}
	}
	if output, complaint, status := d.run("audit", "verify"); status != 0 {
		d.t.Errorf("the audit log: %s%s", output, complaint)
	}
}
