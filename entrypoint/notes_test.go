package entrypoint_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// notes is a small bundle with an action of every effect. It counts what it
// was made to do, so that a test sees what ran and what did not.
type notes struct {
	mu    sync.Mutex
	texts []string
	ran   map[string]int
}

type addIn struct {
	Text  string `json:"text" doc:"what to note"`
	Times int    `json:"times,omitempty" default:"1" min:"1" max:"9"`
}

type listIn struct {
	Tags []string `json:"tags,omitempty"`
}

type shredIn struct {
	Forever bool `json:"forever,omitempty"`
}

func (in shredIn) Effect() metadata.Effect {
	if in.Forever {
		return metadata.Destroys
	}
	return metadata.Writes
}

type notesOut struct {
	Texts []string `json:"texts"`
}

func (n *notes) did(name string) { n.mu.Lock(); defer n.mu.Unlock(); n.ran[name]++ }

func newNotes(key string) (*notes, bundles.Bundle) {
	n := &notes{texts: []string{}, ran: map[string]int{}}
	out := func() (notesOut, error) { n.mu.Lock(); defer n.mu.Unlock(); return notesOut{n.texts}, nil }
	b := bundles.New(metadata.Bundle{
		Key: key, Name: "Notes", Description: "Short notes on paper", Category: metadata.Core, Tags: []string{"paper", "health"}, Enabled: true,
	},
		bundles.Bind(metadata.Action{
			Name: "add", Effect: metadata.Writes, Summary: "Write a note.", Phrases: []string{"jot something down"},
			Examples: []metadata.Example{{Title: "Milk", Args: addIn{Text: "buy milk", Times: 1}}},
		}, func(_ context.Context, in addIn) (notesOut, error) {
			n.did("add")
			n.mu.Lock()
			for range in.Times {
				n.texts = append(n.texts, in.Text)
			}
			n.mu.Unlock()
			return out()
		}),
		bundles.Bind(metadata.Action{Name: "list", Effect: metadata.Reads, Summary: "List all notes."},
			func(context.Context, listIn) (notesOut, error) { n.did("list"); return out() }),
		bundles.Bind(metadata.Action{Name: "shred", Effect: metadata.Destroys, Summary: "Throw the notes away."},
			func(context.Context, shredIn) (notesOut, error) { n.did("shred"); return out() }),
		bundles.Bind(metadata.Action{Name: "post", Effect: metadata.Sends, Summary: "Send the notes to a friend."},
			func(ctx context.Context, _ listIn) (notesOut, error) {
				if err := bundles.MaySend(ctx, bundles.Outgoing{What: "notes", People: []string{"friend@example.com"}}); err != nil {
					return notesOut{}, err
				}
				n.did("post")
				return out()
			}),
		bundles.Bind(metadata.Action{Name: "burst", Effect: metadata.Reads, Summary: "Fail in the worst way."},
			func(context.Context, listIn) (notesOut, error) { n.did("burst"); panic("the secret is open sesame") }),
		bundles.Bind(metadata.Action{Name: "wait", Effect: metadata.Reads, Summary: "Wait until given up."},
			func(ctx context.Context, _ listIn) (notesOut, error) {
				<-ctx.Done()
				return notesOut{}, ctx.Err()
			}),
	)
	b.Resources = []bundles.Resource{{
		Action: "list", URI: "notes://all", Name: "notes", Description: "All notes.", MIME: "text/plain",
		Read: func(context.Context, string) (string, error) { n.did("resource"); return "the notes", nil },
	}, {
		Action: "burst", URI: "notes://burst", Name: "burst", Description: "Fails in the worst way.", MIME: "text/plain",
		Read: func(context.Context, string) (string, error) { panic("the secret is open sesame") },
	}}
	b.Prompts = []bundles.Prompt{{
		Action: "list", Name: "look", Description: "Look at the notes.",
		Text: func(context.Context, map[string]string) (string, error) { return "Look at them.", nil },
	}}
	return n, b
}

func router(t *testing.T, o entrypoint.Options) *entrypoint.Router {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	r, err := entrypoint.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// call returns the answer as JSON, or the error.
func call(t *testing.T, r *entrypoint.Router, tool, args string) (string, *metadata.Error) {
	t.Helper()
	out, err := r.Call(t.Context(), tool, json.RawMessage(args))
	if err != nil {
		e, ok := err.(*metadata.Error)
		if !ok {
			t.Fatalf("%s answered %T, not a *metadata.Error: %v", tool, err, err)
		}
		return "", e
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), nil
}
