package daily_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

func TestInvalidLogIsRefusedByNameAndStoresNothing(t *testing.T) {
	d := newFixture(t)
	many := func(n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint("t", i)
		}
		return list
	}
	for name, c := range map[string]struct {
		in   args
		code metadata.Code
		path string
	}{
		"nothing":                             {args{}, metadata.ValidationError, "text"},
		"blanks":                              {args{"text": " \n "}, metadata.ValidationError, "text"},
		"a day that there is not":             {args{"text": "x", "date": "2026-02-30"}, metadata.ValidationError, "date"},
		"29 February of a common year":        {args{"text": "x", "date": "2026-02-29"}, metadata.ValidationError, "date"},
		"no date":                             {args{"text": "x", "date": "soon"}, metadata.ValidationError, "date"},
		"a week":                              {args{"text": "x", "date": "last week"}, metadata.ValidationError, "date"},
		"a day to come":                       {args{"text": "x", "date": "2026-11-23"}, metadata.ValidationError, "date"},
		"no time":                             {args{"text": "x", "time": "25:00"}, metadata.ValidationError, "time"},
		"a date for a time":                   {args{"text": "x", "time": "2026-11-20"}, metadata.ValidationError, "time"},
		"a moment of another day":             {args{"text": "x", "date": "2026-11-20", "time": "2026-11-19T12:00"}, metadata.ValidationError, "time"},
		"an hour that clocks skip":            {args{"text": "x", "date": "2026-03-28", "time": "02:30"}, metadata.ValidationError, "time"},
		"a day that a zone skipped":           {args{"text": "x", "date": "2011-12-30", "timezone": "Pacific/Apia"}, metadata.ValidationError, "date"},
		"no zone":                             {args{"text": "x", "timezone": "Mars/Phobos"}, metadata.ValidationError, "timezone"},
		"mood 9":                              {args{"text": "x", "mood": 9}, metadata.ValidationError, "mood"},
		"energy 0":                            {args{"text": "x", "energy": -1}, metadata.ValidationError, "energy"},
		"a metric in words":                   {args{"text": "x", "metrics": args{"sleep": "long"}}, metadata.ValidationError, "metrics.sleep"},
		"a metric without a name":             {args{"text": "x", "metrics": args{" ": 1}}, metadata.ValidationError, "metrics. "},
		"a metric that no sum holds":          {args{"text": "x", "metrics": args{"w": 1e308}}, metadata.ValidationError, "metrics.w"},
		"a metric that is not kept exactly":   {args{"text": "x", "metrics": args{"w": 9007199254740993}}, metadata.ValidationError, "metrics.w"},
		"one metric twice":                    {args{"text": "x", "metrics": args{"sleep hours": 1, "sleepHours": 2}}, metadata.ValidationError, "metrics.sleepHours"},
		"a mood among the metrics":            {args{"text": "x", "metrics": args{"Mood": 3}}, metadata.ValidationError, "metrics.Mood"},
		"1,000 tags":                          {args{"text": "x", "tags": many(1000)}, metadata.ValidationError, "tags"},
		"a link to nothing that KOTA has":     {args{"text": "x", "links": []string{"https://example.com"}}, metadata.ValidationError, "links[0]"},
		"a link to nothing":                   {args{"text": "x", "links": []string{"event:a", "event: "}}, metadata.ValidationError, "links[1]"},
		"a control character":                 {args{"text": "x\x1b[2J"}, metadata.ValidationError, "text"},
		"a section of two lines":              {args{"text": "x", "section": "a\nb"}, metadata.ValidationError, "section"},
		"no type":                             {args{"text": "x", "type": "!"}, metadata.ValidationError, "type"},
		"a list with an entry that is none":   {args{"entries": []args{{"text": "x"}, {"type": "food"}}}, metadata.ValidationError, "entries[1].text"},
		"a list with a bad date":              {args{"entries": []args{{"text": "x"}, {"text": "y", "date": "2026-02-30"}}}, metadata.ValidationError, "entries[1].date"},
		"51 entries":                          {args{"entries": slices.Repeat([]args{{"text": "x"}}, 51)}, metadata.ValidationError, "entries"},
		"a blank task":                        {args{"tasks": []string{"Buy bread", " "}}, metadata.ValidationError, "tasks[1]"},
		"a text of 100,000 characters":        {args{"text": strings.Repeat("x", 100_000)}, metadata.TooLarge, ""},
		"one such among good ones":            {args{"entries": []args{{"text": "x"}, {"text": strings.Repeat("é", 100_000)}}}, metadata.TooLarge, ""},
		"an argument that it does not have":   {args{"text": "x", "feeling": 3}, metadata.ValidationError, "feeling"},
		"a key of 1,000 characters":           {args{"text": "x", "idempotency_key": strings.Repeat("k", 1000)}, metadata.ValidationError, "idempotency_key"},
		"a day to come, by a weekday by name": {args{"text": "x", "date": "next friday"}, metadata.ValidationError, "date"},
	} {
		t.Run(name, func(t *testing.T) {
			if e := d.callFails(t, "daily_log", c.in, c.code); c.path != "" && bundletest.ProblemPath(t, e) != c.path {
				t.Errorf("got %+v, want a problem of %q", e.Problems, c.path)
			}
			all := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"from": "1990-01-01"})
			if len(all.Days) != 0 || all.Tasks.Count != 0 {
				t.Errorf("%+v is kept", all)
			}
		})
	}
}

// A bad date that holds for many entries is reported once.
func TestEachProblemIsReportedOnce(t *testing.T) {
	d := newFixture(t)
	for _, in := range []args{
		{"text": "x", "date": "2026-02-30"}, {"date": "soon", "tasks": []string{"Rest"}}, {"mood": 3, "time": "25:00", "tasks": []string{"Rest"}},
		{"date": "2026-02-30", "entries": []args{{"text": "a"}, {"text": "b", "time": "09:00"}}},
		{"text": "x", "date": "2026-12-24", "entries": []args{{"text": "a"}, {"text": "b", "time": "09:00"}}},
	} {
		if e := d.callFails(t, "daily_log", in, metadata.ValidationError); len(e.Problems) != 1 {
			t.Errorf("%v: got %+v", in, e.Problems)
		}
	}
}

func TestFutureDayIsReferredToPlansAndTasks(t *testing.T) {
	d := newFixture(t)
	e := d.callFails(t, "daily_log", args{"text": "dentist", "date": "next week"}, metadata.ValidationError)
	if !strings.Contains(e.Message, "one day") {
		t.Errorf("got %v", e)
	}
	e = d.callFails(t, "daily_log", args{"text": "dentist", "date": "2026-12-24"}, metadata.ValidationError)
	if !strings.Contains(e.Hint, "daily_plan") || !strings.Contains(e.Hint, "daily_task") {
		t.Errorf("the hint is %q", e.Hint)
	}
}

// A task id in a call for entries is refused with a hint to daily_task.
func TestTaskIDIsReferredToTaskTool(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"tasks": []string{"a"}}).TaskIDs[0]
	for tool, in := range map[string]args{"daily_get": {"id": id}, "daily_edit": {"id": id, "text": "b"}} {
		if e := d.callFails(t, tool, in, metadata.NotFound); !strings.Contains(e.Hint, "daily_task {\"ids\": [\""+id) {
			t.Errorf("%s: the hint is %q", tool, e.Hint)
		}
	}
}
