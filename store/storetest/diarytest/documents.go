package diarytest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/storetest"
)

var documentsContract = storetest.Contract{
	"concurrent reviews are consecutive versions":           concurrentReviewsAreConsecutiveVersions,
	"a review saved again is the next version":              reviewSavedAgainIsTheNextVersion,
	"other documents are separate":                          otherDocumentsAreSeparate,
	"equal documents within ten minutes are one":            equalDocumentsWithinTheWindowAreOne,
	"an expected version must be current":                   expectedVersionMustBeCurrent,
	"a range includes overlapping periods":                  rangeIncludesOverlappingPeriods,
	"a deleted review is not restored beside its successor": deletedReviewIsNotRestoredBesideItsSuccessor,
	"a period must exist":                                   periodMustExist,
	"a search finds title, body and fields":                 searchFindsTitleBodyAndFields,
}

func weekReview(period, body string) store.DocumentSave {
	return store.DocumentSave{Document: store.Document{Type: "week_review", Period: period, Unique: true, Title: "Week " + period, Body: body, Fields: json.RawMessage(`{"went_well": "much"}`)}}
}

func saveDocument(t testing.TB, d storetest.Diary, s store.DocumentSave) store.SaveResult {
	t.Helper()
	saved, err := d.SaveDocument(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func reviewSavedAgainIsTheNextVersion(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	d := db.Diary("ann")
	first := saveDocument(t, d, weekReview("2026-W47", "good"))
	c.Set(c.Now().Add(-time.Hour))
	second := saveDocument(t, d, weekReview("2026-W47", "very good"))
	if second.Document.ID != first.Document.ID || second.Document.Version != 2 || second.Change != store.Updated || second.Before.Body != "good" || !second.Document.Updated.After(first.Document.Updated) {
		t.Errorf("saved again: %+v", second)
	}
	if same := saveDocument(t, d, weekReview("2026-W47", "very good")); same.Change != store.Unchanged || same.Document.Version != 2 || same.Undo != "" {
		t.Errorf("saved without a change: %+v", same)
	}
	if other := saveDocument(t, d, weekReview("2026-W48", "good")); other.Document.ID == first.Document.ID || other.Change != store.Created {
		t.Errorf("for another week: %+v", other)
	}
	if _, err := d.Restore(t.Context(), second.Undo); err != nil {
		t.Fatal(err)
	}
	got, err := d.Document(t.Context(), first.Document.ID)
	want := *first.Document
	want.Version, want.Updated = 3, got.Updated
	if diff := cmp.Diff(&want, got); diff != "" || err != nil {
		t.Errorf("after undo, %v: %s", err, diff)
	}
}

// Another process may save its review at the same time.
func concurrentReviewsAreConsecutiveVersions(t *testing.T, open storetest.Opener) {
	var all sync.WaitGroup
	for range 6 {
		d := open(time.Now).Diary("ann")
		all.Go(func() { saveDocument(t, d, weekReview("2026-W47", time.Now().String())) })
	}
	all.Wait()
	found, err := open(time.Now).Diary("ann").Documents(t.Context(), store.DocumentFilter{}, 9)
	if err != nil || len(found) != 1 || found[0].Version != 6 {
		t.Errorf("got %+v, %v", found, err)
	}
}

func otherDocumentsAreSeparate(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	notes := store.DocumentSave{Document: store.Document{Type: "meeting_notes", Period: "2026-11-20", Title: "Budget"}}
	one, two := saveDocument(t, d, notes), saveDocument(t, d, notes)
	if one.Document.ID == two.Document.ID || string(one.Document.Fields) != "{}" {
		t.Errorf("got %+v, %+v", one, two)
	}
	notes.Key = "k"
	three, again := saveDocument(t, d, notes), saveDocument(t, d, notes)
	if !again.Repeated || again.Document.ID != three.Document.ID {
		t.Errorf("the same key: %+v, %+v", three, again)
	}
	notes.Body = "other"
	if _, err := d.SaveDocument(t.Context(), notes); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the key with another request: %v", err)
	}
	if found, err := d.Documents(t.Context(), store.DocumentFilter{Type: "Meeting notes", Period: "2026-11-20"}, 9); err != nil || len(found) != 3 {
		t.Errorf("listed %d, %v", len(found), err)
	}
}

func equalDocumentsWithinTheWindowAreOne(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	d := db.Diary("ann")
	notes := store.DocumentSave{Document: store.Document{Type: "meeting_notes", Period: "2026-11-20", Title: "Budget", Body: "at nine", Fields: json.RawMessage(`{"people":["Ida"]}`)}, DedupeWindow: 10 * time.Minute}
	one := saveDocument(t, d, notes)
	c.Set(c.Now().Add(10*time.Minute - time.Millisecond))
	later := notes
	later.Body = "another body"
	if again := saveDocument(t, d, later); !again.Repeated || again.Document.ID != one.Document.ID || again.Document.Body != "at nine" {
		t.Errorf("within the window: %+v", again)
	}
	other := notes
	other.Fields = json.RawMessage(`{"people":["Ian"]}`)
	if made := saveDocument(t, d, other); made.Repeated || made.Document.ID == one.Document.ID {
		t.Errorf("with other fields: %+v", made)
	}
	if made := saveDocument(t, db.Diary("ben"), notes); made.Repeated {
		t.Errorf("of another tenant: %+v", made)
	}
	c.Set(c.Now().Add(time.Millisecond))
	after := saveDocument(t, d, notes)
	if after.Repeated || after.Document.ID == one.Document.ID {
		t.Errorf("after the window: %+v", after)
	}
	if _, err := d.Delete(t.Context(), after.Document.ID); err != nil {
		t.Fatal(err)
	}
	if made := saveDocument(t, d, notes); made.Repeated {
		t.Errorf("after it was deleted: %+v", made)
	}
}

func expectedVersionMustBeCurrent(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	save := func(body string, version int64) error {
		s := weekReview("2026-W47", body)
		s.IfVersion = &version
		_, err := d.SaveDocument(t.Context(), s)
		return err
	}
	if err := errors.Join(save("good", 0), save("better", 1)); err != nil {
		t.Fatal(err)
	}
	for _, version := range []int64{0, 1, 3} {
		if changed := (*store.ChangedError)(nil); !errors.As(save("best", version), &changed) || changed.Version != 2 {
			t.Errorf("version %d: got %+v", version, changed)
		}
	}
	other := weekReview("2026-W48", "good")
	other.IfVersion = new(int64(1))
	if _, err := d.SaveDocument(t.Context(), other); !errors.Is(err, store.ErrConflict) {
		t.Errorf("without such a document: %v", err)
	}
}

// The ranges include the turn of a year, when one week has days in two years.
func rangeIncludesOverlappingPeriods(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	periods := []string{"2026-12-31", "2027-01-01", "2026-W52", "2026-W53", "2027-W01", "2026-11", "2026-12", "2027-01"}
	for _, period := range periods {
		saveDocument(t, d, weekReview(period, "x"))
	}
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"2027-01-01", "2027-01-01", []string{"2026-W53", "2027-01", "2027-01-01"}},
		{"2026-12-28", "2027-01-03", []string{"2026-12", "2026-12-31", "2026-W53", "2027-01", "2027-01-01"}},
		{"2026-11-30", "2026-12-27", []string{"2026-11", "2026-12", "2026-W52"}},
		{"2027-01-02", "", []string{"2026-W53", "2027-01", "2027-W01"}},
		{"", "2026-12-01", []string{"2026-11", "2026-12"}},
		{"", "", slices.Sorted(slices.Values(periods))},
	} {
		got := []string{}
		for _, one := range mustReturn[[]*store.Document](t)(d.Documents(t.Context(), store.DocumentFilter{From: c.from, To: c.to}, 99)) {
			got = append(got, one.Period)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s to %s: got %q, want %q", c.from, c.to, got, c.want)
		}
	}
	if _, err := d.Documents(t.Context(), store.DocumentFilter{To: "2026-02-30"}, 9); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("30 February: %v", err)
	}
}

func deletedReviewIsNotRestoredBesideItsSuccessor(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	first := saveDocument(t, d, weekReview("2026-W47", "good"))
	removed, err := d.Delete(t.Context(), first.Document.ID)
	if err != nil {
		t.Fatal(err)
	}
	second := saveDocument(t, d, weekReview("2026-W47", "better"))
	_, err = d.Restore(t.Context(), removed.Undo)
	if changed := (*store.ChangedError)(nil); !errors.As(err, &changed) || changed.ID != second.Document.ID {
		t.Errorf("restored beside its successor: %v", err)
	}
	if _, err := d.Delete(t.Context(), second.Document.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Restore(t.Context(), removed.Undo); err != nil {
		t.Errorf("after the successor was deleted: %v", err)
	}
}

func periodMustExist(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	for _, period := range []string{"2026-11-20", "2024-02-29", "2026-W53", "2020-W53", "2026-W01", "2026-11"} {
		saveDocument(t, d, weekReview(period, "x"))
	}
	for _, period := range []string{"2026-02-29", "2025-W53", "2026-W00", "2026-W1", "2026-w01", "2026-13", "2026-1", "2026", "0000-01", "0000-W01", "W47", "2026-W47-1", ""} {
		if _, err := d.SaveDocument(t.Context(), weekReview(period, "x")); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%q: %v", period, err)
		}
	}
	for name, invalidate := range map[string]func(*store.DocumentSave){
		"no type": func(s *store.DocumentSave) { s.Type = "" }, "nothing": func(s *store.DocumentSave) { s.Title, s.Body = " ", "" }, "a large body": func(s *store.DocumentSave) { s.Body = strings.Repeat("x", store.MaxBody+1) },
		"fields in a list": func(s *store.DocumentSave) { s.Fields = json.RawMessage(`[]`) }, "fields that are no JSON": func(s *store.DocumentSave) { s.Fields = json.RawMessage(`{`) }, "a long title": func(s *store.DocumentSave) { s.Title = strings.Repeat("x", 201) },
	} {
		s := weekReview("2026-W47", "x")
		invalidate(&s)
		if _, err := d.SaveDocument(t.Context(), s); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func searchFindsTitleBodyAndFields(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	d := db.Diary("ann")
	for title, s := range map[string]store.Document{
		"Move to Postgres": {Type: "decision_record", Body: "We leave the old database.", Fields: json.RawMessage(`{"deciders": ["Priya"]}`)},
		"Lunch menu":       {Type: "meeting_notes", Body: "Nobody wants to move the lunch."},
	} {
		s.Title = title
		saveDocument(t, d, store.DocumentSave{Document: s})
	}
	saveDocument(t, db.Diary("bob"), store.DocumentSave{Document: store.Document{Type: "decision_record", Title: "Move to Postgres"}})
	for query, want := range map[string]string{"postgress": "Move to Postgres", "what did priya decide": "Move to Postgres", "lunch": "Lunch menu", "moving": "Move to Postgres"} {
		found, err := d.SearchDocuments(t.Context(), store.DiaryQuery{Text: query, Limit: 9}, store.DocumentFilter{})
		if err != nil || len(found.Hits) == 0 || found.Hits[0].Row.Title != want {
			t.Errorf("%q: %+v, %v", query, found, err)
		}
	}
	if found, err := d.SearchDocuments(t.Context(), store.DiaryQuery{Text: "move", Limit: 9}, store.DocumentFilter{Type: "meeting_notes"}); err != nil || len(found.Hits) != 1 || found.Hits[0].Row.Title != "Lunch menu" {
		t.Errorf("among notes: %+v, %v", found, err)
	}
}
