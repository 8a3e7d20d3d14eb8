package daily

import (
	"context"
	"slices"

	"kota/bundles/daily/internal/document"
	"kota/bundles/daily/internal/prefill"
	"kota/bundles/internal/persist"
	"kota/bundles/staged"
	"kota/metadata"
)

// TypeNames are the types of documents that come with KOTA: users cannot have
// one of their own by these names.
func TypeNames() []string {
	names := []string{}
	for _, k := range document.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// flow is what daily_plan and daily_review have in common, which is all but
// their words: either makes every type, and goes on with what the other began.
// A caller who takes the wrong one of them is not sent away. first are the types
// that it is for; one of them is meant by a period alone.
func (d *daily) flow(about metadata.Action, first ...string) staged.Flow {
	types := d.types()
	written := document.Documents{Clock: d.Clock, Open: func(ctx context.Context) (document.Diary, error) { return d.diary(ctx) }}
	slices.SortStableFunc(types, func(a, b staged.DocumentType) int { return rank(a.Name, first) - rank(b.Name, first) })
	return staged.Flow{
		Action: about, Types: types, Own: d.ownTypes,
		Stages:   document.SharedStages{Stages: persist.Stages{Store: d.deps.Stages, Bundle: "daily"}, Action: about.Name},
		Settle:   func(_ context.Context, doc *staged.Document) error { return written.Settle(doc, first) },
		Standing: written.Standing, Create: written.Create,
	}
}

// rank is 0 for one of the first, else 1.
func rank(name string, first []string) int {
	if slices.Contains(first, name) {
		return 0
	}
	return 1
}

// ownTypes are those from bundles.yaml.
func (d *daily) ownTypes(context.Context) ([]staged.DocumentType, error) {
	if d.deps.Templates == nil {
		return nil, nil
	}
	own := []staged.DocumentType{}
	for _, t := range d.deps.Templates() {
		if t.Template == "" {
			t.Template = document.PlainPage(t.Fields)
		}
		t.Prefill = d.prefill(t.Template)
		own = append(own, t)
	}
	return own, nil
}

// prefill is what a template starts with: see prefill.
func (d *daily) prefill(template string) func(context.Context, staged.Document) (map[string]any, error) {
	start := prefill.Gatherer{
		Clock: d.Clock, Open: func(ctx context.Context) (prefill.Diary, error) { return d.diary(ctx) },
		Events: d.deps.Sources.Events, Log: d.deps.Log,
	}
	return start.For(template)
}

// KnownNothing is what templates see of a period in which nothing was kept,
// without a calendar.
func KnownNothing() map[string]any { return prefill.Nothing() }
