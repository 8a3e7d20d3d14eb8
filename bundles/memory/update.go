package memory

import (
	"context"
	"encoding/json"
	"time"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type updateIn struct {
	Key        string          `json:"key"`
	Addition   json.RawMessage `json:"addition,omitempty" doc:"added to the value: objects merge, lists and texts grow"`
	Patch      json.RawMessage `json:"patch,omitempty" doc:"JSON merge patch (RFC 7396); null removes"`
	TagsAdd    []string        `json:"tags_add,omitempty"`
	TagsRemove []string        `json:"tags_remove,omitempty"`
	RenameTo   string          `json:"rename_to,omitempty"`
	Category   *string         `json:"category,omitempty"`
	ExpiresAt  string          `json:"expires_at,omitempty" doc:"as of memory_set, or \"never\""`
	Importance *int            `json:"importance,omitempty" min:"0" max:"3"`
	Pinned     *bool           `json:"pinned,omitempty"`
	Secret     *bool           `json:"secret,omitempty"`
	Source     *string         `json:"source,omitempty"`
	IfVersion  *int64          `json:"if_version,omitempty" min:"1"`
}

func (m *memory) updateAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "update", Effect: metadata.Writes,
		Summary:     "Change parts of a memory.",
		Description: "The rest and the old version stay.",
		Tags:        []string{"edit", "append", "rename"},
		Aliases:     metadata.Aliases{"update edit modify change patch: - memory fact"},
		Examples: []metadata.Example{
			{Title: "Add a fact", Args: updateIn{Key: "anna", Addition: json.RawMessage(`{"phone": "555 0100"}`)}},
			{Title: "Rename and tag", Args: updateIn{Key: "comm_style", RenameTo: "communication style", TagsAdd: []string{"style"}}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.NotFound, metadata.Conflict, metadata.Refused, metadata.TooLarge},
		Notes: []string{
			"addition adds a text on its own line, unless it is already there.",
			"patch is for objects: according to RFC 7396, a patch of a text or list replaces it.",
		},
	}, m.update)
}

func (m *memory) update(ctx context.Context, in updateIn) (setOut, error) {
	var p problems
	p.key("key", in.Key)
	if in.RenameTo != "" {
		p.key("rename_to", in.RenameTo)
	}
	p.value("addition", in.Addition)
	p.value("patch", in.Patch)
	p.tags("tags_add", in.TagsAdd)
	p.tags("tags_remove", in.TagsRemove)
	if in.Category != nil {
		p.line("category", *in.Category, maxTag)
	}
	if in.Source != nil {
		p.line("source", *in.Source, maxSource)
	}
	if len(in.Addition) > 0 && len(in.Patch) > 0 {
		p.add("patch", "omitted when addition is given", shorten(in.Patch, 40))
	}
	expires := m.newExpiry(&p, in)
	if err := p.err(); err != nil {
		return setOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return setOut{}, err
	}
	written, err := memories.Update(ctx, store.Edit{
		Key: in.Key, Addition: in.Addition, Patch: in.Patch, AddTags: in.TagsAdd, RemoveTags: in.TagsRemove, RenameTo: in.RenameTo,
		Category: in.Category, Source: newSource(ctx, in), Importance: in.Importance, Pinned: in.Pinned, Secret: in.Secret, Expires: expires, IfVersion: in.IfVersion,
		JoinSource: untrusted.JoinSources,
	})
	if err != nil {
		return setOut{}, explain(ctx, err, in.Key)
	}
	return m.setAnswer(ctx, written), nil
}

// newSource returns the source to store, or nil to keep the old one. It returns nil
// if the call names no source and adds no text that may be untrusted.
func newSource(ctx context.Context, in updateIn) *string {
	given := ""
	switch {
	case in.Source != nil:
		given = *in.Source
	case !bundles.HasUntrusted(ctx) || len(in.Addition)+len(in.Patch)+len(in.TagsAdd)+len(in.RenameTo) == 0 && in.Category == nil:
		return nil
	}
	source := untrusted.SourceToStore(ctx, given)
	return &source
}

// newExpiry returns the new expiry, the zero time to remove the old one, or nil to
// keep it.
func (m *memory) newExpiry(p *problems, in updateIn) *time.Time {
	if in.ExpiresAt == "never" {
		return &time.Time{}
	}
	if expires := p.expiry(in.ExpiresAt, "", m.Now(), m.Zone()); !expires.IsZero() {
		return &expires
	}
	return nil
}

// setAnswer returns the answer to a write of one memory.
func (m *memory) setAnswer(ctx context.Context, w store.WriteResult) setOut {
	out := setOut{Key: w.Key, Version: w.Version, Status: string(w.Change), Expires: m.formatTime(w.Expires), UndoID: w.Undo}
	if w.PlaintextErase != nil {
		out.Reason, out.Copies = w.PlaintextErase.Reason, w.PlaintextErase.Copies
	} else if w.Previous != nil && w.Change != store.Unchanged {
		out.Previous, out.Provenance = preview(w.Previous, 200), untrusted.MarkMemory(ctx, w.Previous.Source)
	}
	return out
}
