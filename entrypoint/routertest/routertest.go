// Package routertest helps to test calls. It has small bundles, functions that make routers,
// and a function that calls an action.
package routertest

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/metadata"
)

// Notes is a small bundle with an action of every effect. It counts how often its actions ran.
type Notes struct {
	mu    sync.Mutex
	texts []string
	Ran   map[string]int // how often each action except wait ran, by name; "resource" for the resource notes
}

// AddIn is the input of the action add.
type AddIn struct {
	Text  string `json:"text" doc:"what to note"`
	Times int    `json:"times,omitempty" default:"1" min:"1" max:"9"`
}

// ListIn is the input of most actions.
type ListIn struct {
	Tags []string `json:"tags,omitempty"`
}

// ShredIn is the input of the action shred; forever decides its effect.
type ShredIn struct {
	Forever bool `json:"forever,omitempty"`
}

func (in ShredIn) Effect() metadata.Effect {
	if in.Forever {
		return metadata.Destroys
	}
	return metadata.Writes
}

// NotesOut is the output of the actions.
type NotesOut struct {
	Texts []string `json:"texts"`
}

func (n *Notes) countRun(name string) { n.mu.Lock(); defer n.mu.Unlock(); n.Ran[name]++ }

// NewNotes returns the Notes and their bundle, which has this key.
func NewNotes(key string) (*Notes, bundles.Bundle) {
	n := &Notes{texts: []string{}, Ran: map[string]int{}}
	out := func() (NotesOut, error) { n.mu.Lock(); defer n.mu.Unlock(); return NotesOut{n.texts}, nil }
	b := bundles.New(metadata.Bundle{
		Key: key, Name: "Notes", Description: "Short notes on paper", Category: metadata.Core, Tags: []string{"paper", "health"}, Enabled: true,
	},
		bundles.Bind(metadata.Action{
			Name: "add", Effect: metadata.Writes, Summary: "Write a note.", Phrases: []string{"jot something down"},
			Examples: []metadata.Example{{Title: "Milk", Args: AddIn{Text: "buy milk", Times: 1}}},
		}, func(_ context.Context, in AddIn) (NotesOut, error) {
			n.countRun("add")
			n.mu.Lock()
			for range in.Times {
				n.texts = append(n.texts, in.Text)
			}
			n.mu.Unlock()
			return out()
		}),
		bundles.Bind(metadata.Action{Name: "list", Effect: metadata.Reads, Summary: "List all notes."},
			func(context.Context, ListIn) (NotesOut, error) { n.countRun("list"); return out() }),
		bundles.Bind(metadata.Action{Name: "shred", Effect: metadata.Destroys, Summary: "Throw the notes away."},
			func(context.Context, ShredIn) (NotesOut, error) { n.countRun("shred"); return out() }),
		bundles.Bind(metadata.Action{Name: "post", Effect: metadata.Sends, Summary: "Send the notes to a friend."},
			func(ctx context.Context, _ ListIn) (NotesOut, error) {
				if err := bundles.ConfirmSend(ctx, bundles.Outgoing{What: "notes", People: []string{"friend@example.com"}}); err != nil {
					return NotesOut{}, err
				}
				n.countRun("post")
				return out()
			}),
		bundles.Bind(metadata.Action{Name: "burst", Effect: metadata.Reads, Summary: "Fail in the worst way."},
			func(context.Context, ListIn) (NotesOut, error) {
				n.countRun("burst")
				panic("the secret is open sesame")
			}),
		bundles.Bind(metadata.Action{Name: "wait", Effect: metadata.Reads, Summary: "Wait until given up."},
			func(ctx context.Context, _ ListIn) (NotesOut, error) {
				<-ctx.Done()
				return NotesOut{}, ctx.Err()
			}),
	)
	b.Resources = []bundles.Resource{{
		Action: "list", URI: "notes://all", Name: "notes", Description: "All notes.", MIME: "text/plain",
		Read: func(context.Context, string) (string, error) { n.countRun("resource"); return "the notes", nil },
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

// New returns a router with these options.
func New(t testing.TB, o pipeline.Options) *entrypoint.Router {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	r, err := pipeline.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Call calls the tool and returns the answer as JSON, or the error.
func Call(t testing.TB, r *entrypoint.Router, tool, args string) (string, *metadata.Error) {
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

// NotesAndLetters returns two bundles: notes, with the tag paper and an action with the tag ink,
// and letters, with the tag wax.
func NotesAndLetters() []bundles.Bundle {
	_, paper := NewNotes("notes")
	_, wax := NewNotes("letters")
	wax.Tags = []string{"wax"}
	paper.Actions[0].Tags = []string{"ink"}
	return []bundles.Bundle{paper, wax}
}

// WithDeprecatedAction returns a router for the bundle notes with an additional, deprecated
// action notes_all.
func WithDeprecatedAction(t testing.TB) *entrypoint.Router {
	t.Helper()
	_, b := NewNotes("notes")
	i := slices.IndexFunc(b.Actions, func(a bundles.Action) bool { return a.Name == "list" })
	old := b.Actions[i]
	old.Name, old.Deprecated = "all", "notes_list"
	b = bundles.New(b.Bundle, append([]bundles.Action{old}, b.Actions...)...)
	return New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
}

// approve implements Approver by a function.
type approve func(context.Context, entrypoint.Request) error

func (f approve) Approve(ctx context.Context, _ *entrypoint.Call, request entrypoint.Request) error {
	return f(ctx, request)
}

// Approver returns f as an Approver, or nil if f is nil.
func Approver(f func(context.Context, entrypoint.Request) error) policy.Approver {
	if f == nil {
		return nil
	}
	return approve(f)
}
