package daily_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/metadata"
)

type taskRow struct {
	ID, Text, State, Due, Until, On string
	Cut                             bool
	OverdueDays                     int    `json:"overdue_days"`
	CarriedFrom                     string `json:"carried_from"`
	DaysCarried                     int    `json:"days_carried"`
}

type taskAnswer struct {
	Date                          string
	Tasks, Resting, Done, Dropped []taskRow
	Counts                        struct{ Open, Overdue, Carried, Resting, Done, Dropped int }
	UndoID                        string `json:"undo_id"`
	Repeated                      bool
	NextCursor                    string `json:"next_cursor"`
}

// texts returns the texts of the rows.
func texts(rows []taskRow) []string {
	said := []string{}
	for _, row := range rows {
		said = append(said, row.Text)
	}
	return said
}

func (d *fixture) task(t *testing.T, a args) taskAnswer {
	t.Helper()
	return bundletest.Must[taskAnswer](t, d.bundle, "daily_task", a)
}

func (d *fixture) advanceDays(days int) { d.now = d.now.AddDate(0, 0, days) }

func TestTaskIsCarriedOverWithoutCopy(t *testing.T) {
	d := newFixture(t)
	id := d.task(t, args{"op": "add", "text": "Call the plumber", "due": "tomorrow"}).Tasks[0].ID
	for days := range 4 {
		got := d.task(t, args{})
		want := taskRow{ID: id, Text: "Call the plumber", Due: "2026-11-22"}
		if days > 0 {
			want.CarriedFrom, want.DaysCarried, want.OverdueDays = "2026-11-21", days, max(0, days-1)
		}
		if diff := cmp.Diff([]taskRow{want}, got.Tasks); diff != "" {
			t.Errorf("after %d days (-want +got):\n%s", days, diff)
		}
		if got.Counts.Open != 1 || got.Counts.Carried != min(1, days) || got.Counts.Overdue != min(1, max(0, days-1)) {
			t.Errorf("after %d days: %+v", days, got.Counts)
		}
		d.advanceDays(1)
	}
}

func TestOpenTasksStayAfterMidnight(t *testing.T) {
	d := newFixture(t)
	d.now = time.Date(2026, 11, 21, 23, 59, 59, 0, d.zone)
	d.task(t, args{"op": "add", "text": []string{"a", "b"}})
	for _, after := range []time.Duration{time.Second, 4 * time.Hour, 24 * time.Hour} {
		d.now = time.Date(2026, 11, 21, 23, 59, 59, 0, d.zone).Add(after)
		if got := texts(d.task(t, args{}).Tasks); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("%s later the tasks are %q", after, got)
		}
	}
}

func TestTaskAddedAtNightBelongsToDayBefore(t *testing.T) {
	d := newFixture(t)
	d.now = time.Date(2026, 11, 22, 2, 10, 0, 0, d.zone)
	id := d.task(t, args{"op": "add", "text": "Sleep"}).Tasks[0].ID
	if got := d.task(t, args{"op": "done", "ids": id}).Tasks[0].On; got != "2026-11-21" {
		t.Errorf("it was done on %s", got)
	}
}

func TestSeveralTasksChangeAndUndoTogether(t *testing.T) {
	d := newFixture(t)
	added := d.task(t, args{"op": "add", "text": []string{"a", "b", "c"}})
	ids := []string{added.Tasks[0].ID, added.Tasks[2].ID}
	done := d.task(t, args{"op": "done", "ids": ids})
	if done.UndoID == "" || done.Counts.Open != 1 || done.Counts.Done != 2 {
		t.Errorf("done: %+v", done)
	}
	if again := d.task(t, args{"op": "done", "ids": ids}); again.UndoID != "" || again.Counts != done.Counts {
		t.Errorf("again: %+v", again)
	}
	bundletest.Must[struct{}](t, d.bundle, "daily_edit", args{"undo_id": done.UndoID})
	if back := d.task(t, args{}); back.Counts.Open != 3 || back.Counts.Done != 0 {
		t.Errorf("undone: %+v", back)
	}
	d.task(t, args{"op": "done", "ids": ids})
	if back := d.task(t, args{"op": "reopen", "ids": ids}); back.Counts.Open != 3 || back.Tasks[0].State != "" {
		t.Errorf("reopened: %+v", back)
	}
}

func TestUnknownTaskIDChangesNone(t *testing.T) {
	d := newFixture(t)
	id := d.task(t, args{"op": "add", "text": "a"}).Tasks[0].ID
	for _, op := range []string{"done", "drop", "defer", "reopen"} {
		d.callFails(t, "daily_task", args{"op": op, "ids": []string{id, "t000000"}}, metadata.NotFound)
	}
	if got := d.task(t, args{}); got.Counts.Open != 1 {
		t.Errorf("got %+v", got.Counts)
	}
}

func TestDeferredTaskReturnsOnItsDay(t *testing.T) {
	d := newFixture(t)
	id := d.task(t, args{"op": "add", "text": "a"}).Tasks[0].ID
	if got := d.task(t, args{"op": "defer", "ids": id, "until": "wednesday"}); got.Tasks[0].Until != "2026-11-25" || got.Counts.Resting != 1 || got.UndoID == "" {
		t.Errorf("deferred: %+v", got)
	}
	d.advanceDays(3)
	if got := d.task(t, args{}); len(got.Tasks) != 0 || len(got.Resting) != 1 {
		t.Errorf("the day before: %+v", got)
	}
	d.advanceDays(1)
	if got := d.task(t, args{}); len(got.Tasks) != 1 || got.Tasks[0].CarriedFrom != "" {
		t.Errorf("on the day: %+v", got)
	}
}

func TestListOfPastWeekShowsTasksAsTheyWere(t *testing.T) {
	d := newFixture(t)
	d.now = time.Date(2026, 11, 10, 9, 0, 0, 0, d.zone)
	added := d.task(t, args{"op": "add", "text": []string{"done then", "dropped then", "done later"}})
	d.task(t, args{"op": "done", "ids": added.Tasks[0].ID})
	d.task(t, args{"op": "drop", "ids": added.Tasks[1].ID})
	d.advanceDays(10)
	d.task(t, args{"op": "done", "ids": added.Tasks[2].ID, "date": "yesterday"})
	got := d.task(t, args{"date": "2026-W46"})
	if got.Date != "2026-11-15" || !slices.Equal(texts(got.Tasks), []string{"done later"}) || !slices.Equal(texts(got.Done), []string{"done then"}) || !slices.Equal(texts(got.Dropped), []string{"dropped then"}) {
		t.Errorf("got %+v", got)
	}
	if got.Tasks[0].On != "2026-11-19" {
		t.Errorf("what became of it: %+v", got.Tasks[0])
	}
}

func TestAddingTwiceWithAKeyAddsOnce(t *testing.T) {
	d := newFixture(t)
	first := d.task(t, args{"op": "add", "text": "a", "idempotency_key": "k"})
	d.advanceDays(1)
	second := d.task(t, args{"op": "add", "text": "a", "idempotency_key": "k"})
	if first.Repeated || !second.Repeated || second.Tasks[0].ID != first.Tasks[0].ID || second.Counts.Open != 1 {
		t.Errorf("got %+v and then %+v", first, second)
	}
	d.callFails(t, "daily_task", args{"op": "add", "text": "b", "idempotency_key": "k"}, metadata.Conflict)
}

func TestEditChangesTaskText(t *testing.T) {
	d := newFixture(t)
	id := d.task(t, args{"op": "add", "text": "cal mum", "due": "2026-11-23"}).Tasks[0].ID
	got := d.task(t, args{"op": "edit", "ids": id, "text": "Call mum", "due": "none"})
	if got.Tasks[0].Text != "Call mum" || got.Tasks[0].Due != "" || got.UndoID == "" {
		t.Errorf("got %+v", got)
	}
}

func TestInvalidTasksAreRefused(t *testing.T) {
	d := newFixture(t)
	id := d.task(t, args{"op": "add", "text": "a"}).Tasks[0].ID
	for name, c := range map[string]struct {
		args args
		code metadata.Code
	}{
		"no text":                   {args{"op": "add"}, metadata.ValidationError},
		"an empty text":             {args{"op": "add", "text": []string{"a", "  "}}, metadata.ValidationError},
		"no ids":                    {args{"op": "done"}, metadata.ValidationError},
		"an unknown op":             {args{"op": "finish", "ids": id}, metadata.ValidationError},
		"ids beside a day":          {args{"ids": id, "date": "today"}, metadata.ValidationError},
		"an unknown id to list":     {args{"ids": "t000000"}, metadata.NotFound},
		"a cursor of nothing":       {args{"cursor": "x"}, metadata.ValidationError},
		"done before it was made":   {args{"op": "done", "ids": id, "date": "2000-01-01"}, metadata.ValidationError},
		"a text for done":           {args{"op": "done", "ids": id, "text": "b"}, metadata.ValidationError},
		"30 February":               {args{"op": "add", "text": "a", "due": "2026-02-30"}, metadata.ValidationError},
		"29 February of no leap":    {args{"op": "add", "text": "a", "due": "2027-02-29"}, metadata.ValidationError},
		"due on a day of no words":  {args{"op": "add", "text": "a", "due": "nonsense"}, metadata.ValidationError},
		"due in the year 9999":      {args{"op": "add", "text": "a", "due": "9999-12-31"}, metadata.ValidationError},
		"added for tomorrow":        {args{"op": "add", "text": "a", "date": "tomorrow"}, metadata.ValidationError},
		"done tomorrow":             {args{"op": "done", "ids": id, "date": "tomorrow"}, metadata.ValidationError},
		"deferred to the past":      {args{"op": "defer", "ids": id, "until": "yesterday"}, metadata.ValidationError},
		"an edit of nothing":        {args{"op": "edit", "ids": id}, metadata.ValidationError},
		"one text for two":          {args{"op": "edit", "ids": []string{id, id}, "text": "b"}, metadata.ValidationError},
		"a control character":       {args{"op": "add", "text": "a\x07"}, metadata.ValidationError},
		"5,000 characters":          {args{"op": "add", "text": strings.Repeat("a", 5000)}, metadata.TooLarge},
		"100,000 characters":        {args{"op": "add", "text": strings.Repeat("a", 100_000)}, metadata.TooLarge},
		"1,000 tasks at once":       {args{"op": "add", "text": slices.Repeat([]string{"a"}, 1000)}, metadata.ValidationError},
		"somebody else's kind":      {args{"op": "done", "ids": "e000000"}, metadata.NotFound},
		"a week that there is not":  {args{"date": "2026-W54"}, metadata.ValidationError},
		"a month that there is not": {args{"date": "2026-13"}, metadata.ValidationError},
	} {
		t.Run(name, func(t *testing.T) { d.callFails(t, "daily_task", c.args, c.code) })
	}
	if got := d.task(t, args{}); got.Counts.Open != 1 {
		t.Errorf("afterwards: %+v", got.Counts)
	}
}

func TestLongTaskIsShortenedOnlyInLists(t *testing.T) {
	d := newFixture(t)
	long := strings.Repeat("long words ", 360)[:3950]
	added := d.task(t, args{"op": "add", "text": slices.Repeat([]string{long}, 50)})
	d.task(t, args{"op": "add", "text": "short"})
	raw, err := bundletest.Call(t, d.bundle, "daily_task", args{"limit": 100})
	if err != nil || len(raw) > 25_000 {
		t.Errorf("a list has %d bytes, %v", len(raw), err)
	}
	list := d.task(t, args{"limit": 100})
	if first := list.Tasks[0]; !first.Cut || !strings.HasSuffix(first.Text, "…") || list.Tasks[50].Cut || list.Tasks[50].Text != "short" {
		t.Errorf("got %+v and %+v", first, list.Tasks[50])
	}
	if whole := d.task(t, args{"ids": list.Tasks[0].ID}).Tasks[0]; whole.Text != long || whole.Cut {
		t.Errorf("got %d of %d bytes, cut %t", len(whole.Text), len(long), whole.Cut)
	}
	ids := []string{}
	for _, row := range added.Tasks {
		ids = append(ids, row.ID)
	}
	if raw, err := bundletest.Call(t, d.bundle, "daily_task", args{"ids": ids}); err != nil || len(raw) > 40_000 {
		t.Errorf("50 by their ids have %d bytes, %v", len(raw), err)
	}
	if day, err := bundletest.Call(t, d.bundle, "daily_get", args{}); err != nil || len(day) > 25_000 {
		t.Errorf("the day has %d bytes, %v", len(day), err)
	}
}

func TestTaskPagesHaveEveryTask(t *testing.T) {
	d := newFixture(t)
	for range 3 {
		d.task(t, args{"op": "add", "text": slices.Repeat([]string{"a"}, 47)})
	}
	seen, cursor := map[string]bool{}, ""
	for range 8 {
		part := d.task(t, args{"cursor": cursor})
		for _, row := range part.Tasks {
			seen[row.ID] = true
		}
		if part.Counts.Open != 141 {
			t.Errorf("a part counts %d", part.Counts.Open)
		}
		cursor = part.NextCursor
	}
	if len(seen) != 141 || cursor != "" {
		t.Errorf("%d were seen, and then there is %q", len(seen), cursor)
	}
	d.callFails(t, "daily_task", args{"cursor": d.task(t, args{}).NextCursor, "date": "this week"}, metadata.ValidationError)
}

func TestDeferredTaskCanBeResumed(t *testing.T) {
	d := newFixture(t)
	id := d.task(t, args{"op": "add", "text": "a"}).Tasks[0].ID
	for name, wake := range map[string]func(){
		"reopen":            func() { d.task(t, args{"op": "reopen", "ids": id}) },
		"defer until today": func() { d.task(t, args{"op": "defer", "ids": id, "until": "today"}) },
		"done and reopen": func() {
			d.task(t, args{"op": "done", "ids": id})
			d.task(t, args{"op": "reopen", "ids": id})
		},
	} {
		if rests := d.task(t, args{"op": "defer", "ids": id, "until": "2026-12-20"}); rests.Counts.Resting != 1 {
			t.Fatalf("%s: it does not rest: %+v", name, rests)
		}
		wake()
		if got := d.task(t, args{}); got.Counts.Open != 1 || got.Counts.Resting != 0 {
			t.Errorf("%s: %+v", name, got.Counts)
		}
	}
	d.task(t, args{"op": "done", "ids": id})
	if err := d.callFails(t, "daily_task", args{"op": "defer", "ids": id}, metadata.ValidationError); !strings.Contains(err.Error(), "done since 2026-11-21") {
		t.Errorf("deferring what is done: %v", err)
	}
}

func TestDoneDayCanBeCorrected(t *testing.T) {
	d := newFixture(t)
	id := d.task(t, args{"op": "add", "text": "a", "date": "2026-11-16"}).Tasks[0].ID
	d.task(t, args{"op": "done", "ids": []string{id, id}})
	again := d.task(t, args{"op": "done", "ids": []string{id, id}, "date": "friday"})
	if len(again.Tasks) != 1 || again.Tasks[0].On != "2026-11-20" || again.UndoID == "" {
		t.Errorf("got %+v", again)
	}
	if same := d.task(t, args{"op": "done", "ids": id}); same.Tasks[0].On != "2026-11-20" || same.UndoID != "" {
		t.Errorf("without a date: %+v", same)
	}
}

func TestTaskListFilters(t *testing.T) {
	d := newFixture(t)
	d.task(t, args{"op": "add", "text": []string{"Pay the rent", "Pay Anna"}, "due": "2026-11-19", "date": "2026-11-16"})
	d.task(t, args{"op": "add", "text": "Call Anna", "due": "2026-11-22"})
	d.task(t, args{"op": "add", "text": "Read"})
	for _, c := range []struct {
		args args
		want []string
	}{
		{args{"due": "overdue"}, []string{"Pay the rent", "Pay Anna"}},
		{args{"due": "this week"}, []string{"Pay the rent", "Pay Anna", "Call Anna"}},
		{args{"due": "tomorrow"}, []string{"Call Anna"}},
		{args{"text": "anna"}, []string{"Pay Anna", "Call Anna"}},
		{args{"text": "anna pay", "due": "overdue"}, []string{"Pay Anna"}},
	} {
		if got := d.task(t, c.args); !slices.Equal(texts(got.Tasks), c.want) || got.Counts.Open != len(c.want) {
			t.Errorf("%v: got %q, counts %+v", c.args, texts(got.Tasks), got.Counts)
		}
	}
}

// Today is Saturday 21 November 2026.
func TestDueDaysInWords(t *testing.T) {
	d := newFixture(t)
	for said, want := range map[string]string{
		"2026-W48": "2026-11-29", "2026-12": "2026-12-31", "next week": "2026-11-29", "end of month": "2026-11-30", "the end of next month": "2026-12-31",
		"in two weeks": "2026-12-05", "in a month": "2026-12-21", "24 December": "2026-12-24", "Dec 24": "2026-12-24", "december 24th 2027": "2027-12-24",
		"1 march": "2027-03-01", "tonight": "2026-11-21", "weekend": "2026-11-22", "next weekend": "2026-11-29", "friday": "2026-11-27", "vrijdag": "2026-11-27",
		"december": "2026-12-31", "february": "2027-02-28", "Day after tomorrow": "2026-11-23", "übermorgen": "2026-11-23", "end of the year": "2026-12-31",
	} {
		if got := d.task(t, args{"op": "add", "text": said, "due": said}).Tasks[0].Due; got != want {
			t.Errorf("%s: due %s, want %s", said, got, want)
		}
	}
	id := d.task(t, args{"op": "add", "text": "a"}).Tasks[0].ID
	for said, want := range map[string]string{"next week": "2026-11-23", "december": "2026-12-01", "in 10 days": "2026-12-01"} {
		if got := d.task(t, args{"op": "defer", "ids": id, "until": said}).Tasks[0].Until; got != want {
			t.Errorf("%s: rests until %s, want %s", said, got, want)
		}
	}
}
