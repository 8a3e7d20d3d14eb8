package daily

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/bundles/staged"
	"kota/metadata"
	"kota/store"
)

// A kind is what the types of documents that come with KOTA are known by.
type kind struct {
	name, title string
	unit        string // of the period that it is the only one of; "" for one that there may be many of
	after       string // the kind that follows on it, for the next period of its unit; "" for none
}

// kinds are all of them, in the order in which they are listed.
func kinds() []kind {
	return []kind{
		{"day_plan", "Day plan", days.Day, ""},
		{"week_plan", "Week plan", days.Week, ""},
		{"day_review", "Day review", days.Day, "day_plan"},
		{"week_review", "Week review", days.Week, "week_plan"},
		{"month_review", "Month review", days.Month, ""},
		{"meeting_notes", "Meeting notes", "", ""},
		{"decision_record", "Decision", "", ""},
	}
}

// kindOf returns the kind of that name. A type of the user's own is of no unit,
// and its name says its title.
func kindOf(name string) kind {
	for _, k := range kinds() {
		if k.name == name {
			return k
		}
	}
	return kind{name: name, title: capital(name)}
}

// capital is a name as a heading: "trip_report" is "Trip report".
func capital(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:] // names are ASCII
}

// TypeNames are the types of documents that come with KOTA: users cannot have
// one of their own by these names.
func TypeNames() []string {
	names := []string{}
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// flow is what daily_plan and daily_review have in common, which is all but
// their words: either makes every type, and goes on with what the other began.
// A caller who takes the wrong one of them is not sent away. first are the types
// that it is for; one of them is meant by a period alone.
func (d *daily) flow(about metadata.Action, first ...string) staged.Flow {
	types := d.types()
	slices.SortStableFunc(types, func(a, b staged.DocumentType) int { return rank(a.Name, first) - rank(b.Name, first) })
	return staged.Flow{
		Action: about, Types: types, Own: d.ownTypes,
		Stages:   desk{persist.Stages{Store: d.deps.Stages, Bundle: "daily"}, about.Name},
		Settle:   func(_ context.Context, doc *staged.Document) error { return d.settle(doc, first) },
		Standing: d.stands, Create: d.create,
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
			t.Template = plainPage(t.Fields)
		}
		t.Knows = d.knows(t.Template)
		own = append(own, t)
	}
	return own, nil
}

var likeDate = lazyregexp.Of(`^\d{4}-`)

// settle chooses the type that a period means, gives the period the form in
// which it is kept, today for want of it, and the document a title. What is no
// period is what a document is about that may be about anything.
func (d *daily) settle(doc *staged.Document, first []string) error {
	if doc.Type == "" && doc.Period == "" {
		return nil
	}
	k, given := kindOf(doc.Type), d.Today()
	back := isReview(doc.Type) || doc.Type == "" && isReview(first[0])
	if doc.Period != "" {
		var err error
		given, err = d.Period("period", doc.Period, days.Reading{Unit: k.unit, Past: back})
		switch about := k.unit == "" && !likeDate().MatchString(doc.Period); {
		case err != nil && about && doc.Type == "":
			return nil // to be chosen
		case err != nil && about:
			if doc.Title == "" {
				doc.Title = doc.Period
			}
			given = d.Today()
		case err != nil:
			return err
		}
	}
	if doc.Type == "" {
		doc.Type = typeFor(given.Unit, first)
		if doc.Type == "" {
			doc.Period = given.Name()
			return nil
		}
		k = kindOf(doc.Type)
	}
	if k.unit != "" {
		of, ok := given.As(k.unit)
		if !ok {
			return metadata.Invalid([]metadata.Problem{{Path: "period", Expected: "a " + k.unit + ", for a " + doc.Type, Got: given.Name()}}).
				WithHint("Without a type the call lists them.")
		}
		given = of
	}
	if isReview(doc.Type) && given.First.After(d.Today().First) {
		return metadata.Invalid([]metadata.Problem{{Path: "period", Expected: "a " + given.Unit + " that has begun, for a " + doc.Type, Got: given.Name()}}).
			WithHint("What is to come is planned, with daily_plan.")
	}
	doc.Period = given.Name()
	if doc.Title = htmltext.Line(doc.Title); doc.Title == "" {
		doc.Title = k.titled(given)
	}
	return nil
}

// isReview reports whether documents of a type look back.
func isReview(name string) bool { return strings.HasSuffix(name, "_review") && kindOf(name).unit != "" }

// typeFor is the type among those that is for a unit of time, "" for none.
func typeFor(unit string, first []string) string {
	for _, name := range first {
		if kindOf(name).unit == unit {
			return name
		}
	}
	return ""
}

func (k kind) titled(p days.Period) string { return k.title + ", " + p.Words() }

// stands is the plan or the review that there is of a period already.
func (d *daily) stands(ctx context.Context, doc staged.Document) (*staged.Standing, error) {
	if kindOf(doc.Type).unit == "" {
		return nil, nil
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return nil, err
	}
	found, err := diary.Documents(ctx, store.DocumentFilter{Type: doc.Type, Period: doc.Period}, 1)
	if err != nil || len(found) == 0 {
		return nil, rows.Explain(err)
	}
	stands := &staged.Standing{ID: found[0].ID, Version: found[0].Version, Foreign: untrusted.Noted(found[0].Source)}
	if err := json.Unmarshal(found[0].Fields, &stands.Answers); err != nil {
		return nil, fmt.Errorf("read the fields of %s: %w", stands.ID, err)
	}
	return stands, nil
}

// onceWithin is how long notes or a decision in the same words are those that
// were made: clients repeat calls whose answers they did not get. Mail that is
// sent twice is held to as long.
const onceWithin = 10 * time.Minute

// create keeps the document. The plan or review of a period that there is one
// of already becomes its next version.
func (d *daily) create(ctx context.Context, doc staged.Document) (staged.Created, error) {
	diary, err := d.diary(ctx)
	if err != nil {
		return staged.Created{}, err
	}
	fields, err := metadata.Plain(doc.Answers)
	if err != nil {
		return staged.Created{}, fmt.Errorf("keep %s: %w", doc.Type, err)
	}
	saving := store.Saving{Document: store.Document{
		Type: doc.Type, Period: doc.Period, Sole: kindOf(doc.Type).unit != "", Title: doc.Title, Body: doc.Body, Fields: fields,
		Source: untrusted.Source(ctx, ""),
	}, Once: onceWithin, IfVersion: new(int64(0))}
	if doc.Replaces != nil {
		saving.IfVersion = &doc.Replaces.Version
	}
	if doc.Key != "" {
		saving.Key = "document " + doc.Key
	}
	saved, err := diary.SaveDocument(ctx, saving)
	// The same handle has made it before the process ended, with what was known then.
	if used := (*store.KeyError)(nil); errors.As(err, &used) && len(used.IDs) == 1 {
		saved.Repeated = true
		saved.Document, err = diary.Document(ctx, used.IDs[0])
	}
	if err != nil {
		return staged.Created{}, rows.Explain(err)
	}
	back := deleting(saved.Document.ID)
	if saved.Undo != "" {
		back = undoing(saved.Undo)
	}
	next := slices.DeleteFunc(nextOf(doc, saved.Document.ID, back), func(s metadata.Step) bool { return !bundles.Offered(ctx, s.Tool) })
	return staged.Created{
		ID: saved.Document.ID, Title: saved.Document.Title, Undo: saved.Undo, Repeated: saved.Repeated || saved.Change == store.Unchanged, Next: next,
	}, nil
}

// undoing are the arguments that take back a change.
func undoing(undo string) map[string]any { return map[string]any{"undo_id": undo} }

// deleting are the arguments that take back a document that an earlier call made.
func deleting(id string) map[string]any { return map[string]any{"id": id, "delete": true} }

// nextOf are the calls that go on from a document with that id; the last takes
// it back.
func nextOf(doc staged.Document, id string, back map[string]any) []metadata.Step {
	next := []metadata.Step{{Tool: "daily_get", Args: map[string]any{"id": id}}, {Tool: "daily_task", Args: map[string]any{"op": "list"}}}
	p, ok := days.Named(doc.Period)
	if k := kindOf(doc.Type); ok && k.after != "" {
		next = append(next, metadata.Step{Tool: "daily_plan", Args: map[string]any{"type": k.after, "period": p.Next().Name()}})
	}
	return append(next, metadata.Step{Tool: "daily_edit", Args: back})
}
