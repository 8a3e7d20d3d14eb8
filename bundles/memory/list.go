package memory

import (
	"context"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type listIn struct {
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitempty" doc:"all of them"`
	Prefix   string   `json:"prefix,omitempty" doc:"the start of the key"`
	Source   string   `json:"source,omitempty" doc:"in it: \"mail\""`
	Expires  string   `json:"expires_before,omitempty" doc:"date: expires before"`
	Archived bool     `json:"archived,omitempty" doc:"deleted and expired ones"`
	Limit    int      `json:"limit,omitempty" alias:"max_results,count" default:"20" min:"1" max:"100"`
	Cursor   string   `json:"cursor,omitempty"`
}

type listOut struct {
	Memories   []row  `json:"memories"`
	NextCursor string `json:"next_cursor,omitempty"`
}

// A row is a memory in a list, with enough data to choose it.
type row struct {
	Key      string   `json:"key"`
	Preview  string   `json:"preview"` // the value, cut after 80 characters; "(secret)" for a secret
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Updated  string   `json:"updated"`
	Expires  string   `json:"expires_at,omitempty"`
	Archived string   `json:"archived,omitempty" enum:"deleted,expired"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

func (m *memory) listAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list", Effect: metadata.Reads,
		Summary:     "List memories by key.",
		Description: "Short previews; memory_get shows all.",
		Tags:        []string{"browse"},
		Aliases:     metadata.Aliases{"list get get_all list_all read show: memories all facts"},
		Examples: []metadata.Example{
			{Title: "One category", Args: listIn{Category: "preferences"}},
			{Title: "Memories that expire in November", Args: listIn{Expires: "2026-12-01", Limit: 20}},
			{Title: "Deleted and expired memories", Args: listIn{Archived: true, Limit: 50}},
		},
		Errors: []metadata.Code{metadata.ValidationError},
	}, m.list)
}

func (m *memory) list(ctx context.Context, in listIn) (listOut, error) {
	var p problems
	filter := store.Filter{Category: in.Category, Tags: in.Tags, Prefix: in.Prefix, Source: in.Source, Archived: in.Archived, Ending: p.time("expires_before", in.Expires, m.Zone())}
	if err := p.err(); err != nil {
		return listOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return listOut{}, err
	}
	found, next, err := memories.List(ctx, filter, store.Page{Order: store.ByKey, Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return listOut{}, explain(ctx, err, in.Prefix)
	}
	out := listOut{Memories: make([]row, 0, len(found)), NextCursor: next}
	for _, s := range found {
		out.Memories = append(out.Memories, m.row(ctx, s))
	}
	return out, nil
}

func (m *memory) row(ctx context.Context, s *store.Memory) row {
	r := row{Key: s.Key, Preview: preview(s, 80), Category: s.Category, Tags: s.Tags, Updated: m.formatTime(s.Updated), Provenance: untrusted.MarkMemory(ctx, s.Source)}
	if !s.Expires.IsZero() {
		r.Expires = m.formatTime(s.Expires)
	}
	switch {
	case !s.Deleted.IsZero():
		r.Archived = "deleted"
	case !s.Expires.IsZero() && !s.Expires.After(m.Now()):
		r.Archived = "expired"
	}
	return r
}
