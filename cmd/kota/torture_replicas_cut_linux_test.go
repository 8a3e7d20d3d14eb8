package main

import (
	"strings"
	"testing"
	"time"

	"kota/store/faulttest"
	"kota/store/postgres/pgtest"
)

// A replica whose network to the database loses everything, without a word, does not send what the
// database has not granted. The other replica sends the mail, or says that the outcome is unknown. The
// first one is well once the network is back. The cut comes before a trip with a commit, in the middle
// of that trip, or before the answer.
func TestReplicaCutOffFromDatabaseSendsNothing(t *testing.T) {
	tortureReplicas(t)
	server := pgtest.StartOwn(t, "fsync=off")
	const granting = 3 // the commit that grants the request: after it, the replica sends
	for number := sampleSize(granting, 1); number <= granting; number++ {
		for _, at := range []string{"commit", "part of commit", "committed"} {
			if at == "committed" && number == granting || at == "commit" && !faulttest.FullTorture() {
				continue
			}
			point := crashPoint{at, number}
			t.Run(point.String(), func(t *testing.T) {
				t.Parallel()
				newReplicaHome(t, server).cutOff(point)
			})
		}
	}
}

// cutOff cuts a replica off when it sends a mail, and repeats the call at another one.
func (d *replicaHome) cutOff(point crashPoint) {
	d.t.Helper()
	proxy := newDatabaseProxy(d.t, d.server.Folder(), point.at == "part of commit")
	cut, other := d.start(proxy.url(d.t, d.database), d.google.URL()), d.start(d.database, d.google.URL())
	cut.mustCall("memory_set", object{"key": "warm", "value": "yes"})
	other.mustCall("memory_set", object{"key": "warm", "value": "yes"})
	time.Sleep(time.Second) // for what is written later, such as outcomes in the audit log
	proxy.watchCommits(func(n int, done bool) {
		if n == point.number && done == (point.at == "committed") {
			proxy.stall()
		}
	})
	first := make(chan replicaAnswer, 1)
	go func() {
		got, err := cut.call("gmail_send_message", lunch)
		if err != nil {
			got.text, got.failed = err.Error(), true
		}
		first <- got
	}()
	waitFor(d.t, "is cut off", proxy.stalled)
	proxy.watchCommits(nil)
	time.Sleep(500 * time.Millisecond)
	d.checkSent(0, "when it is cut off")
	sent := d.sendAtOther(other)
	got := <-first
	if got.elapsed > answerLimit || !got.failed {
		d.t.Errorf("the replica that is cut off answers after %s: %s", got.elapsed, got.text)
	}
	d.t.Logf("cut off: %s after %s", got.message(), got.elapsed.Round(100*time.Millisecond))
	proxy.restore()
	restored := time.Now()
	waitFor(d.t, "recovers", func() bool {
		got, err := cut.call("memory_set", object{"key": "after", "value": "yes"})
		return err == nil && !got.failed
	})
	d.t.Logf("it writes again after %s", time.Since(restored).Round(100*time.Millisecond))
	again, err := cut.call("gmail_send_message", lunch)
	if err != nil || again.failed != (sent == 0) || again.failed && !again.unknown() {
		d.t.Errorf("again: %v %s", err, again.text)
	}
	time.Sleep(time.Second)
	d.checkSent(sent, "in the end")
}

// sendAtOther repeats the call at the other replica until it is sent, or its outcome is unknown for
// good. It returns how many mails must be sent then.
func (d *replicaHome) sendAtOther(other *replica) int {
	d.t.Helper()
	last := ""
	for begun := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		got, err := other.call("gmail_send_message", lunch)
		if err == nil && !got.failed {
			d.t.Logf("the other replica sent it after %s", time.Since(begun).Round(100*time.Millisecond))
			return 1
		}
		if got.unknown() && strings.Contains(got.text, "a draft may have been saved") {
			return 0
		}
		if said := got.message(); said != last {
			d.t.Logf("the other replica says after %s: %s", time.Since(begun).Round(100*time.Millisecond), said)
			last = said
		}
		if time.Since(begun) > 2*answerLimit {
			d.t.Fatalf("the other replica does not send: %v %s", err, got.text)
		}
	}
}

// stalled reports whether bytes are held back.
func (p *databaseProxy) stalled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.restored:
		return false
	default:
		return true
	}
}
