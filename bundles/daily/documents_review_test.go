package daily_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/bundles/daily/sources"
	"kota/metadata"
	"kota/store"
)

func TestWeekReviewStartsWithDiaryEntries(t *testing.T) {
	d := newFixture(t)
	d.addEntry(t, "2026-11-12", store.DayEntry{Text: "Long before", Mood: 2, Metrics: map[string]any{"sleep": 6.0, "meditated": false}})
	monday := d.addEntry(t, "2026-11-16", store.DayEntry{Text: "Finished\nthe report", Section: "work", Mood: 4, Metrics: map[string]any{"sleep": 7.5, "meditated": true}})
	friday := d.addEntry(t, "2026-11-20", store.DayEntry{Text: "Soup", Type: "food", Mood: 3, Metrics: map[string]any{"sleep": 8.0, "meditated": true}})
	added := d.task(t, args{"op": "add", "text": []string{"Book the train", "Sell the bike"}, "date": "2026-11-10", "due": "2026-11-18"})
	d.task(t, args{"op": "done", "ids": added.Tasks[1].ID, "date": "2026-11-19"})
	plan := d.writeDocument(t, "daily_plan", args{"week": "2026-W47", "answers": args{"goals": []string{"Report handed in"}}})

	got := d.writeDocument(t, "daily_review", args{"week": "this week"})
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
	made := d.writeDocument(t, "daily_review", args{"handle": got.Handle, "answers": args{"highlights": []string{"The report, [" + monday + "]"}}})
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
	if next := d.writeDocument(t, "daily_plan", args{"type": "week_plan", "period": "2026-W48"}); strings.Contains(next.Starter, "From the last review") {
		t.Errorf("a review without next is quoted:\n%s", next.Starter)
	}
}

func TestPlanStartsWithNextOfPreviousReview(t *testing.T) {
	d := newFixture(t)
	review := d.writeDocument(t, "daily_review", args{"week": "2026-W47", "answers": args{"highlights": "It snowed", "next": "Book the\ntrain"}})
	plan := d.writeDocument(t, "daily_plan", args{"type": "week_plan", "period": "next week"})
	if want := "## From the last review\n\n" + review.Title + " [" + review.ID + "]:\n\n- Book the train"; !strings.Contains(plan.Starter, want) {
		t.Errorf("got\n%s\nwant %q", plan.Starter, want)
	}
}

func TestTaskDueBeforePlannedDayIsNotOverdue(t *testing.T) {
	d := newFixture(t)
	d.task(t, args{"op": "add", "text": "Book the train", "due": "2026-11-23"})
	d.task(t, args{"op": "add", "text": "Sell the bike", "due": "2026-11-20"})
	got := d.writeDocument(t, "daily_plan", args{"week": "next week"}).Starter
	if !strings.Contains(got, "- Book the train (due 2026-11-23) [") || !strings.Contains(got, "- Sell the bike (due 2026-11-20, 9 days overdue") {
		t.Errorf("got\n%s", got)
	}
}

func TestReviewNamesEmptyWeek(t *testing.T) {
	d := newFixture(t)
	got := d.writeDocument(t, "daily_review", args{"week": "2026-W30", "answers": args{"highlights": []string{}}})
	kept, err := d.diary(t).Document(t.Context(), got.ID)
	if err != nil {
		t.Fatal(err)
	}
	if want := "# Week review, week 30, 20 – 26 July 2026\n\n## Logged\n\nNothing was logged."; kept.Body != want {
		t.Errorf("got\n%s\nwant\n%s", kept.Body, want)
	}
}

func TestDayReviewGroupsBySection(t *testing.T) {
	d := newFixture(t)
	d.addEntry(t, "2026-11-21", store.DayEntry{Text: "Ran", Section: "Morning"})
	d.addEntry(t, "2026-11-21", store.DayEntry{Text: "Rain"})
	d.addEntry(t, "2026-11-21", store.DayEntry{Text: "Stretched", Section: "Morning"})
	got := d.writeDocument(t, "daily_review", args{"date": "today"}).Starter
	rain, morning, ran, stretched := strings.Index(got, "Rain"), strings.Index(got, "### Morning"), strings.Index(got, "Ran"), strings.Index(got, "Stretched")
	if rain < 0 || morning < rain || ran < morning || stretched < ran || strings.Count(got, "### Morning") != 1 {
		t.Errorf("got\n%s", got)
	}
}

func TestReviewOfFewEntriesQuotesAll(t *testing.T) {
	d := newFixture(t)
	for n := range 40 {
		d.addEntry(t, map[bool]string{true: "2026-11-20", false: "2026-11-21"}[n < 35], store.DayEntry{Text: "entry"})
	}
	got := d.writeDocument(t, "daily_review", args{"month": "2026-11"}).Starter
	if strings.Count(got, "entry") != 40 || strings.Contains(got, " more on ") {
		t.Errorf("got\n%s", got)
	}
}

func TestReviewOfBusyMonthIsShort(t *testing.T) {
	d := newFixture(t)
	many := []store.DayEntry{}
	for day := range 20 {
		for n := range 30 {
			at := time.Date(2026, 11, 1+day, 5, n, 0, 0, d.zone)
			many = append(many, store.DayEntry{Date: at.Format(time.DateOnly), Moment: at, Zone: d.zone.String(), Type: "food", Text: strings.Repeat("cake ", 100)})
		}
	}
	for part := range slices.Chunk(many, 50) {
		if _, err := d.diary(t).Log(t.Context(), store.LogRequest{Entries: part}); err != nil {
			t.Fatal(err)
		}
	}
	d.addEntry(t, "2026-11-20", store.DayEntry{Text: "Something else", Type: "journal"})
	got := d.writeDocument(t, "daily_review", args{"month": "2026-11"}).Starter
	if len(got) > 15_000 || !strings.Contains(got, "… and 28 more on 2026-11-20.") || !strings.Contains(got, "Something else") {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}

func TestPlanDistinguishesEmptyFromUnreadableCalendar(t *testing.T) {
	for name, c := range map[string]struct {
		found sources.Found[sources.Event]
		err   error
		want  string
	}{
		"none":     {sources.Found[sources.Event]{}, nil, "No events."},
		"off":      {sources.Found[sources.Event]{}, metadata.Errorf(metadata.ToolNotFound, "calendar is off"), "The calendar is not connected."},
		"failing":  {sources.Found[sources.Event]{}, metadata.Errorf(metadata.RateLimited, "too many requests"), "The calendar could not be read: too many requests"},
		"panicked": {sources.Found[sources.Event]{}, errors.New("secret"), "The calendar could not be read: an internal error occurred"},
		"one": {
			sources.Found[sources.Event]{Items: []sources.Event{{When: "09:00–10:00", Title: "Dentist", Location: "Main Street"}}, More: 1, Unread: []string{"calendar Team: gone"}}, nil,
			"- 09:00–10:00 Dentist (Main Street)\n- … and more: calendar_list_events\n- Some calendars could not be read: calendar Team: gone",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t).withDeps(func(deps *daily.Deps) {
				deps.Sources.Events = func(_ context.Context, date, zone string) (sources.Found[sources.Event], error) {
					if date != "2026-11-24" || zone != "Europe/Amsterdam" {
						t.Errorf("asked for %s in %s", date, zone)
					}
					return c.found, c.err
				}
			})
			if got := d.writeDocument(t, "daily_plan", args{"date": "2026-11-24"}).Starter; !strings.Contains(got, "## Calendar\n\n"+c.want) {
				t.Errorf("got\n%s\nwant %q", got, c.want)
			}
		})
	}
	if got := newFixture(t).writeDocument(t, "daily_plan", args{"week": "2026-W48"}).Starter; strings.Count(got, "The calendar is not connected.") != 1 {
		t.Errorf("without a source:\n%s", got)
	}
}
