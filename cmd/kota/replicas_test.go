package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"kota/store/postgres/pgtest"
)

// tortureReplicas runs a test beside others of its kind, which wait a lot. Without KOTA_TORTURE it
// skips the test.
func tortureReplicas(t *testing.T) {
	t.Helper()
	if os.Getenv("KOTA_TORTURE") == "" {
		t.Skip("left to `make torture-replicas`")
	}
	t.Parallel()
}

// replicaHome is a home of which several servers run on one database of a PostgreSQL server.
type replicaHome struct {
	*testHome
	server *pgtest.Server

	program string // of further replicas; "" for kota
	skew    int    // how many seconds the clocks of further replicas of buildSkewed are ahead
}

// newReplicaHome returns a home with an empty database. Ann has signed in for mail and calendar.
func newReplicaHome(t *testing.T, server *pgtest.Server) *replicaHome {
	t.Helper()
	d := newCalendarHome(t, "send: allow\nlimits: {sends_per_hour: off, sends_per_day: off, changes_per_hour: off}\n")
	d.database = server.URL("", server.Database(t))
	d.must("secrets", "import")
	return &replicaHome{testHome: d, server: server}
}

// start starts a replica that reaches the database at that URL and Google at that address.
func (d *replicaHome) start(database, google string) *replica {
	d.t.Helper()
	w := startProgram(d.t, cmp.Or(d.program, "kota"), d.home, []string{
		"KOTA_NOW=", "KOTA_DATABASE_URL=" + database, "KOTA_SECRETS_KEY=" + d.secretsKey, "KOTA_GOOGLE_ENDPOINT=" + google, fmt.Sprint("KOTA_SKEW=", d.skew),
	})
	return &replica{httpServer: w}
}

// replica is a server that may be killed or lose its database at any time.
type replica struct {
	*httpServer
	session func(*http.Request) // puts a request into a session; nil: each call is one of 2026-07-28
}

// newSession returns the replica with a new session, in which the client has read nothing.
func (w *replica) newSession() *replica { return &replica{w.httpServer, w.beginSession()} }

// replicaAnswer is the answer of a replica to a call.
type replicaAnswer struct {
	text    string
	failed  bool
	code    string // of the error; "" if the call succeeded
	key     string // of the memory that keepWriting wrote
	elapsed time.Duration
}

// unknown reports whether the answer says that the call may have had its effect.
func (a replicaAnswer) unknown() bool { return a.code == "OUTCOME_UNKNOWN" }

// message returns the message of the error.
func (a replicaAnswer) message() string {
	failure := callError{}
	if json.Unmarshal([]byte(a.text), &failure) != nil {
		return a.text
	}
	return failure.Code + ": " + failure.Message
}

// call calls a tool. It returns an error if the replica gives no answer.
func (w *replica) call(tool string, args object) (replicaAnswer, error) {
	body, headers := toolCall(7, tool, args), w.session
	if headers == nil {
		body, headers = modernRequest("tools/call", object{"name": tool, "arguments": args})
	}
	r, err := http.NewRequest(http.MethodPost, w.url, strings.NewReader(body))
	if err != nil {
		return replicaAnswer{}, err
	}
	changeAll(headers, header("Authorization", "Bearer "+w.token), header("Content-Type", "application/json"), header("Accept", "application/json, text/event-stream"))(r)
	got, begun := replicaAnswer{}, time.Now()
	response, err := replicaClient.Do(r)
	if err != nil {
		return got, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	got.elapsed = time.Since(begun)
	if err != nil {
		return got, err
	}
	message := struct{ Result callResult }{}
	text := string(raw)
	if _, data, found := strings.Cut(text, "data: {"); found { // the answer came as a stream
		text, _, _ = strings.Cut("{"+data, "\n")
	}
	if err := json.Unmarshal([]byte(text), &message); err != nil || response.StatusCode != http.StatusOK {
		return got, fmt.Errorf("%d %s: %w", response.StatusCode, raw, errors.Join(err, errNoAnswer))
	}
	got.text, got.failed = message.Result.text(), message.Result.IsError
	if got.failed {
		failure := callError{}
		if err := json.Unmarshal([]byte(got.text), &failure); err != nil {
			return got, fmt.Errorf("%s: %w", got.text, err)
		}
		got.code = failure.Code
	}
	return got, nil
}

var errNoAnswer = errors.New("the answer has no result")

// replicaClient opens a connection for each request, because replicas die.
var replicaClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 3 * time.Minute}

// kill ends the replica like kill -9. Several may kill it at the same time, but of two calls of Wait
// at the same time, one may never return.
func (w *replica) kill() {
	_ = w.cmd.Process.Kill()
	<-w.ended
	w.killed.Do(func() { _ = w.cmd.Wait() })
}

// mustCall makes a call that must succeed.
func (w *replica) mustCall(tool string, args object) replicaAnswer {
	w.t.Helper()
	got, err := w.call(tool, args)
	if err != nil || got.failed {
		w.t.Fatalf("%s %v: %v %s", tool, args, err, got.text)
	}
	return got
}

// keepWriting writes memories one after the other until stop. stop returns the keys of those that
// were acknowledged, and the failures.
func (w *replica) keepWriting(prefix string, pause time.Duration) (stop func() (acknowledged []string, failures []replicaAnswer)) {
	end, ended := make(chan struct{}), make(chan struct{})
	acknowledged, failures := []string{}, []replicaAnswer{}
	go func() {
		defer close(ended)
		for n := 0; ; n++ {
			select {
			case <-end:
				return
			case <-time.After(pause):
			}
			key := fmt.Sprintf("%s-%d", prefix, n)
			got, err := w.call("memory_set", object{"key": key, "value": "the value of " + key})
			if got.key = key; err != nil {
				got.text, got.failed = err.Error(), true
			}
			if got.failed {
				failures = append(failures, got)
			} else {
				acknowledged = append(acknowledged, key)
			}
		}
	}()
	return func() ([]string, []replicaAnswer) {
		close(end)
		<-ended
		return acknowledged, failures
	}
}

// checkStored checks that the replica finds all memories.
func (w *replica) checkStored(keys []string) {
	w.t.Helper()
	for _, key := range keys {
		if got, err := w.call("memory_get", object{"query": key}); err != nil || !strings.Contains(got.text, "the value of "+key) {
			w.t.Errorf("%s was acknowledged, and reading it answers %v %s", key, err, got.text)
		}
	}
}
