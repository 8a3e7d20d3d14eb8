package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"kota/entrypoint/pipeline"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kota/bundles"
	"kota/entrypoint/wiretest"
	"kota/metadata"
)

// stepsBundle is a bundle with one action. It takes the requested number of steps of 100 ms
// each, and then fails if requested.
func stepsBundle() bundles.Bundle {
	type stepsIn struct {
		Many int  `json:"many" doc:"steps"`
		Fail bool `json:"fail,omitempty" doc:"fail then"`
	}
	b := bundles.New(metadata.Bundle{Key: "steps", Name: "Steps", Description: "Takes steps", Category: metadata.Core, Tags: []string{"x"}, Version: "1.0.0"},
		bundles.Bind(metadata.Action{Name: "take", Summary: "Take steps.", Effect: metadata.Reads}, func(ctx context.Context, in stepsIn) (struct{}, error) {
			for i := range in.Many {
				time.Sleep(100 * time.Millisecond)
				bundles.Progress(ctx, fmt.Sprintf("step %d is taken", i+1))
			}
			if in.Fail {
				return struct{}{}, errors.New("the cause")
			}
			return struct{}{}, nil
		}))
	b.Enabled = true
	return b
}

func runSteps(t *testing.T, name string, test func(*testing.T, *wiretest.Client)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			router, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{stepsBundle()}})
			if err != nil {
				t.Fatal(err)
			}
			test(t, newTestClient(t, New(router, Options{}).NewEndpoint(t.Context(), quiet)))
			time.Sleep(time.Minute)
		})
	})
}

func TestProgressNotifications(t *testing.T) {
	for era, call := range map[string]func(*wiretest.Client, string) *wiretest.Response{
		"2025-11-25": func(v *wiretest.Client, args string) *wiretest.Response {
			return v.BeginSession().CallLegacy(7, "steps_take", args)
		},
		"2026-07-28": func(v *wiretest.Client, args string) *wiretest.Response { return v.CallModern(7, "steps_take", args) },
	} {
		runSteps(t, era, func(t *testing.T, v *wiretest.Client) {
			sent := call(v, `{"many":10}`)
			time.Sleep(5 * time.Second)
			var got []string
			for _, event := range sent.Events(t) {
				if _, progress, ok := strings.Cut(event, `"progress":`); ok && strings.Contains(event, `"progressToken":7`) {
					got = append(got, progress[:strings.IndexByte(progress, ',')])
				}
			}
			if want := "1 4 7 10"; strings.Join(got, " ") != want { // at most one per quarter of a second
				t.Errorf("got %v, want %s", got, want)
			}
		})
	}
	runSteps(t, "only who asks", func(t *testing.T, v *wiretest.Client) {
		v = v.BeginSession()
		sent := v.Post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps_take","arguments":{"many":3}}}`)
		time.Sleep(5 * time.Second)
		sent.Expect(t, 200, "result")
		if got := sent.Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("it is answered as %s", got)
		}
	})
}

func TestClientSetsLogLevel(t *testing.T) {
	logged := func(t *testing.T, sent *wiretest.Response) string {
		t.Helper()
		time.Sleep(time.Second)
		synctest.Wait()
		if sent.Header().Get("Content-Type") != "text/event-stream" {
			return ""
		}
		return sent.Events(t)[0]
	}
	const well, badly = `{"many":0}`, `{"many":0,"fail":true}`
	runSteps(t, "in a session, at first of faults alone, and never of their causes", func(t *testing.T, v *wiretest.Client) {
		v = v.BeginSession()
		if got := logged(t, v.CallLegacy(1, "steps_take", well)); got != "" {
			t.Errorf("it gets %s", got)
		}
		if got := logged(t, v.CallLegacy(2, "steps_take", badly)); !strings.Contains(got, `"level":"error"`) || !strings.Contains(got, "INTERNAL") || strings.Contains(got, "the cause") {
			t.Errorf("after a failure it gets %s", got)
		}
		v.Post(`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"debug"}}`).Expect(t, 200, `"result":{}`)
		if got := logged(t, v.CallLegacy(4, "steps_take", well)); !strings.Contains(got, `"level":"debug"`) || !strings.Contains(got, `"tool":"steps_take"`) {
			t.Errorf("at level debug it gets %s", got)
		}
		v.Post(`{"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"loud"}}`).Expect(t, 200, "-32602")
		if got := logged(t, v.BeginSession().CallLegacy(6, "steps_take", well)); got != "" {
			t.Errorf("another session gets %s", got)
		}
		v.Send(http.MethodDelete, "")
	})
	runSteps(t, "without a session, if the call asks for it", func(t *testing.T, v *wiretest.Client) {
		if got := logged(t, v.CallModern(1, "steps_take", badly)); got != "" {
			t.Errorf("it gets %s", got)
		}
	})
}
