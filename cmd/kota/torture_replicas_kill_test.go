package main

import (
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/faulttest"
	"kota/store/postgres/pgtest"
)

// TestReplicasSendAtMostOnceAtEveryKill kills a replica right before and right after each of its
// commits, before each of its requests reaches Google, and after Google has done each. Another
// replica serves all the time. The call is then repeated there. It must reach its recipient once, or
// say that the first outcome is unknown. Without full torture, it is a mail at a few points.
func TestReplicasSendAtMostOnceAtEveryKill(t *testing.T) {
	tortureReplicas(t)
	server := pgtest.StartOwn(t, "fsync=off")
	all := maps.Clone(sendingCalls)
	if !faulttest.FullTorture() {
		maps.DeleteFunc(all, func(name string, _ sendingCall) bool { return name != "a mail" })
	}
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newReplicaHome(t, server)
			other := d.start(d.database, d.google.URL())
			proxy := newDatabaseProxy(t, server.Folder(), true)
			stop := other.keepWriting("beside", 200*time.Millisecond)
			killed := 0
			for _, point := range d.killPoints(proxy, l) {
				d.killAndRepeat(proxy, other, l, point)
				if killed++; t.Failed() {
					break
				}
			}
			acknowledged, failures := stop()
			if len(failures) > 0 || len(acknowledged) == 0 {
				t.Errorf("the other replica acknowledged %d writes and failed: %+v", len(acknowledged), failures)
			}
			other.checkStored(acknowledged)
			if out, complaint, status := d.run("audit", "verify"); status != 0 {
				t.Errorf("the audit log: %s%s", out, complaint)
			}
			t.Logf("killed at %d points beside %d writes", killed, len(acknowledged))
		})
	}
}

// killPoints returns the points of a call that are tortured. It makes the call once to count them.
func (d *replicaHome) killPoints(proxy *databaseProxy, l sendingCall) []crashPoint {
	d.t.Helper()
	commits, gate := 0, &gateway{to: d.google.URL()}
	between := httptest.NewServer(gate)
	defer between.Close()
	w := d.start(proxy.url(d.t, d.database), between.URL)
	w.mustCall("memory_set", object{"key": "warm", "value": "yes"}) // opens the database
	proxy.watchCommits(func(number int, _ bool) { commits = number })
	w.newSession().mustCall(l.tool, l.prepare(d.testHome, "Counted"))
	proxy.watchCommits(nil)
	w.stop()
	points := []crashPoint{}
	for at, count := range map[string]int{"commit": commits, "committed": commits, "request": gate.requestCount, "answer": gate.requestCount} {
		for number := range count {
			points = append(points, crashPoint{at, number + 1})
		}
	}
	if commits < 3 || gate.requestCount < 1 {
		d.t.Errorf("the call has %d commits and %d requests, which cannot be all", commits, gate.requestCount)
	}
	slices.SortFunc(points, func(a, b crashPoint) int { return strings.Compare(a.String(), b.String()) })
	seed := uint64(time.Now().UnixNano())
	few := faulttest.Sample(d.t, 4, len(points))
	if few < len(points) {
		d.t.Logf("seed %d", seed)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	}
	return points[:few]
}

// killAndRepeat makes the call at a replica that is killed at that point, repeats it at the other
// one, and checks that somebody was reached once.
func (d *replicaHome) killAndRepeat(proxy *databaseProxy, other *replica, l sendingCall, point crashPoint) {
	d.t.Helper()
	name := "Lunch " + point.String()
	args := l.prepare(d.testHome, name)
	var w *replica
	gate := &gateway{to: d.google.URL(), kill: func() { w.kill() }}
	between := httptest.NewServer(gate)
	defer between.Close()
	w = d.start(proxy.url(d.t, d.database), between.URL)
	w.mustCall("memory_set", object{"key": "warm", "value": "yes"})
	session := w.newSession()
	gate.arm(point)
	proxy.watchCommits(func(number int, done bool) {
		if number == point.number && (point.at == "commit" && !done || point.at == "committed" && done) {
			w.kill()
		}
	})
	got, err := session.call(l.tool, args)
	proxy.watchCommits(nil)
	w.kill()
	if reached := l.sent(d.testHome, name); reached > 1 || err == nil && !got.failed && reached != 1 {
		d.t.Fatalf("%s: reached %d times before anything is repeated: %v %s", point, reached, err, got.text)
	}
	if l.tool == "gmail_send_message" && point.number%2 == 1 {
		d.moveHolders()
	}
	again, err := other.newSession().call(l.tool, args)
	if err != nil {
		d.t.Fatalf("%s: the call again: %v", point, err)
	}
	reached := l.sent(d.testHome, name)
	if reached > 1 || !again.failed && reached != 1 || again.failed && !again.unknown() {
		d.t.Errorf("%s: reached %d times; the call again answers %s", point, reached, again.text)
	}
}

// moveHolders makes all holders processes of another machine. Nothing says then whether a holder has
// ended, except its lease.
func (d *replicaHome) moveHolders() {
	d.t.Helper()
	conn, err := pgx.Connect(d.t.Context(), d.database)
	if err != nil {
		d.t.Fatal(err)
	}
	defer conn.Close(d.t.Context())
	if _, err := conn.Exec(d.t.Context(), "UPDATE kota.outbox SET holder = holder || '-elsewhere' WHERE holder NOT LIKE '%elsewhere'"); err != nil {
		d.t.Fatal(err)
	}
}

// arm sets where the gateway kills, and counts requests from here.
func (g *gateway) arm(point crashPoint) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.crash, g.requestCount = point, 0
}
