package entrypoint_test

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
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/entrypoint/wiretest"
	"kota/metadata"
)

// mailbox is a bundle on an account elsewhere, which answers nothing until
// release is closed, not even when its caller has gone.
type mailbox struct{ release chan struct{} }

func (m *mailbox) bundle() bundles.Bundle {
	wait := func(context.Context, routertest.ListIn) (routertest.NotesOut, error) {
		<-m.release
		return routertest.NotesOut{}, nil
	}
	about := func(name string, effect metadata.Effect) metadata.Action {
		return metadata.Action{Name: name, Effect: effect, Summary: "Wait for the post.", Scopes: []string{"post"}}
	}
	return bundles.New(metadata.Bundle{Key: "post", Name: "Post", Description: "Letters far away", Category: metadata.Core, Tags: []string{"letters"}, Enabled: true},
		bundles.Bind(about("read", metadata.Reads), wait), bundles.Bind(about("file", metadata.Writes), wait))
}

// conversation serves a router over these bundles in synctest's time.
func conversation(t *testing.T, o pipeline.Options, fact func(*testing.T, *wiretest.Wire)) {
	synctest.Test(t, func(t *testing.T) {
		r, err := pipeline.New(o)
		if err != nil {
			t.Fatal(err)
		}
		s := entrypoint.NewServer(r, entrypoint.ServerOptions{Expose: entrypoint.ExposeDiscovery})
		w := wiretest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
			return r.ServeStdio(ctx, s, in, out, slog.New(slog.DiscardHandler))
		})
		fact(t, w)
	})
}

func toolCall(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args) + "\n"
}

func TestTwoHundredCallsThatHangKeepNobodyWaiting(t *testing.T) {
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
			post := &mailbox{}
			conversation(t, pipeline.Options{Bundles: []bundles.Bundle{b, post.bundle()}}, func(t *testing.T, w *wiretest.Wire) {
				post.release = make(chan struct{}) // of this bubble
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
				close(post.release)
				w.End()
			})
		})
	}
}

func TestTwentyFourCallsGoAwayAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now, release := make(chan struct{}, 1000), make(chan struct{})
		post := bundles.New(metadata.Bundle{Key: "post", Name: "Post", Description: "Letters far away", Category: metadata.Core, Tags: []string{"letters"}, Enabled: true},
			bundles.Bind(metadata.Action{Name: "read", Effect: metadata.Reads, Summary: "Wait for the post.", Scopes: []string{"post"}},
				func(context.Context, routertest.ListIn) (routertest.NotesOut, error) {
					now <- struct{}{}
					<-release
					return routertest.NotesOut{}, nil
				}))
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{post}, Timeout: time.Minute})
		failed := make(chan error, 40)
		for range 40 {
			go func() { _, err := r.Call(t.Context(), "post_read", nil); failed <- err }()
		}
		synctest.Wait()
		if len(now) != 24 {
			t.Errorf("%d are away at once, want 24", len(now))
		}
		close(release)
		for range 40 {
			if err := <-failed; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestACallIsAnsweredWithinAMinuteWhateverItsHandlerDoes(t *testing.T) {
	for tool, c := range map[string]struct {
		door entrypoint.Door
		want metadata.Code
	}{
		"post_read": {entrypoint.ByName, metadata.Unavailable},
		"post_file": {entrypoint.ByName, metadata.OutcomeUnknown}, // it goes on
	} {
		synctest.Test(t, func(t *testing.T) {
			post := &mailbox{make(chan struct{})}
			r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{post.bundle()}})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, _, err = r.Answer(t.Context(), c.door, tool, nil)
			if e := (*metadata.Error)(nil); !errors.As(err, &e) || e.Code != c.want || e.Hint == "" {
				t.Errorf("%s: got %v, want %s with what to do", tool, err, c.want)
			}
			if took := time.Since(start); took != time.Minute {
				t.Errorf("%s took %v, want a minute", tool, took)
			}
			close(post.release)
		})
	}
}

func TestAtATerminalACallIsSeenThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		post := &mailbox{make(chan struct{})}
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{post.bundle()}, Timeout: time.Minute})
		time.AfterFunc(3*time.Minute, func() { close(post.release) })
		if _, _, err := r.Answer(t.Context(), entrypoint.ByCLI, "post_file", nil); err != nil {
			t.Errorf("got %v, want its outcome", err)
		}
	})
}

// faultID is how a fault is told to its caller.
var faultID = regexp.MustCompile(`\(id ([0-9a-f]{8})\)`)

func TestEveryDoorTellsAFaultByTheIDThatTheLogHasItUnder(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	b.Prompts = append(b.Prompts, bundles.Prompt{Action: "burst", Name: "explode", Description: "Fails in the worst way.",
		Text: func(context.Context, map[string]string) (string, error) { panic("the secret is open sesame") }})
	b.Resources = append(b.Resources, bundles.Resource{Action: "list", URI: "notes://fault", Name: "fault", Description: "Fails.", MIME: "text/plain",
		Read: func(context.Context, string) (string, error) { return "", errors.New("the secret is open sesame") }})
	var log bytes.Buffer
	conversation(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Log: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, w *wiretest.Wire) {
		for door, line := range map[string]string{
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
				t.Errorf("%s: got %q", door, got)
				continue
			}
			ids := slices.Compact(faultID.FindAllString(got[0], -1))
			if len(ids) != 1 {
				t.Errorf("%s: tells no id, or several: %s", door, got[0])
				continue
			}
			id := faultID.FindStringSubmatch(ids[0])[1]
			logged := log.String()
			if strings.Count(logged, "level=ERROR") != 1 || !strings.Contains(logged, "id="+id) {
				t.Errorf("%s: the log has not one line under %s:\n%s", door, id, logged)
			}
			if door != "fault" && (!strings.Contains(logged, "test.go") || strings.Contains(logged, "sesame")) {
				t.Errorf("%s: the log lacks the stack, or tells the panic's value:\n%s", door, logged)
			}
		}
		w.End()
	})
}

func TestAnAnswerIsNoLargerThanAMessage(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	for range 5 {
		if _, err := r.Call(t.Context(), "notes_add", []byte(`{"text":"`+strings.Repeat("x", 1<<20)+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := r.Answer(t.Context(), entrypoint.ByName, "notes_list", nil)
	if e := (*metadata.Error)(nil); !errors.As(err, &e) || e.Code != metadata.TooLarge || e.Hint == "" {
		t.Errorf("got %v, want TOO_LARGE", err)
	}
}
