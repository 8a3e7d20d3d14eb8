// Package stagedtest is a bundle with a staged action on KOTA's own database. It writes
// minutes and ideas. Tests use it to check what every such bundle relies on.
package stagedtest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/persist"
	"kota/bundles/staged"
	"kota/metadata"
	"kota/store"
)

// A Deps holds the external dependencies of the bundle.
type Deps struct {
	Memories Memories
	Stages   StageStore
	Now      func() time.Time
	Own      func(context.Context) ([]staged.DocumentType, error) // may be nil

	// BeforeNoted runs after a note was written, and before its flow records that. A test
	// can end the process there. BeforeNoted may be nil.
	BeforeNoted func()
}

// Memories is the part of the store that holds the notes.
type Memories interface {
	Set(ctx context.Context, e store.Entry) (store.WriteResult, error)
	List(ctx context.Context, f store.Filter, p store.Page) ([]*store.Memory, string, error)
}

// A StageStore stores unfinished flows.
type StageStore = persist.StageStore

type notes struct{ Deps }

// New returns the bundle, already enabled.
func New(deps Deps) bundles.Bundle {
	n := &notes{deps}
	return bundles.New(metadata.Bundle{
		Key: "notes", Name: "Notes", Description: "Minutes and ideas, written down", Enabled: true,
		Category: metadata.Optional, Tags: []string{"notes"},
	}, n.writeAction(), n.listAction())
}

type minutes struct {
	With      string   `json:"with" min:"1" doc:"participants"`
	Decisions []string `json:"decisions" max:"50" doc:"one each"`
	Mood      int      `json:"mood,omitempty" default:"3" min:"1" max:"5" doc:"1 bad to 5 good"`
}

type idea struct {
	Text string `json:"text" max:"100000" doc:"in the user's words"`
}

func (n *notes) writeAction() bundles.Action {
	return staged.Bind(staged.Flow{
		Action: metadata.Action{
			Name: "write", Summary: "Write minutes or note an idea, step by step or at once.",
			Phrases: []string{"take minutes", "jot down a thought", "what did we decide", "write up the meeting", "I have an idea"},
			Notes:   []string{"Cannot be undone: a note that was written stays."},
		},
		Stages:    persist.Stages{Store: func(context.Context) (persist.StageStore, error) { return n.Stages, nil }, Bundle: "notes"},
		Normalize: n.settle, Create: n.create, UserTypes: n.Own,
		Types: []staged.DocumentType{
			{
				Name: "minutes", Line: "who met, and what they decided", Fields: staged.FieldsOf[minutes](),
				Instructions: "Ask who was there, then for each decision. Write no more than was said.",
				Template:     "# {{.title}}, {{.period}}\n\nWith {{.with}}. Mood {{.mood}} of 5.\n\n{{list .decisions}}\n\n{{.written}} written before.",
				Prefill:      n.known,
				Example: staged.DocumentExample{
					Period: "2026-03-14", Title: "Garden", Answers: minutes{With: "Anna", Decisions: []string{"plant beans"}, Mood: 4},
					Prefill: map[string]any{"written": 0},
					Created: staged.CreateResult{ID: "garden", Title: "Garden", Next: []metadata.Step{{Tool: "notes_list", Args: struct{}{}}}},
				},
			},
			{
				Name: "idea", Line: "a thought worth keeping", Fields: staged.FieldsOf[idea](),
				Instructions: "Take the user's words as they are.", Template: "{{.text}}",
				Example: staged.DocumentExample{
					Title: "Pond", Answers: idea{Text: "dig a pond"},
					Created: staged.CreateResult{ID: "pond", Title: "Pond", Next: []metadata.Step{{Tool: "notes_list", Args: struct{}{}}}},
				},
			},
		},
	})
}

// settle checks the day of minutes, and uses the current day if it is missing.
func (n *notes) settle(_ context.Context, doc *staged.Document) error {
	if doc.Type != "minutes" {
		return nil
	}
	if doc.Period == "" || doc.Period == "today" {
		doc.Period = n.Now().Format(time.DateOnly)
	}
	if _, err := time.Parse(time.DateOnly, doc.Period); err != nil {
		return metadata.Invalid([]metadata.Problem{{Path: "period", Expected: "a day such as 2026-03-14", Got: doc.Period}}).
			WithHint("Leave period out for today.")
	}
	return nil
}

func (n *notes) known(ctx context.Context, _ staged.Document) (map[string]any, error) {
	out, err := n.list(ctx, struct{}{})
	return map[string]any{"written": len(out.Notes)}, err
}

// create writes a note as a memory, under the document's Key if it has one.
func (n *notes) create(ctx context.Context, doc staged.Document) (staged.CreateResult, error) {
	if doc.Title == "" {
		doc.Title = "Untitled"
	}
	id := strings.ToLower(doc.Title)
	body, err := json.Marshal(doc.Body)
	if err != nil {
		return staged.CreateResult{}, err
	}
	category := "notes"
	entry := store.Entry{Key: id, Value: body, Category: &category, Tags: []string{doc.Key}}
	if doc.Key != "" {
		entry.Key, entry.Mode = doc.Key, store.Create
	}
	_, err = n.Memories.Set(ctx, entry)
	there := (*store.ConflictError)(nil)
	repeated := errors.As(err, &there)
	if err != nil && !repeated {
		return staged.CreateResult{}, persist.Explain(err)
	}
	if n.BeforeNoted != nil {
		n.BeforeNoted()
	}
	return staged.CreateResult{
		ID: id, Title: doc.Title, Repeated: repeated,
		Next: []metadata.Step{{Tool: "notes_list", Args: struct{}{}}},
	}, nil
}

type listOut struct {
	Notes []string `json:"notes"`
}

func (n *notes) listAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list", Effect: metadata.Reads, Summary: "List what was written.",
		Phrases:  []string{"show my notes", "which minutes are there", "all ideas", "what have I written", "read the notes"},
		Examples: []metadata.Example{{Title: "All", Args: struct{}{}}},
	}, n.list)
}

func (n *notes) list(ctx context.Context, _ struct{}) (listOut, error) {
	out := listOut{Notes: []string{}}
	found, _, err := n.Memories.List(ctx, store.Filter{}, store.Page{Limit: 100})
	if err != nil {
		return out, persist.Explain(err)
	}
	for _, m := range found {
		var body string
		if err := json.Unmarshal(m.Value, &body); err != nil {
			return out, err
		}
		out.Notes = append(out.Notes, body)
	}
	return out, nil
}
