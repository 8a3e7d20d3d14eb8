package entry

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/daily/internal/days"
	"kota/store"
)

func testCallTime() days.CallTime {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	return days.Clock{Now: func() time.Time { return now }, DayStarts: func() time.Duration { return 0 }}.At(time.UTC)
}

func readArgs(beside Args, list ...Args) (days.Problems, []store.DayEntry) {
	var p days.Problems
	c := testCallTime()
	entries, _ := Read(&p, beside, list, p.Choose("", beside.Date, beside.Time, c), c)
	return p, entries
}

func TestReadReportsProblemsByPath(t *testing.T) {
	metric := func(name string, value any) Args { return Args{Metrics: map[string]any{name: value}} }
	many := make([]string, store.MaxTags+1)
	for name, c := range map[string]struct {
		beside Args
		list   []Args
		path   string
	}{
		"a metric that is a text":      {metric("sleep", "long"), nil, "metrics.sleep"},
		"a metric that is not finite":  {metric("sleep", math.Inf(1)), nil, "metrics.sleep"},
		"a metric that is too large":   {metric("sleep", 1e16), nil, "metrics.sleep"},
		"a metric that is the mood":    {metric("Mood", 3.0), nil, "metrics.Mood"},
		"two metrics of one name":      {Args{Metrics: map[string]any{"sleep hours": 7.0, "sleep_hours": 8.0}}, nil, "metrics.sleep_hours"},
		"a name that none can have":    {metric("!", 1.0), nil, "metrics.!"},
		"a type that none can have":    {Args{Text: "x", Type: "!"}, nil, "type"},
		"a link that leads nowhere":    {Args{Text: "x", Links: []string{"https://example.com"}}, nil, "links[0]"},
		"a link to nothing":            {Args{Text: "x", Links: []string{"event: "}}, nil, "links[0]"},
		"a link that is too long":      {Args{Text: "x", Links: []string{"event:" + strings.Repeat("x", store.MaxLink)}}, nil, "links[0]"},
		"too many tags":                {Args{Text: "x", Tags: many}, nil, "tags"},
		"one of a list without words":  {Args{}, []Args{{Text: "x"}, {Type: "food"}}, "entries[1].text"},
		"one of a list on a wrong day": {Args{}, []Args{{Text: "x", Date: "2026-02-30"}}, "entries[0].date"},
		"a day that is wrong for all":  {Args{Date: "2026-02-30"}, []Args{{Text: "x"}, {Text: "y"}}, "date"},
	} {
		p, _ := readArgs(c.beside, c.list...)
		if len(p.Problems) != 1 || p.Problems[0].Path != c.path {
			t.Errorf("%s: got %+v", name, p.Problems)
		}
	}
}

// Fields beside a list are the defaults of its items. The time does not apply to an item
// with a different day.
func TestReadAppliesDefaultsToList(t *testing.T) {
	p, entries := readArgs(Args{Type: "food", Date: "yesterday", Time: "08:00", Tags: []string{"home, late"}},
		Args{Text: "Soup"}, Args{Text: "Tea", Type: "drink", Time: "09:00"}, Args{Text: "Bread", Date: "2026-11-18"})
	if p.Err() != nil {
		t.Fatal(p.Err())
	}
	said := []string{}
	for _, e := range entries {
		moment := ""
		if !e.Moment.IsZero() {
			moment = e.Moment.Format(" 15:04")
		}
		said = append(said, e.Text+": "+e.Type+", "+e.Date+moment+", "+strings.Join(e.Tags, "|"))
	}
	if want := []string{"Soup: food, 2026-11-20 08:00, home| late", "Tea: drink, 2026-11-20 09:00, home| late", "Bread: food, 2026-11-18, home| late"}; !cmp.Equal(said, want) {
		t.Error(cmp.Diff(want, said))
	}
	if _, entries := readArgs(Args{Mood: 2, Metrics: map[string]any{"sleep": nil}}, Args{Text: "Soup"}); len(entries) != 2 || entries[0].Mood != 2 || len(entries[0].Metrics) != 0 {
		t.Errorf("what stands beside is an entry too, where it says something: got %+v", entries)
	}
}
