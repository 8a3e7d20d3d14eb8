package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kota/store/faulttest"
	"kota/store/postgres/pgtest"
)

// buildSkewed builds a program whose clock is KOTA_SKEW seconds ahead of the real one, and returns its
// path. Go asks the kernel for the time, so no library can change it for a finished program.
func buildSkewed(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(strings.TrimSpace(string(root)), "src/time")
	source, err := os.ReadFile(filepath.Join(folder, "time.go"))
	if err != nil {
		t.Fatal(err)
	}
	const reading = "\tsec, nsec, mono := runtimeNow()\n"
	skewed := strings.Replace(string(source), reading, reading+"\tsec += skew\n", 1)
	if skewed == string(source) {
		t.Fatal("time.Now of this Go version reads the clock in another way")
	}
	return buildOverlay(t, map[string]string{filepath.Join(folder, "time.go"): skewed, filepath.Join(folder, "skew.go"): `package time

import "syscall"

var skew = func() int64 {
	text, _ := syscall.Getenv("KOTA_SKEW")
	seconds, _ := atoi(text)
	return int64(seconds)
}()
`})
}

// The clock of one replica is five minutes ahead, and that of the other one is five minutes behind. The
// program is built from the sources, so only full torture does this.
func TestReplicasWithDifferentClocksDoNoHarm(t *testing.T) {
	tortureReplicas(t)
	if !faulttest.FullTorture() {
		t.Skip("left to `make torture-replicas`")
	}
	program, server := buildSkewed(t), pgtest.StartOwn(t, "fsync=off")
	for name, skews := range map[string][2]int{"ahead, then behind": {300, -300}, "behind, then ahead": {-300, 300}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newReplicaHome(t, server)
			d.program = program
			doctor := d.command(program, "doctor")
			doctor.Env = append(doctor.Env, fmt.Sprint("KOTA_SKEW=", skews[0]))
			if out, _ := doctor.CombinedOutput(); !strings.Contains(string(out), "5m0s away from the clock of the database server") {
				t.Errorf("the clock is not skewed: %s", out)
			}
			proxy := newDatabaseProxy(t, server.Folder(), true)
			d.skew = skews[1]
			second := d.start(d.database, d.google.URL())
			d.skew = skews[0]
			for _, point := range []crashPoint{{"commit", 2}, {"committed", 2}, {"commit", 3}, {"committed", 3}, {"request", 1}, {"answer", 1}, {"request", 2}, {"answer", 2}} {
				d.killAndRepeat(proxy, second, sendingCalls["a mail"], point)
				d.killAndRepeat(proxy, second, sendingCalls["an invitation"], point)
			}
			both := twoServers{d.start(d.database, d.google.URL()).httpServer, second.httpServer}
			both.checkSession(t)

			d.configure("send: ask\n")
			d.skew = skews[0]
			first := d.start(d.database, d.google.URL())
			d.skew = skews[1]
			both = twoServers{first.httpServer, d.start(d.database, d.google.URL()).httpServer}
			for n, asking := range both {
				before := mailCount(d.testHome, "Lunch")
				mail := object{"to": "bob@example.com", "subject": "Lunch", "body": "At noon?", "idempotency_key": fmt.Sprint("asked ", n)}
				state, answers := questionState(t, asking.sendMail(canShowForms, mail, nil)), make(chan string, 8)
				for i := range cap(answers) {
					go func() { answers <- both[i%2].sendMail(canShowForms, mail, answerParams(state, yesAnswer)) }()
				}
				for range cap(answers) {
					if got := <-answers; strings.Contains(got, "INTERNAL") || strings.Contains(got, "too late") {
						t.Errorf("answered %s", got)
					}
				}
				if sent := mailCount(d.testHome, "Lunch") - before; sent != 1 {
					t.Errorf("the answer came eight times, and the mail was sent %d times", sent)
				}
			}
		})
	}
}

// checkSession checks that both servers serve a session that one of them has begun, and that it ends
// on both.
func (both twoServers) checkSession(t *testing.T) {
	t.Helper()
	for n, w := range both {
		within := w.beginSession()
		for i := range 4 {
			key := fmt.Sprintf("of-%d-%d", n, i)
			if got := both[i%2].ask(http.MethodPost, toolCall(10+i, "memory_set", object{"key": key, "value": "yes"}), within); got.status != http.StatusOK || strings.Contains(got.body, "isError") {
				t.Errorf("set: %d %s", got.status, got.body)
			}
			if got := both[1-i%2].ask(http.MethodPost, toolCall(20+i, "memory_get", object{"query": key}), within); !strings.Contains(got.body, "yes") {
				t.Errorf("get: %d %s", got.status, got.body)
			}
		}
		if got := both[1-n].ask(http.MethodDelete, "", within); got.status != http.StatusNoContent {
			t.Errorf("delete: %d %s", got.status, got.body)
		}
		if got := w.ask(http.MethodPost, toolCall(30, "memory_get", object{"query": "of"}), within); got.status != http.StatusNotFound {
			t.Errorf("after its end: %d %s", got.status, got.body)
		}
	}
}
