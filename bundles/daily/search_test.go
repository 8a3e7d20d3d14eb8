package daily_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/metadata"
)

// searchAnswer is an answer of daily_search.
type searchAnswer struct {
	Hits []struct {
		entry
		Date, Why string
		Score     float64
	}
	Confidence string
	Documents  []struct{ ID, Type, Period, Title, Text string }
	NextCursor string `json:"next_cursor"`
}

func (s searchAnswer) texts() []string {
	texts := []string{}
	for _, h := range s.Hits {
		texts = append(texts, h.Text)
	}
	return texts
}

// newFixtureWithMonth logs the entries that the tests search for.
func newFixtureWithMonth(t *testing.T) *fixture {
	d := newFixture(t)
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"entries": []args{
		{"date": "2026-10-05", "text": "Dentist: two fillings", "type": "health", "mood": 2, "tags": []string{"teeth", "money"}},
		{"date": "2026-11-03", "text": "Ran along the river", "type": "activity", "mood": 5, "metrics": args{"km": 8.5, "rain": false}},
		{"date": "2026-11-10", "text": "Ran in the park", "type": "activity", "metrics": args{"km": 4, "rain": true}},
		{"date": "2026-11-12", "text": "Talked about the budget", "mood": 1, "tags": []string{"money"}, "links": []string{"event:abc"}},
	}})
	return d
}

func TestSearchFindsEntriesByWords(t *testing.T) {
	d := newFixtureWithMonth(t)
	for query, want := range map[string]string{"dentist": "Dentist: two fillings", "budgt": "Talked about the budget", "running in a park": "Ran in the park"} {
		out := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", args{"query": query})
		if len(out.Hits) == 0 || out.Hits[0].Text != want || out.Confidence == "none" || out.Hits[0].Why == "" {
			t.Errorf("%s: got %+v", query, out)
		}
	}
	if out := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", args{"query": "submarine"}); out.Confidence != "none" {
		t.Errorf("what was not logged: got %+v", out)
	}
}

func TestSearchFindsDocumentsByWordsAndType(t *testing.T) {
	d := newFixtureWithMonth(t)
	for _, about := range []string{"The roof", "The fence", "The gate", "The shed"} {
		d.writeDocument(t, "daily_plan", args{"type": "meeting_notes", "about": about, "answers": args{"people": "Anna", "decisions": "We paint the park bench"}})
	}
	decided := d.writeDocument(t, "daily_plan", args{"type": "decision_record", "about": "Postgres", "answers": args{"context": "It grew.", "decision": "Move to Postgres"}})
	got := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", args{"query": "postgress"})
	if len(got.Documents) != 1 || got.Documents[0].ID != decided.ID || got.Documents[0].Type != "decision_record" || got.Documents[0].Period != "2026-11-21" || got.Documents[0].Text == "" {
		t.Errorf("got %+v", got)
	}
	for name, c := range map[string]struct {
		in   args
		want int
	}{
		"many have the word":     {args{"query": "park"}, 3},
		"of a type":              {args{"query": "park", "type": "Meeting notes"}, 3},
		"of another":             {args{"query": "park", "type": "decision_record"}, 0},
		"of days":                {args{"query": "park", "from": "2026-11-01", "to": "2026-11-21"}, 3},
		"of other days":          {args{"query": "park", "to": "2026-11-20"}, 0},
		"with a tag":             {args{"query": "park", "tags": []string{"money"}}, 0},
		"without words":          {args{"type": "meeting_notes"}, 4},
		"without words, of days": {args{"type": "meeting_notes", "from": "tomorrow"}, 0},
		"nothing at all":         {args{}, 0},
		"what nobody wrote down": {args{"query": "submarine"}, 0},
	} {
		if got := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", c.in); len(got.Documents) != c.want {
			t.Errorf("%s: got %+v", name, got.Documents)
		}
	}
}

func TestSearchFilters(t *testing.T) {
	d := newFixtureWithMonth(t)
	all := []string{"Talked about the budget", "Ran in the park", "Ran along the river", "Dentist: two fillings"}
	for name, c := range map[string]struct {
		in   args
		want []string
	}{
		"nothing: all, newest first": {args{}, all},
		"a month":                    {args{"from": "last month", "to": "last month"}, all[3:]},
		"from a date on":             {args{"from": "2026-11-10"}, all[:2]},
		"up to a date":               {args{"to": "2026-11-03"}, all[2:]},
		"a type":                     {args{"type": "Activity"}, all[1:3]},
		"a tag":                      {args{"tags": []string{"money"}}, []string{all[0], all[3]}},
		"two tags":                   {args{"tags": []string{"money", "teeth"}}, all[3:]},
		"a low mood":                 {args{"metrics": args{"mood": args{"max": 2}}}, []string{all[0], all[3]}},
		"a span of a metric":         {args{"metrics": args{"km": args{"min": 5, "max": 10}}}, all[2:3]},
		"a metric at all":            {args{"metrics": args{"km": args{}}}, all[1:3]},
		"yes":                        {args{"metrics": args{"rain": args{"min": 1}}}, all[1:2]},
		"a link":                     {args{"link": "event:abc"}, all[:1]},
		"words and a filter":         {args{"query": "ran", "metrics": args{"km": args{"max": 5}}}, all[1:2]},
	} {
		t.Run(name, func(t *testing.T) {
			if out := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", c.in); !cmp.Equal(out.texts(), c.want) {
				t.Error(cmp.Diff(c.want, out.texts()))
			}
		})
	}
}

func TestSearchOmitsDeletedEntries(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "a secret"}).IDs[0]
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "delete": true})
	if out := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", args{"query": "secret"}); len(out.Hits) != 0 {
		t.Errorf("got %+v", out)
	}
}

func TestSearchContinuesAtCursor(t *testing.T) {
	d := newFixture(t)
	for n := range 7 {
		bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": fmt.Sprint("coffee ", n)})
	}
	for _, in := range []args{{"query": "coffee", "limit": 3}, {"limit": 3}} {
		seen := map[string]bool{}
		for range 3 {
			out := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", in)
			for _, h := range out.Hits {
				seen[h.ID] = true
			}
			in["cursor"] = out.NextCursor
		}
		if len(seen) != 7 || in["cursor"] != "" {
			t.Errorf("%v: found %d, and the last cursor is %q", in, len(seen), in["cursor"])
		}
	}
}

func TestSearchRefusesInvalidArgumentsByName(t *testing.T) {
	d := newFixtureWithMonth(t)
	other := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", args{"query": "ran", "limit": 1}).NextCursor
	for name, c := range map[string]struct {
		in   args
		path string
	}{
		"a day that there is not":     {args{"from": "2026-02-30"}, "from"},
		"a span that ends before it":  {args{"from": "2026-11-02", "to": "2026-11-01"}, "to"},
		"a type that can be none":     {args{"type": "!"}, "type"},
		"a metric that can be none":   {args{"metrics": args{`"] OR 1=1`: args{}}}, `metrics."] OR 1=1`},
		"a metric's span upside down": {args{"metrics": args{"km": args{"min": 5, "max": 4}}}, "metrics.km.max"},
		"a link that can be none":     {args{"link": "abc"}, "link"},
		"a cursor of nobody":          {args{"cursor": "?"}, "cursor"},
		"a cursor of another search":  {args{"query": "river", "cursor": other}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if e := d.callFails(t, "daily_search", c.in, metadata.ValidationError); c.path != "" && bundletest.ProblemPath(t, e) != c.path {
				t.Errorf("got %+v", e)
			}
		})
	}
}
