package daily_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/metadata"
	"kota/store"
)

// allTypes are those that come with KOTA.
var allTypes = []string{"day_plan", "week_plan", "day_review", "week_review", "month_review", "meeting_notes", "decision_record"}

// write calls one of the actions that write documents.
func (d *desk) write(t *testing.T, tool string, a args) bundles.StagedAnswer {
	t.Helper()
	return bundletest.Must[bundles.StagedAnswer](t, d.bundle, tool, a)
}

// with is the desk with other dependencies.
func (d *desk) with(change func(*daily.Deps)) *desk {
	change(&d.deps)
	d.bundle = daily.New(d.deps)
	return d
}

func (d *desk) diary(t *testing.T) *store.Diary {
	t.Helper()
	db, err := d.deps.DB(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return db.Diary("local")
}

// log keeps an entry of a day, at noon, and returns its id.
func (d *desk) log(t *testing.T, date string, e store.DayEntry) string {
	t.Helper()
	day, err := time.ParseInLocation(time.DateOnly, date, d.zone)
	if err != nil {
		t.Fatal(err)
	}
	e.Date, e.Moment, e.Zone = date, day.Add(12*time.Hour), d.zone.String()
	if e.Type == "" {
		e.Type = "note"
	}
	logged, err := d.diary(t).Log(t.Context(), store.Logging{Entries: []store.DayEntry{e}})
	if err != nil {
		t.Fatal(err)
	}
	return logged.Entries[0].ID
}

func TestBothActionsListAllTypesTheirOwnFirst(t *testing.T) {
	d := newDesk(t)
	for tool, first := range map[string]string{"daily_plan": "day_plan", "daily_review": "day_review"} {
		got, listed := d.write(t, tool, args{}), []string{}
		for _, line := range got.Types {
			listed = append(listed, line.Type)
			if line.Line == "" {
				t.Errorf("%s: %s has no line", tool, line.Type)
			}
		}
		if listed[0] != first || len(listed) != len(allTypes) || got.Stage != "discovery" || got.Next.Call == nil {
			t.Errorf("%s lists %q", tool, listed)
		}
		for _, name := range allTypes {
			if !slices.Contains(listed, name) {
				t.Errorf("%s does not list %s", tool, name)
			}
		}
	}
	if got := daily.TypeNames(); !slices.Equal(got, allTypes) {
		t.Errorf("the names are %q", got)
	}
}

func TestAPeriodInWordsChoosesTheType(t *testing.T) {
	d := newDesk(t)
	noon := d.now
	for name, c := range map[string]struct {
		tool       string
		args       args
		at         string // of 2026, in Amsterdam, where the day starts at four
		kind, want string
	}{
		"a day":                          {"daily_review", args{"date": "2026-11-20"}, "", "day_review", "2026-11-20"},
		"a week":                         {"daily_review", args{"week": "2026-W47"}, "", "week_review", "2026-W47"},
		"a week in small letters":        {"daily_review", args{"week": "2026w7"}, "", "week_review", "2026-W07"},
		"a month":                        {"daily_review", args{"month": "2026-11"}, "", "month_review", "2026-11"},
		"yesterday":                      {"daily_review", args{"period": "Yesterday"}, "", "day_review", "2026-11-20"},
		"today, before it starts":        {"daily_review", args{"period": "today"}, "11-22T02:10:00", "day_review", "2026-11-21"},
		"tomorrow, before it starts":     {"daily_plan", args{"period": "tomorrow"}, "11-22T02:10:00", "day_plan", "2026-11-22"},
		"last week":                      {"daily_review", args{"period": "last  week"}, "", "week_review", "2026-W46"},
		"this week, in Sunday's night":   {"daily_review", args{"period": "this week"}, "11-23T03:59:00", "week_review", "2026-W47"},
		"this week, on Monday":           {"daily_review", args{"period": "this week"}, "11-23T04:00:00", "week_review", "2026-W48"},
		"next week":                      {"daily_plan", args{"period": "next week"}, "", "week_plan", "2026-W48"},
		"last month in March":            {"daily_review", args{"period": "last month"}, "03-31T12:00:00", "month_review", "2026-02"},
		"the past Friday":                {"daily_review", args{"type": "day_review", "period": "friday"}, "", "day_review", "2026-11-20"},
		"Monday, without a type":         {"daily_review", args{"date": "monday"}, "11-18T12:00:00", "day_review", "2026-11-16"},
		"Monday, to plan":                {"daily_plan", args{"date": "monday"}, "11-18T12:00:00", "day_plan", "2026-11-23"},
		"today, of a weekday's name":     {"daily_review", args{"date": "wednesday"}, "11-18T12:00:00", "day_review", "2026-11-18"},
		"the next Friday":                {"daily_plan", args{"period": "friday"}, "", "day_plan", "2026-11-27"},
		"the week of a day":              {"daily_review", args{"type": "week_review", "date": "2026-01-01"}, "", "week_review", "2026-W01"},
		"the week of a day of last year": {"daily_review", args{"type": "week_review", "date": "2021-01-01"}, "", "week_review", "2020-W53"},
		"the month of a day":             {"daily_review", args{"type": "month review", "date": "yesterday"}, "", "month_review", "2026-11"},
		"last, of a type":                {"daily_review", args{"type": "week_review", "week": "last"}, "", "week_review", "2026-W46"},
		"none, of a type":                {"daily_review", args{"type": "week_review"}, "", "week_review", "2026-W47"},
		"a moment in another zone":       {"daily_review", args{"period": "2026-11-20T20:30:00-05:00"}, "", "day_review", "2026-11-20"},
		"a day of 25 hours":              {"daily_review", args{"period": "today"}, "10-25T23:30:00", "day_review", "2026-10-25"},
		"a day of 23 hours":              {"daily_review", args{"period": "today"}, "03-29T03:30:00", "day_review", "2026-03-28"},
		"29 February":                    {"daily_review", args{"period": "2024-02-29"}, "", "day_review", "2024-02-29"},
	} {
		t.Run(name, func(t *testing.T) {
			d.now = noon
			if c.at != "" {
				at, err := time.ParseInLocation("2006-01-02T15:04:05", "2026-"+c.at, d.zone)
				if err != nil {
					t.Fatal(err)
				}
				d.now = at
			}
			got := d.write(t, c.tool, c.args)
			if got.Stage != "instructions" || got.Type != c.kind || got.Period != c.want {
				t.Errorf("got %s of %s (%s), want %s of %s", got.Type, got.Period, got.Stage, c.kind, c.want)
			}
		})
	}
}

func TestAPeriodThatNoPlanIsOfHasTheTypesListed(t *testing.T) {
	d := newDesk(t)
	got := d.write(t, "daily_plan", args{"month": "2026-11", "answers": args{"highlights": "It snowed"}})
	if got.Stage != "discovery" || got.Next.Call.Period != "2026-11" {
		t.Errorf("got %+v", got)
	}
	var call args
	raw, err := json.Marshal(got.Next.Call)
	if err := errors.Join(err, json.Unmarshal(raw, &call)); err != nil {
		t.Fatal(err)
	}
	if made := d.write(t, "daily_plan", call); made.Stage != "created" || made.Type != "month_review" {
		t.Errorf("following %s: got %+v", raw, made)
	}
}

func TestAWeekIsReviewedFromWhatWasKept(t *testing.T) {
	d := newDesk(t)
	d.log(t, "2026-11-12", store.DayEntry{Text: "Long before", Mood: 2, Metrics: map[string]any{"sleep": 6.0, "meditated": false}})
	monday := d.log(t, "2026-11-16", store.DayEntry{Text: "Finished\nthe report", Section: "work", Mood: 4, Metrics: map[string]any{"sleep": 7.5, "meditated": true}})
	friday := d.log(t, "2026-11-20", store.DayEntry{Text: "Soup", Type: "food", Mood: 3, Metrics: map[string]any{"sleep": 8.0, "meditated": true}})
	added := d.task(t, args{"op": "add", "text": []string{"Book the train", "Sell the bike"}, "date": "2026-11-10", "due": "2026-11-18"})
	d.task(t, args{"op": "done", "ids": added.Tasks[1].ID, "date": "2026-11-19"})
	plan := d.write(t, "daily_plan", args{"week": "2026-W47", "answers": args{"goals": []string{"Report handed in"}}})

	got := d.write(t, "daily_review", args{"week": "this week"})
	for _, want := range []string{
		"# Week review, week 47, 16 – 22 November 2026",
		"### Monday 16 November 2026\n\n- 12:00 work, Finished the report (mood 4 of 5, meditated yes, sleep 7.5) [" + monday + "]",
		"- 12:00 food: Soup (mood 3 of 5, meditated yes, sleep 8) [" + friday + "]",
		"- mood: mean 3.5 on 2 days, 3 to 4; the week before 2 (+1.5)",
		"- sleep: mean 7.75 on 2 days, 7.5 to 8; the week before 6 (+1.75)",
		"- meditated: 2 of 2 times yes; the week before 0 of 1",
		"## Done\n\n- Sell the bike (due 2026-11-18) [" + added.Tasks[1].ID + "]",
		"## Still open\n\n- Book the train (due 2026-11-18, 3 days overdue, since 2026-11-10) [" + added.Tasks[0].ID + "]",
		"Nothing was logged on 4 of 6 days: Tue 17 Nov, Wed 18 Nov, Thu 19 Nov, Sat 21 Nov.",
		"[" + plan.ID + "]:\n\n- Report handed in",
	} {
		if !strings.Contains(got.Starter, want) {
			t.Errorf("the starter lacks %q:\n%s", want, got.Starter)
		}
	}
	if strings.Contains(got.Starter, "Long before") {
		t.Error("the starter quotes the week before")
	}
	made := d.write(t, "daily_review", args{"handle": got.Handle, "answers": args{"highlights": []string{"The report, [" + monday + "]"}}})
	kept, err := d.diary(t).Document(t.Context(), made.ID)
	if err != nil || !strings.Contains(kept.Body, "Soup") || strings.Contains(kept.Body, "<") || strings.Contains(kept.Body, "## Hard") {
		t.Errorf("kept is (%v)\n%s", err, kept.Body)
	}
	if len(made.Next.Actions) != 4 || made.Next.Actions[2].Tool != "daily_plan" || made.Next.Actions[3].Tool != "daily_edit" {
		t.Errorf("next are %+v", made.Next.Actions)
	}
	read := bundletest.Must[struct{ Document struct{ Body string } }](t, d.bundle, made.Next.Actions[0].Tool, made.Next.Actions[0].Args)
	if read.Document.Body != kept.Body {
		t.Errorf("reading it back shows\n%s", read.Document.Body)
	}
	if next := d.write(t, "daily_plan", args{"type": "week_plan", "period": "2026-W48"}); strings.Contains(next.Starter, "Said before") {
		t.Errorf("a review without next is quoted:\n%s", next.Starter)
	}
}

func TestAPlanTakesUpWhatTheReviewBeforeItWanted(t *testing.T) {
	d := newDesk(t)
	review := d.write(t, "daily_review", args{"week": "2026-W47", "answers": args{"highlights": "It snowed", "next": "Book the\ntrain"}})
	plan := d.write(t, "daily_plan", args{"type": "week_plan", "period": "next week"})
	if want := "## Said before\n\n" + review.Title + " [" + review.ID + "]:\n\n- Book the train"; !strings.Contains(plan.Starter, want) {
		t.Errorf("got\n%s\nwant %q", plan.Starter, want)
	}
}

func TestWhatIsDueBeforeADayThatIsPlannedIsNotOverdueYet(t *testing.T) {
	d := newDesk(t)
	d.task(t, args{"op": "add", "text": "Book the train", "due": "2026-11-23"})
	d.task(t, args{"op": "add", "text": "Sell the bike", "due": "2026-11-20"})
	got := d.write(t, "daily_plan", args{"week": "next week"}).Starter
	if !strings.Contains(got, "- Book the train (due 2026-11-23) [") || !strings.Contains(got, "- Sell the bike (due 2026-11-20, 9 days overdue") {
		t.Errorf("got\n%s", got)
	}
}

func TestAnEmptyWeekIsSaidToBeEmpty(t *testing.T) {
	d := newDesk(t)
	got := d.write(t, "daily_review", args{"week": "2026-W30", "answers": args{"highlights": []string{}}})
	kept, err := d.diary(t).Document(t.Context(), got.ID)
	if err != nil {
		t.Fatal(err)
	}
	if want := "# Week review, week 30, 20 – 26 July 2026\n\n## Logged\n\nNothing was logged."; kept.Body != want {
		t.Errorf("got\n%s\nwant\n%s", kept.Body, want)
	}
}

func TestADayIsReviewedBySection(t *testing.T) {
	d := newDesk(t)
	d.log(t, "2026-11-21", store.DayEntry{Text: "Ran", Section: "Morning"})
	d.log(t, "2026-11-21", store.DayEntry{Text: "Rain"})
	d.log(t, "2026-11-21", store.DayEntry{Text: "Stretched", Section: "Morning"})
	got := d.write(t, "daily_review", args{"date": "today"}).Starter
	rain, morning, ran, stretched := strings.Index(got, "Rain"), strings.Index(got, "### Morning"), strings.Index(got, "Ran"), strings.Index(got, "Stretched")
	if rain < 0 || morning < rain || ran < morning || stretched < ran || strings.Count(got, "### Morning") != 1 {
		t.Errorf("got\n%s", got)
	}
}

func TestABusyMonthKeepsItsReviewShort(t *testing.T) {
	d := newDesk(t)
	many := []store.DayEntry{}
	for day := range 20 {
		for n := range 30 {
			at := time.Date(2026, 11, 1+day, 5, n, 0, 0, d.zone)
			many = append(many, store.DayEntry{Date: at.Format(time.DateOnly), Moment: at, Zone: d.zone.String(), Type: "food", Text: strings.Repeat("cake ", 100)})
		}
	}
	for part := range slices.Chunk(many, 50) {
		if _, err := d.diary(t).Log(t.Context(), store.Logging{Entries: part}); err != nil {
			t.Fatal(err)
		}
	}
	d.log(t, "2026-11-20", store.DayEntry{Text: "Something else", Type: "journal"})
	got := d.write(t, "daily_review", args{"month": "2026-11"}).Starter
	if len(got) > 15_000 || !strings.Contains(got, "… and 28 more on 2026-11-20.") || !strings.Contains(got, "Something else") {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}

func TestThereIsOnePlanOfAPeriod(t *testing.T) {
	d := newDesk(t)
	plan := func(focus string) bundles.StagedAnswer {
		return d.write(t, "daily_plan", args{"type": "day_plan", "answers": args{"focus": focus}})
	}
	first, second := plan("Rest"), plan("Work")
	kept, err := d.diary(t).Document(t.Context(), first.ID)
	if err != nil || first.ID != second.ID || kept.Version != 2 || !strings.Contains(kept.Body, "Work") {
		t.Errorf("got %s and %s: %+v, %v", first.ID, second.ID, kept, err)
	}
	undo := second.Next.Actions[len(second.Next.Actions)-1]
	bundletest.Must[struct{}](t, d.bundle, undo.Tool, undo.Args)
	if kept, err := d.diary(t).Document(t.Context(), first.ID); err != nil || !strings.Contains(kept.Body, "Rest") {
		t.Errorf("undone: %+v, %v", kept, err)
	}
}

func TestATitleIsOneLine(t *testing.T) {
	d := newDesk(t)
	got := d.write(t, "daily_plan", args{"type": "meeting_notes", "title": "Roof\n# Costs \u202e", "answers": args{"people": "Anna"}})
	if got.Title != "Roof # Costs" {
		t.Errorf("got the title %q", got.Title)
	}
}

func TestThereAreManyNotesOfADay(t *testing.T) {
	d := newDesk(t)
	note := func() bundles.StagedAnswer {
		return d.write(t, "daily_plan", args{"type": "meeting_notes", "about": "The roof", "answers": args{"people": "Anna"}})
	}
	first, again := note(), note()
	if first.ID != again.ID || first.Repeated || !again.Repeated || first.Title != "The roof" || first.Period != "2026-11-21" {
		t.Errorf("the same words at once: got %+v and %+v", first, again)
	}
	d.now = d.now.Add(10 * time.Minute)
	if later := note(); later.ID == first.ID || later.Repeated {
		t.Errorf("later: got %+v", later)
	}
}

func TestAPlanThatIsMadeAgainKeepsWhatItDoesNotAnswer(t *testing.T) {
	d := newDesk(t)
	first := d.write(t, "daily_plan", args{"period": "today", "answers": args{"focus": "one", "must": []string{"m1"}, "notes": "precious"}})
	begun := d.write(t, "daily_plan", args{"type": "day_plan"})
	if r := begun.Replaces; r == nil || r.ID != first.ID || r.Version != 1 || !slices.Equal(r.Kept, []string{"focus", "must", "notes"}) {
		t.Errorf("the instructions say it replaces %+v", r)
	}
	for _, want := range []string{"\none", "- m1", "precious", "<schedule>"} {
		if !strings.Contains(begun.Starter, want) {
			t.Errorf("the starter lacks %q:\n%s", want, begun.Starter)
		}
	}
	second := d.write(t, "daily_plan", args{"period": "today", "answers": args{"focus": "two", "notes": ""}})
	if r := second.Replaces; second.Repeated || r == nil || r.ID != first.ID || r.Version != 1 || !slices.Equal(r.Kept, []string{"must"}) {
		t.Errorf("made at once: got %+v", second)
	}
	third := d.write(t, "daily_plan", args{"handle": begun.Handle, "answers": args{"schedule": "09:00 report"}})
	kept, err := d.diary(t).Document(t.Context(), first.ID)
	if err != nil || third.ID != first.ID || third.Replaces.Version != 2 || string(kept.Fields) != `{"focus":"two","must":["m1"],"notes":"","schedule":["09:00 report"]}` {
		t.Errorf("by a handle from before: got %+v, kept %s, %v", third, kept.Fields, err)
	}
	if again := d.write(t, "daily_plan", args{"period": "today", "answers": args{"focus": "two"}}); !again.Repeated || again.Replaces != nil {
		t.Errorf("as it is: got %+v", again)
	}
	read := bundletest.Must[struct {
		Document struct{ Version int64 }
		Versions []struct {
			Version int64
			Text    string
			UndoID  string `json:"undo_id"`
		}
	}](t, d.bundle, "daily_get", args{"id": first.ID})
	if read.Document.Version != 3 || len(read.Versions) != 2 || read.Versions[1].Version != 1 || !strings.Contains(read.Versions[1].Text, "precious") || read.Versions[0].UndoID == "" {
		t.Errorf("read back: %+v", read)
	}
	bundletest.Must[struct{}](t, d.bundle, "daily_edit", args{"id": first.ID, "version": 1})
	if kept, err := d.diary(t).Document(t.Context(), first.ID); err != nil || !strings.Contains(kept.Body, "precious") {
		t.Errorf("brought back: %+v, %v", kept, err)
	}
}

// Clients that plan one day at the same time lose nothing of each other.
func TestPlansOfADayThatAreMadeAtOnceAreOne(t *testing.T) {
	d := newDesk(t)
	var all sync.WaitGroup
	for _, field := range []string{"must", "schedule", "notes"} {
		all.Go(func() {
			if _, err := bundletest.Call(t, d.bundle, "daily_plan", args{"period": "today", "answers": args{"focus": "Rest", field: field}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	found, err := d.diary(t).Documents(t.Context(), store.DocumentFilter{}, 9)
	if err != nil || len(found) != 1 || string(found[0].Fields) != `{"focus":"Rest","must":["must"],"notes":"notes","schedule":["schedule"]}` {
		t.Errorf("got %+v, %v", found, err)
	}
}

func TestADocumentIsTakenBack(t *testing.T) {
	d := newDesk(t)
	made := d.write(t, "daily_plan", args{"type": "meeting_notes", "answers": args{"people": "oops"}})
	back := made.Next.Actions[len(made.Next.Actions)-1]
	d.refused(t, "daily_edit", args{"id": made.ID, "text": "other"}, metadata.ValidationError)
	d.refused(t, "daily_edit", args{"id": made.ID, "delete": true, "if_version": 2}, metadata.Conflict)
	gone := bundletest.Must[struct {
		Status string
		UndoID string `json:"undo_id"`
	}](t, d.bundle, back.Tool, back.Args)
	if _, err := d.diary(t).Document(t.Context(), made.ID); gone.Status != "deleted" || !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %+v, and it is there: %v", gone, err)
	}
	d.refused(t, "daily_edit", args{"id": made.ID, "delete": true}, metadata.NotFound)
	if read := bundletest.Must[struct{ Versions []any }](t, d.bundle, "daily_get", args{"id": made.ID}); len(read.Versions) != 1 {
		t.Errorf("of one that is deleted: got %+v", read)
	}
	bundletest.Must[struct{}](t, d.bundle, "daily_edit", args{"undo_id": gone.UndoID})
	if _, err := d.diary(t).Document(t.Context(), made.ID); err != nil {
		t.Errorf("brought back: %v", err)
	}
}

func TestEitherActionGoesOnWithWhatTheOtherBegan(t *testing.T) {
	d := newDesk(t)
	begun := d.write(t, "daily_plan", args{"type": "day_review"})
	under := d.write(t, "daily_review", args{}).UnderWay
	if len(under) != 1 || under[0].Handle != begun.Handle {
		t.Errorf("under way are %+v, want %s", under, begun.Handle)
	}
	made := d.write(t, "daily_review", args{"handle": begun.Handle, "answers": args{"highlights": "It snowed"}})
	if made.Stage != "created" || made.Note != "" {
		t.Errorf("got %+v", made)
	}
}

// A process that dies between the document and the note of it leaves a handle
// whose last call comes again, perhaps when more is known than before.
func TestACallThatIsRepeatedMakesNoOtherDocument(t *testing.T) {
	d := newDesk(t)
	create := func(body string) bundles.Created {
		t.Helper()
		for _, a := range d.bundle.Actions {
			if a.Tool == "daily_review" {
				made, err := a.Flow.Create(t.Context(), bundles.Document{Type: "meeting_notes", Period: "2026-11-21", Title: "Roof", Answers: map[string]json.RawMessage{}, Body: body, Key: "s_0000000000"})
				if err != nil {
					t.Fatal(err)
				}
				return made
			}
		}
		panic("there is no daily_review")
	}
	first, second := create("one entry"), create("two entries")
	if first.Repeated || !second.Repeated || first.ID != second.ID {
		t.Errorf("got %+v and %+v", first, second)
	}
}

// Whoever gives up while the document is made changes their answers and goes on.
func TestACallThatIsGivenUpLeavesTheHandleOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	giveUp := func() {}
	d := newDesk(t).with(func(deps *daily.Deps) {
		deps.Events = func(context.Context, string, string) (daily.Found[daily.Event], error) {
			giveUp()
			return daily.Found[daily.Event]{}, nil
		}
	})
	handle := d.write(t, "daily_plan", args{"type": "day_plan"}).Handle
	i := slices.IndexFunc(d.bundle.Actions, func(a bundles.Action) bool { return a.Tool == "daily_plan" })
	call, err := d.bundle.Actions[i].Prepare(json.RawMessage(`{"handle": "` + handle + `", "answers": {"focus": "Rest"}}`))
	if err != nil {
		t.Fatal(err)
	}
	giveUp = cancel
	if _, err := call.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("given up: %v", err)
	}
	made := d.write(t, "daily_plan", args{"handle": handle, "answers": args{"focus": "Work"}})
	if kept, err := d.diary(t).Document(t.Context(), made.ID); err != nil || made.Note != "" || !strings.Contains(kept.Body, "Work") {
		t.Errorf("got %+v, %+v, %v", made, kept, err)
	}
}

func TestAPlanTellsAnEmptyCalendarFromOneThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		found daily.Found[daily.Event]
		err   error
		want  string
	}{
		"none":     {daily.Found[daily.Event]{}, nil, "No events."},
		"off":      {daily.Found[daily.Event]{}, metadata.Errorf(metadata.ToolNotFound, "calendar is off"), "The calendar is not connected."},
		"failing":  {daily.Found[daily.Event]{}, metadata.Errorf(metadata.RateLimited, "too many requests"), "The calendar could not be read: too many requests"},
		"panicked": {daily.Found[daily.Event]{}, errors.New("secret"), "The calendar could not be read: something went wrong inside KOTA"},
		"one": {
			daily.Found[daily.Event]{Items: []daily.Event{{When: "09:00–10:00", Title: "Dentist", Location: "Main Street"}}, More: 1, Unread: []string{"calendar Team: gone"}}, nil,
			"- 09:00–10:00 Dentist (Main Street)\n- … and more: calendar_list_events\n- Not all could be read: calendar Team: gone",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t).with(func(deps *daily.Deps) {
				deps.Events = func(_ context.Context, date, zone string) (daily.Found[daily.Event], error) {
					if date != "2026-11-24" || zone != "Europe/Amsterdam" {
						t.Errorf("asked for %s in %s", date, zone)
					}
					return c.found, c.err
				}
			})
			if got := d.write(t, "daily_plan", args{"date": "2026-11-24"}).Starter; !strings.Contains(got, "## Calendar\n\n"+c.want) {
				t.Errorf("got\n%s\nwant %q", got, c.want)
			}
		})
	}
	if got := newDesk(t).write(t, "daily_plan", args{"week": "2026-W48"}).Starter; strings.Count(got, "The calendar is not connected.") != 1 {
		t.Errorf("without a source:\n%s", got)
	}
}

func TestATypeOfTheUsersOwnIsMadeLikeTheOthers(t *testing.T) {
	fields, err := bundles.FieldList([]bundles.Field{{Name: "best_moments", Type: "list", Required: true}, {Name: "cost", Type: "number"}})
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t).with(func(deps *daily.Deps) {
		deps.Templates = func() []bundles.DocumentType {
			return []bundles.DocumentType{
				{Name: "trip_report", Line: "where we went", Instructions: "Ask.", Fields: fields},
				{Name: "mood_sheet", Line: "the numbers", Instructions: "Ask.", Template: "# {{.title}}\n\n{{.numbers}}"},
			}
		}
	})
	d.log(t, "2026-11-20", store.DayEntry{Mood: 4})
	made := d.write(t, "daily_plan", args{"type": "trip report", "about": "The Alps", "answers": args{"best_moments": []string{"Snow"}}})
	kept, err := d.diary(t).Document(t.Context(), made.ID)
	if err != nil || kept.Body != "# The Alps\n\n## Best moments\n\n- Snow" || kept.Type != "trip_report" {
		t.Errorf("got %+v, %v", kept, err)
	}
	if got := d.write(t, "daily_review", args{"type": "mood_sheet", "week": "2026-W47"}); got.Starter != "# Mood sheet, week 47, 16 – 22 November 2026\n\n- mood: 4" {
		t.Errorf("got %q", got.Starter)
	}
}

func TestWhatNoDocumentCanBeOfIsRefused(t *testing.T) {
	d := newDesk(t)
	for name, c := range map[string]struct {
		tool string
		args args
		code metadata.Code
	}{
		"30 February":                   {"daily_plan", args{"type": "day_plan", "date": "2026-02-30"}, metadata.ValidationError},
		"30 February, without a type":   {"daily_review", args{"date": "2026-02-30"}, metadata.ValidationError},
		"29 February of no leap year":   {"daily_review", args{"date": "2027-02-29"}, metadata.ValidationError},
		"week 54":                       {"daily_review", args{"week": "2026-W54"}, metadata.ValidationError},
		"week 53 of a year with 52":     {"daily_review", args{"week": "2027-W53"}, metadata.ValidationError},
		"month 13":                      {"daily_review", args{"month": "2026-13"}, metadata.ValidationError},
		"the year 9999":                 {"daily_review", args{"date": "9999-12-31"}, metadata.ValidationError},
		"a review of tomorrow":          {"daily_review", args{"period": "tomorrow"}, metadata.ValidationError},
		"a review of next week":         {"daily_plan", args{"type": "week_review", "period": "next week", "answers": args{"highlights": "a"}}, metadata.ValidationError},
		"a week for a day":              {"daily_plan", args{"type": "day_plan", "week": "2026-W47"}, metadata.ValidationError},
		"words that are no time":        {"daily_plan", args{"type": "day_plan", "period": "soon"}, metadata.ValidationError},
		"a type there is not":           {"daily_plan", args{"type": "dayplans"}, metadata.ValidationError},
		"an answer that is no field":    {"daily_plan", args{"type": "day_plan", "answers": args{"mood": 9}}, metadata.ValidationError},
		"an answer of 100,000 letters":  {"daily_plan", args{"type": "day_plan", "answers": args{"focus": strings.Repeat("a", 100_000)}}, metadata.ValidationError},
		"a title of 500 letters":        {"daily_plan", args{"type": "day_plan", "title": strings.Repeat("a", 500), "answers": args{"focus": "a"}}, metadata.ValidationError},
		"a body of more than a quarter": {"daily_review", args{"week": "2026-W47", "answers": args{"highlights": slices.Repeat([]string{strings.Repeat("a", 10_000)}, 30)}}, metadata.TooLarge},
	} {
		t.Run(name, func(t *testing.T) { d.refused(t, c.tool, c.args, c.code) })
	}
	found, err := d.diary(t).Documents(t.Context(), store.DocumentFilter{}, 1)
	if err != nil || len(found) > 0 {
		t.Errorf("kept were %+v, %v", found, err)
	}
}

// Two clients may hold one handle: neither loses what it said.
func TestTwoClientsFillInOneHandle(t *testing.T) {
	d := newDesk(t)
	other := daily.New(d.deps)
	handle := d.write(t, "daily_review", args{"type": "day_review"}).Handle
	hard := bundletest.Must[bundles.StagedAnswer](t, other, "daily_review", args{"handle": handle, "answers": args{"hard": "Slept badly"}})
	made := d.write(t, "daily_plan", args{"handle": handle, "answers": args{"highlights": "It snowed"}})
	again := bundletest.Must[bundles.StagedAnswer](t, other, "daily_review", args{"handle": handle, "answers": args{"learned": "Too late"}})
	kept, err := d.diary(t).Document(t.Context(), made.ID)
	if err != nil || hard.Stage != "instructions" || !strings.Contains(kept.Body, "Slept badly") || !strings.Contains(kept.Body, "It snowed") {
		t.Errorf("kept is %+v, %v", kept, err)
	}
	if again.ID != made.ID || !again.Repeated || !strings.Contains(again.Note, "learned") {
		t.Errorf("who came late was told %+v", again)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(kept.Fields, &fields); err != nil || len(fields) != 2 {
		t.Errorf("the fields are %s, %v", kept.Fields, err)
	}
}

func TestAHandleIsForgottenAfterADay(t *testing.T) {
	d := newDesk(t)
	handle := d.write(t, "daily_review", args{"type": "day_review"}).Handle
	d.now = d.now.Add(24*time.Hour + time.Second)
	got := d.write(t, "daily_review", args{"handle": handle, "type": "day_review", "date": "2026-11-21", "answers": args{"highlights": "It snowed"}})
	if got.Stage != "instructions" || got.Handle == handle || got.Note == "" || string(got.Answers["highlights"]) != `["It snowed"]` {
		t.Errorf("got %+v", got)
	}
}
