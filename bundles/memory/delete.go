package memory

import (
	"context"
	"strings"
	"time"

	"kota/bundles"
	"kota/metadata"
	"kota/store"
)

type deleteIn struct {
	Key       string        `json:"key,omitempty"`
	Filter    *deleteFilter `json:"filter,omitempty" doc:"or all that have all of this"`
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

// Effect says what this call does: without permanent it can be undone, and a
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

type deleteOut struct {
	DryRun  bool     `json:"dry_run,omitempty"` // nothing was deleted: the rest says what would be
	Deleted int      `json:"deleted"`
	Keys    []string `json:"keys"`              // the first 50
	UndoID  string   `json:"undo_id,omitempty"` // for memory_restore
	Gone    *bool    `json:"gone,omitempty"`    // permanent: no byte of it is left in the file
	Reason  string   `json:"reason,omitempty"`  // why it is not gone
	Copies  []string `json:"copies,omitempty"`  // files beside the database that may still have it
}

func (m *memory) deleteAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "delete", Effect: metadata.Destroys,
		Summary:     "Forget a memory, or all that a filter fits.",
		Description: "undo_id brings them back, unless permanent is set.",
		Tags:        []string{"forget", "remove"},
		Phrases: []string{
			"forget what I told you about my ex, drop what I said",
			"forget my credit card number and my old address",
			"delete that memory, it is none of your business",
			"stop remembering this, erase it from your memory",
			"wipe or delete memories of that category or tag for good",
			"remove all memories of my old job, you needn't keep them",
			"clean out outdated facts you no longer need to know",
			"purge my personal data, leave no trace",
			"vergeet dat, wis wat je over mij weet",
			"vergiss das, lösche diese Erinnerung für immer",
			"oublie ça, efface ce que je t'ai dit, mon adresse",
			"olvida lo que te dije, bórralo de tu memoria",
		},
		Examples: []metadata.Example{
			{Title: "Forget one", Args: deleteIn{Key: "theme"}},
			{Title: "See what a filter would delete", Args: deleteIn{Filter: &deleteFilter{Category: "state"}, DryRun: true}},
			{Title: "For good", Args: deleteIn{Key: "theme", Permanent: true}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.NotFound},
		Notes:  []string{"gone: false means that another process reads the file: repeat the call when it has ended; KOTA tries again by itself as well."},
	}, m.delete)
}

func (m *memory) delete(ctx context.Context, in deleteIn) (deleteOut, error) {
	var p problems
	target := store.Target{Key: in.Key}
	switch {
	case (in.Key == "") == (in.Filter == nil):
		p.add("key", "given, or filter in its place", "both or neither")
	case in.Key != "":
		p.key("key", in.Key)
	case in.Filter.empty():
		p.add("filter", "at least one of category, tags, prefix, before, source and archived", "{}")
	default:
		target.Filter = in.Filter.store(p.time("filter.before", in.Filter.Before, m.Location))
	}
	if err := p.err(); err != nil {
		return deleteOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return deleteOut{}, err
	}
	if in.Permanent {
		erased, err := memories.Erase(ctx, target, in.DryRun)
		if err != nil {
			return deleteOut{}, explain(err, in.Key)
		}
		out := deletedOf(erased.Keys, in.DryRun)
		if !in.DryRun {
			out.Gone, out.Reason, out.Copies = &erased.Gone, erased.Reason, erased.Copies
		}
		return out, nil
	}
	deleted, err := memories.Delete(ctx, target, in.DryRun)
	if err != nil {
		return deleteOut{}, explain(err, in.Key)
	}
	out := deletedOf(deleted.Keys, in.DryRun)
	out.UndoID = deleted.Undo
	return out, nil
}

func deletedOf(keys []string, dryRun bool) deleteOut {
	const shown = 50
	return deleteOut{Deleted: len(keys), Keys: keys[:min(shown, len(keys))], DryRun: dryRun}
}

func (f *deleteFilter) empty() bool {
	return f.Category == "" && len(f.Tags) == 0 && strings.TrimSpace(f.Prefix) == "" && f.Before == "" && strings.TrimSpace(f.Source) == "" && !f.Archived
}

func (f *deleteFilter) store(before time.Time) store.Filter {
	return store.Filter{Category: f.Category, Tags: f.Tags, Prefix: f.Prefix, Before: before, Source: f.Source, Archived: f.Archived}
}
