package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/entrypoint/wiretest"
)

// serveInBubble serves a router with these options inside a synctest bubble, and calls
// fact with the connection.
func serveInBubble(t *testing.T, o pipeline.Options, test func(*testing.T, *wiretest.Wire)) {
	synctest.Test(t, func(t *testing.T) {
		r, err := pipeline.New(o)
		if err != nil {
			t.Fatal(err)
		}
		s := New(r, Options{Expose: ExposeDiscovery})
		w := wiretest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
			return s.ServeStdio(ctx, in, out, quiet)
		})
		test(t, w)
	})
}

func toolCall(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args) + "\n"
}

func TestTwoHundredHangingCallsDelayNoOther(t *testing.T) {
	for name, hang := range map[string]func(i int) string{
		"reads":                   func(i int) string { return toolCall(fmt.Sprint(i), "post_read", "{}") },
		"writes":                  func(i int) string { return toolCall(fmt.Sprint(i), "post_file", "{}") },
		"reads by an entry point": func(i int) string { return toolCall(fmt.Sprint(i), "kota_read", `{"bundle":"post","action":"read"}`) },
		"writes by an entry point": func(i int) string {
			return toolCall(fmt.Sprint(i), "kota_entry_point", `{"bundle":"post","action":"file"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, b := routertest.NewNotes("notes")
			post := &routertest.Mailbox{}
			serveInBubble(t, pipeline.Options{Bundles: []bundles.Bundle{b, post.Bundle()}}, func(t *testing.T, w *wiretest.Wire) {
				post.Release = make(chan struct{}) // must be made in this bubble
				for i := range 200 {
					w.Send(hang(i))
				}
				if got := w.Received(); got != nil {
					t.Fatalf("what hangs has answered: %.300q", got)
				}
				start := time.Now()
				w.Send(`{"jsonrpc":"2.0","id":"ping","method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":"list","method":"tools/list"}` + "\n" +
					toolCall("add", "notes_add", `{"text":"milk"}`) + toolCall("get", "notes_list", "{}") +
					toolCall("read", "kota_read", `{"bundle":"notes","action":"list"}`) + toolCall("find", "kota_discover_bundles", "{}"))
				answered := map[string]bool{}
				for _, line := range w.Received() {
					_, id, _ := strings.Cut(line, `"id":"`)
					id, _, _ = strings.Cut(id, `"`)
					answered[id] = true
					if id == "get" && !strings.Contains(line, "milk") {
						t.Errorf("what was written before is not read: %s", line)
					}
				}
				for _, id := range []string{"ping", "list", "add", "get", "read", "find"} {
					if !answered[id] {
						t.Errorf("%s is not answered while others hang", id)
					}
				}
				if waited := time.Since(start); waited != 0 {
					t.Errorf("they waited %v", waited)
				}
				close(post.Release)
				w.End()
			})
		})
	}
}

// errorIDPattern matches the id in the message of an internal error.
var errorIDPattern = regexp.MustCompile(`\(id ([0-9a-f]{8})\)`)

func TestInternalErrorsHaveTheIDOfTheLog(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	b.Prompts = append(b.Prompts, bundles.Prompt{Action: "burst", Name: "explode", Description: "Fails in the worst way.",
		Text: func(context.Context, map[string]string) (string, error) { panic("the secret is open sesame") }})
	b.Resources = append(b.Resources, bundles.Resource{Action: "list", URI: "notes://fault", Name: "fault", Description: "Fails.", MIME: "text/plain",
		Read: func(context.Context, string) (string, error) { return "", errors.New("the secret is open sesame") }})
	var log bytes.Buffer
	serveInBubble(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Log: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, w *wiretest.Wire) {
		for request, line := range map[string]string{
			"tool":        toolCall("1", "notes_burst", "{}"),
			"entry point": toolCall("1", "kota_entry_point", `{"bundle":"notes","action":"burst"}`),
			"read":        toolCall("1", "kota_read", `{"bundle":"notes","action":"burst"}`),
			"resource":    `{"jsonrpc":"2.0","id":"1","method":"resources/read","params":{"uri":"notes://burst"}}` + "\n",
			"fault":       `{"jsonrpc":"2.0","id":"1","method":"resources/read","params":{"uri":"notes://fault"}}` + "\n",
			"prompt":      `{"jsonrpc":"2.0","id":"1","method":"prompts/get","params":{"name":"explode"}}` + "\n",
		} {
			log.Reset()
			w.Send(line)
			got := w.Received()
			if len(got) != 1 || !strings.Contains(got[0], "INTERNAL") || strings.Contains(got[0], "sesame") {
				t.Errorf("%s: got %q", request, got)
				continue
			}
			ids := slices.Compact(errorIDPattern.FindAllString(got[0], -1))
			if len(ids) != 1 {
				t.Errorf("%s: tells no id, or several: %s", request, got[0])
				continue
			}
			id := errorIDPattern.FindStringSubmatch(ids[0])[1]
			logged := log.String()
			if strings.Count(logged, "level=ERROR") != 1 || !strings.Contains(logged, "id="+id) {
				t.Errorf("%s: the log has not one line under %s:\n%s", request, id, logged)
			}
			if request != "fault" && (!strings.Contains(logged, "test.go") || strings.Contains(logged, "sesame")) {
				t.Errorf("%s: the log lacks the stack, or tells the panic's value:\n%s", request, logged)
			}
		}
		w.End()
	})
}
