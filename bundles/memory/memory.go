// Package memory is the bundle that stores values under keys. It finds them by key, by
// words, by meaning and despite misspellings. It keeps earlier versions: every change
// can be undone, except a permanent deletion.
package memory

import (
	"context"
	"embed"
	"encoding/json"
	"time"

	"kota/bundles"
	"kota/metadata"
	"kota/store"
)

// A Deps holds the external dependencies of the bundle.
type Deps struct {
	Memories func(context.Context) (Memories, error) // called on each call
	Now      func() time.Time
	Zone     func() *time.Location // the user's zone, for dates and times without an offset and for answers; nil: the system's
	Similar  Similar               // finds memories by meaning; nil: only words find them
}

type memory struct{ Deps }

// New returns the bundle. It calls no function of deps before the first call of
// an action.
func New(deps Deps) bundles.Bundle {
	if deps.Zone == nil {
		deps.Zone = func() *time.Location { return time.Local }
	}
	m := &memory{deps}
	b := bundles.New(about(),
		m.setAction(), m.getAction(), m.searchAction(), m.updateAction(), m.listAction(),
		m.deleteAction(), m.restoreAction(), m.historyAction(), m.categoriesAction(),
	)
	b.Instructions = "It remembers things across conversations: before you answer a question about the user's preferences, people, plans or past, look it up with memory_get. Store what is worth keeping with memory_set."
	b.Resources = m.resources()
	b.Prompts = m.prompts()
	return b
}

// phrases are the words that people use for each action: see metadata.Bundle.
//
//go:embed phrases
var phrases embed.FS

func about() metadata.Bundle {
	return metadata.Bundle{
		Key:         "memory",
		Name:        "KOTA Memory Store",
		Description: "Persistent memory storage for preferences, patterns, and state",
		Category:    metadata.Core,
		Tags:        []string{"storage", "persistence", "memory"},
		Phrases:     phrases,
		Version:     "1",
		Relationships: []metadata.Relationship{
			{Type: metadata.RelatedTo, Bundle: "daily", Description: "Daily logs may reference memories for context"},
			{Type: metadata.RelatedTo, Bundle: "gmail", Description: "Memories about people help to write mail to them"},
		},
		Workflows: []metadata.Workflow{
			{
				Title: "Store and retrieve a preference", Scenario: "Remember how the user likes answers, and look it up in a later conversation",
				Steps: []metadata.Step{
					{Tool: "memory_set", Args: map[string]any{"key": "comm_style", "value": "concise", "category": "preferences"}},
					{Tool: "memory_get", Args: map[string]any{"query": "comm_style"}},
				},
			},
			{
				Title: "Correct and undo", Scenario: "Add a fact to a memory, then undo it because it was wrong",
				Steps: []metadata.Step{
					{Tool: "memory_set", Args: map[string]any{"key": "anna", "value": map[string]any{"role": "dentist"}, "category": "people"}},
					{Tool: "memory_update", Args: map[string]any{"key": "anna", "addition": map[string]any{"phone": "555 0100"}}},
					{Tool: "memory_history", Args: map[string]any{"key": "anna"}},
					{Tool: "memory_restore", Args: map[string]any{"key": "anna", "version": 1}},
				},
			},
			{
				Title: "Write to a person you have memories of", Scenario: "Look up what is known about a person, and use it to draft the mail",
				Steps: []metadata.Step{
					{Tool: "memory_get", Args: map[string]any{"query": "bob"}},
					{Tool: "gmail_send_message", Args: map[string]any{"to": []string{"bob@example.com"}, "subject": "Lunch", "body": "The usual place?", "as_draft": true}},
				},
			},
		},
	}
}

// memories returns the tenant's memories.
func (m *memory) memories(ctx context.Context) (Memories, error) {
	memories, err := m.Memories(ctx)
	if err != nil {
		return nil, explain(ctx, err, "")
	}
	return memories, nil
}

// Memories is the store interface of the bundle: the memories of one tenant.
type Memories interface {
	Reader
	Writer
}

// A Reader reads memories.
type Reader interface {
	Get(ctx context.Context, key string) (*store.Memory, error)
	GetAt(ctx context.Context, key string, at time.Time) (*store.Memory, error)
	List(ctx context.Context, f store.Filter, p store.Page) ([]*store.Memory, string, error)
	Recall(ctx context.Context, q store.RecallQuery) (store.RecallResult, error)
	History(ctx context.Context, key string, limit int) ([]store.MemoryRevision, error)
	HistorySince(ctx context.Context, since time.Time, limit int) ([]store.MemoryRevision, error)
	Categories(ctx context.Context) ([]store.Category, error)
	Reveal(found *store.Memory) (json.RawMessage, error)
}

// A Writer changes memories.
type Writer interface {
	Set(ctx context.Context, e store.Entry) (store.WriteResult, error)
	SetMany(ctx context.Context, entries []store.Entry) ([]store.WriteResult, error)
	Update(ctx context.Context, e store.Edit) (store.WriteResult, error)
	Delete(ctx context.Context, target store.Target, dryRun bool) (store.DeleteResult, error)
	Erase(ctx context.Context, target store.Target, dryRun bool) (store.EraseResult, error)
	Restore(ctx context.Context, undo string) ([]store.WriteResult, error)
	RestoreVersion(ctx context.Context, key string, version int64) (store.WriteResult, error)
	Touch(ids ...int64)
}
