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

// TypeNames returns the names of the document types that come with KOTA. Users cannot use
// these names for their own types.
func TypeNames() []string {
	names := []string{}
	for _, k := range document.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// flow returns the flow of daily_plan or daily_review. Both actions write every type and
// can continue each other's documents. They differ only in their metadata and in first,
// the types that the action lists first. If a call has no type, the action takes the type
// in first that fits the length of the period, if any.
func (d *daily) flow(about metadata.Action, first ...string) staged.Flow {
	types := d.types()
	written := document.Documents{Clock: d.Clock, Open: func(ctx context.Context) (document.Diary, error) { return d.diary(ctx) }}
	slices.SortStableFunc(types, func(a, b staged.DocumentType) int { return rank(a.Name, first) - rank(b.Name, first) })
	return staged.Flow{
		Action: about, Types: types, UserTypes: d.userTypes,
		Stages:    document.SharedStages{Stages: persist.Stages{Store: d.deps.Stages, Bundle: "daily"}, Action: about.Name},
		Normalize: func(_ context.Context, doc *staged.Document) error { return written.Normalize(doc, first) },
		Existing:  written.Existing, Create: written.Create,
	}
}

// rank returns 0 for a name in first, else 1.
func rank(name string, first []string) int {
	if slices.Contains(first, name) {
		return 0
	}
	return 1
}

// userTypes returns the types from bundles.yaml.
func (d *daily) userTypes(context.Context) ([]staged.DocumentType, error) {
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

// prefill returns the function that gathers what a template starts with: see package
// prefill.
func (d *daily) prefill(template string) func(context.Context, staged.Document) (map[string]any, error) {
	start := prefill.Gatherer{
		Clock: d.Clock, Open: func(ctx context.Context) (prefill.Diary, error) { return d.diary(ctx) },
		Events: d.deps.Sources.Events, Log: d.deps.Log,
	}
	return start.For(template)
}

// EmptyPrefill returns the template values of a period with an empty diary and no
// calendar.
func EmptyPrefill() map[string]any { return prefill.Empty() }
