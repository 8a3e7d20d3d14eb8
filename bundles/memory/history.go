package memory

import (
	"context"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type historyIn struct {
	Key   string `json:"key,omitempty" doc:"of one memory"`
	Since string `json:"since,omitempty" doc:"or of all since then: RFC 3339 or date"`
	Limit int    `json:"limit,omitempty" alias:"max_results,count" default:"20" min:"1" max:"200"`
}

type historyOut struct {
	Changes []change `json:"changes"` // newest first
}

// A change is what happened to a memory, with its previous value.
type change struct {
	Key       string `json:"key"`
	Version   int64  `json:"version"` // the version that began with the change
	Operation string `json:"operation" enum:"create,set,update,rename,delete,restore"`
	At        string `json:"at"`
	Before    string `json:"before,omitempty"` // the previous value, cut after 200 characters; "" for create
	UndoID    string `json:"undo_id,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of before and the key
}

func (m *memory) historyAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "history", Effect: metadata.Reads,
		Summary: "List the changes of one memory, or all since a time.",
		Tags:    []string{"versions", "changes"},
		Aliases: metadata.Aliases{
			"get list: history versions",
			"versions: -",
		},
		Examples: []metadata.Example{
			{Title: "One memory", Args: historyIn{Key: "anna"}},
			{Title: "Everything since a date", Args: historyIn{Since: "2026-11-01", Limit: 50}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.NotFound},
		Notes:  []string{"memory_get {query, at} shows an earlier value in full; memory_restore restores it."},
	}, m.history)
}

func (m *memory) history(ctx context.Context, in historyIn) (historyOut, error) {
	var p problems
	if (in.Key == "") == (in.Since == "") {
		p.add("key", "one of key and since", metadata.BothOrNeither)
	}
	since := p.time("since", in.Since, m.Zone())
	if err := p.err(); err != nil {
		return historyOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return historyOut{}, err
	}
	var events []store.MemoryRevision
	if in.Key != "" {
		events, err = memories.History(ctx, in.Key, in.Limit)
	} else {
		events, err = memories.HistorySince(ctx, since, in.Limit)
	}
	if err != nil {
		return historyOut{}, explain(ctx, err, in.Key)
	}
	out := historyOut{Changes: make([]change, 0, len(events))}
	for _, e := range events {
		c := change{Key: e.Key, Version: e.Version, Operation: e.Operation, At: m.formatTime(e.At), UndoID: e.Undo, Provenance: untrusted.MarkMemory(ctx, e.Source)}
		if e.Before != nil {
			c.Before = preview(e.Before, 200)
		}
		out.Changes = append(out.Changes, c)
	}
	return out, nil
}
