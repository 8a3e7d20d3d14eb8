package memory

import (
	"context"
	"errors"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type deleteIn struct {
	Key       string        `json:"key,omitempty"`
	Filter    *deleteFilter `json:"filter,omitempty" doc:"or all that match all of this"`
	DryRun    bool          `json:"dry_run,omitempty" doc:"only say which"`
	Permanent bool          `json:"permanent,omitempty" doc:"with all versions, from the file; cannot be undone"`
}

type deleteFilter struct {
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Prefix   string   `json:"prefix,omitempty"`
	Before   string   `json:"before,omitempty" doc:"last changed before"`
	Source   string   `json:"source,omitempty"`
	Archived bool     `json:"archived,omitempty"`
}

// Effect returns the effect of this call. Without permanent the deletion can be undone. A
// dry run changes nothing.
func (in deleteIn) Effect() metadata.Effect {
	switch {
	case in.DryRun:
		return metadata.Reads
	case in.Permanent:
		return metadata.Destroys
	}
	return metadata.Writes
}

// ConfirmsItself marks that delete asks the user about exactly what it destroys.
func (deleteIn) ConfirmsItself() {}

type deleteOut struct {
	DryRun      bool     `json:"dry_run,omitempty"` // nothing was deleted; would_delete and keys say what would be
	WouldDelete int      `json:"would_delete,omitempty"`
	Deleted     int      `json:"deleted"`
	Keys        []string `json:"keys"`              // the first 50
	UndoID      string   `json:"undo_id,omitempty"` // for memory_restore; "" if nothing can be restored
	Gone        *bool    `json:"gone,omitempty"`    // only for a permanent deletion: whether no deleted text is left in the file
	Reason      string   `json:"reason,omitempty"`  // why gone is false; "" if that is unknown
	Copies      []string `json:"copies,omitempty"`  // other files next to the database that may still contain deleted text

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of the keys that a filter found
}

func (m *memory) deleteAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "delete", Effect: metadata.Destroys,
		Summary:     "Forget a memory, or all that match a filter.",
		Description: "memory_restore restores them, unless permanent is set.",
		Tags:        []string{"forget", "remove"},
		Aliases:     metadata.Aliases{"delete forget remove erase: - memory memories fact"},
		Examples: []metadata.Example{
			{Title: "Delete or forget one", Args: deleteIn{Key: "theme"}},
			{Title: "Dry run: show what a filter would delete", Args: deleteIn{Filter: &deleteFilter{Category: "state"}, DryRun: true}},
			{Title: "For good", Args: deleteIn{Key: "theme", Permanent: true}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.NotFound, metadata.Conflict},
		Notes:  []string{"gone false means that another process still reads the file: repeat the call when it has ended; KOTA also tries again by itself."},
	}, m.delete)
}

func (m *memory) delete(ctx context.Context, in deleteIn) (deleteOut, error) {
	var p problems
	target := store.Target{Key: in.Key}
	switch {
	case (in.Key == "") == (in.Filter == nil):
		p.add("key", "one of key and filter", metadata.BothOrNeither)
	case in.Key != "":
		p.key("key", in.Key)
	case in.Filter.empty():
		p.add("filter", "at least one of category, tags, prefix, before, source and archived", "{}")
	default:
		target.Filter = in.Filter.store(p.time("filter.before", in.Filter.Before, m.Zone()))
	}
	if err := p.err(); err != nil {
		return deleteOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return deleteOut{}, err
	}
	if in.Permanent {
		return erase(ctx, memories, target, in)
	}
	deleted, err := memories.Delete(ctx, target, in.DryRun)
	if err != nil {
		return deleteOut{}, explain(ctx, err, in.Key)
	}
	out := in.answer(ctx, deleted.Keys, deleted.Sources)
	out.UndoID = deleted.Undo
	return out, nil
}

// erase destroys exactly the memories and versions that the user agreed to. A
// dry run only lists them.
func erase(ctx context.Context, memories Memories, target store.Target, in deleteIn) (deleteOut, error) {
	would, err := memories.Erase(ctx, target, true)
	if err != nil {
		return deleteOut{}, explain(ctx, err, in.Key)
	}
	if in.DryRun {
		return in.answer(ctx, would.Keys, would.Sources), nil
	}
	if target.Only = would.Rows; len(would.Rows) > 0 {
		if err := bundles.ConfirmDestroy(ctx, deletionOf(would)); err != nil {
			return deleteOut{}, err
		}
	}
	erased, err := memories.Erase(ctx, target, false)
	if conflict := (*store.ConflictError)(nil); errors.As(err, &conflict) {
		e := metadata.Errorf(metadata.Conflict, "%q was changed after the user approved its deletion: nothing was deleted", conflict.Key).
			WithHint("Repeat the call: the user is then asked about the current version.")
		e.Cause = err
		return deleteOut{}, e
	}
	if err != nil {
		return deleteOut{}, explain(ctx, err, in.Key)
	}
	out := in.answer(ctx, erased.Keys, erased.Sources)
	out.Gone, out.Reason, out.Copies = &erased.Complete, erased.Reason, erased.Copies
	return out, nil
}

// deletionOf describes to the user the deletion of the memories in preview. All
// contains their ids and versions.
func deletionOf(preview store.EraseResult) bundles.Deletion {
	return bundles.Deletion{What: metadata.CountOf(len(preview.Keys), "memory"), Lines: []bundles.Line{{Name: "Deleted for good", Text: strings.Join(preview.Keys, "\n")}}, All: preview.Rows}
}

// answer returns the answer without undo id: what was or would be deleted. It has the
// provenance of keys that the call did not name.
func (in deleteIn) answer(ctx context.Context, keys, sources []string) deleteOut {
	const maxKeys = 50
	out := deleteOut{Keys: keys[:min(maxKeys, len(keys))], DryRun: in.DryRun}
	if in.Filter != nil {
		out.Provenance = commonProvenance(ctx, sources)
	}
	if in.DryRun {
		out.WouldDelete = len(keys)
		return out
	}
	out.Deleted = len(keys)
	return out
}

func (f *deleteFilter) empty() bool {
	return f.Category == "" && len(f.Tags) == 0 && strings.TrimSpace(f.Prefix) == "" && f.Before == "" && strings.TrimSpace(f.Source) == "" && !f.Archived
}

func (f *deleteFilter) store(before time.Time) store.Filter {
	return store.Filter{Category: f.Category, Tags: f.Tags, Prefix: f.Prefix, Before: before, Source: f.Source, Archived: f.Archived}
}
