package calendar_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/bundletest"
)

var update = flag.Bool("update", false, "rewrite docs/explanation/recurrence.md")

const pageIntro = `# This one, the following, all

This page shows what ` + "`calendar_update_event`" + ` and ` + "`calendar_delete_event`" + ` do to a
series with each ` + "`scope`" + `. A test carries out each change and writes the page. The
series have six or more Tuesdays in Amsterdam, where clocks go back on 25 October 2026.
Each change is made to the fourth Tuesday, 3 November: an event with a time moves by one
hour, an all-day event by one day. Each column is a week. **Bold** is a change, and –
means that nothing takes place.

- **this** changes or cancels one event. The others and their rule stay.
- **following** changes that event and all after it. They become a series of their own
  with the rest of the rule: the remaining days of UNTIL, the rest of COUNT, and the
  cancelled dates. KOTA creates it first and ends the old series afterwards, so that no
  event is ever missing. If the second step fails, KOTA removes the new series. The new
  series gets a new video call, and guests are asked again if the time changes. Deleting
  with this scope only ends the series.
- **all** changes or deletes the whole series, past events included. All move by the same
  time on the clock.

Exceptions that were changed by hand are kept if their place in the series stays. If it
does not, ` + "`exceptions_lost`" + ` names them; ` + "`dry_run`" + ` shows that beforehand. Cancelled
events stay cancelled. (Google documents only that everything after the end of a series
is reset.) ` + "`calendar_undo`" + ` restores all of it, including exceptions. The test checks
this for every line below.
`

// A pageSeries is a section of the page.
type pageSeries struct {
	title, about string
	allDay       bool
	rule         string
	byHand       func(d *fixture)
}

// changeByHand renames, moves and cancels instances of a series, like a user of Google
// Calendar.
func changeByHand(d *fixture) {
	d.ann.ChangeEvent("primary", "series_20261020T070000Z", `{"start": {"dateTime": "2026-10-21T14:00:00+02:00"}, "end": {"dateTime": "2026-10-21T14:30:00+02:00"}}`)
	d.ann.DeleteEvent("primary", "series_20261027T080000Z")
	d.ann.ChangeEvent("primary", "series_20261110T080000Z", `{"summary": "Retro"}`)
	d.ann.DeleteEvent("primary", "series_20261117T080000Z")
}

var pageSections = []pageSeries{
	{title: "Without an end", about: "Every Tuesday at 09:00.", rule: "RRULE:FREQ=WEEKLY"},
	{title: "COUNT", about: "Six times.", rule: "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=6"},
	{title: "UNTIL", about: "Until 17 November, which a rule says in UTC.", rule: "RRULE:FREQ=WEEKLY;UNTIL=20261117T080000Z"},
	{title: "Whole days", about: "Every Tuesday, all day, until 17 November.", allDay: true, rule: "RRULE:FREQ=WEEKLY;UNTIL=20261117"},
	{title: "Whole days, COUNT", about: "Six Tuesdays, all day.", allDay: true, rule: "RRULE:FREQ=WEEKLY;COUNT=6"},
	{
		title: "With exceptions", rule: "RRULE:FREQ=WEEKLY;COUNT=6", byHand: changeByHand,
		about: "Six times, of which the second was moved by hand, the third cancelled, the fifth renamed and the last cancelled.",
	},
}

// newFixture returns a fixture with the series in the calendar.
func (s pageSeries) newFixture(t *testing.T) *fixture {
	d := newFixture(t)
	d.ann.SetZone("Europe/Amsterdam")
	e := merge(timedEvent("series", "Standup", "2026-10-13T09:00", "2026-10-13T09:30"), args{"recurrence": []string{s.rule}})
	if s.allDay {
		e["start"], e["end"] = args{"date": "2026-10-13"}, args{"date": "2026-10-14"}
	}
	d.ann.AddEvent("primary", e)
	if s.byHand != nil {
		s.byHand(d)
	}
	return d
}

// weeks returns the events of each week of the page.
func (d *fixture) weeks(t *testing.T) []string {
	t.Helper()
	const weeks = 6
	first := time.Date(2026, 10, 12, 0, 0, 0, 0, zone) // a Monday
	cells := make([]string, weeks)
	err := d.eventsAPI(t, ann).List("primary").SingleEvents(true).OrderBy("startTime").TimeMin(first.Format(time.RFC3339)).TimeMax(first.AddDate(0, 0, 7*weeks).Format(time.RFC3339)).
		Pages(t.Context(), func(page *calendarapi.Events) error {
			for _, e := range page.Items {
				at, text := weekCell(t, e)
				i := int(at.Sub(first).Hours()+1) / 24 / 7
				cells[i] = strings.TrimPrefix(cells[i]+", "+text, ", ")
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range cells {
		if text == "" {
			cells[i] = "–"
		}
	}
	return cells
}

// weekCell returns the time of an event in its week, and its title if that differs.
func weekCell(t *testing.T, e *calendarapi.Event) (time.Time, string) {
	form := "Mon"
	at, err := time.ParseInLocation(time.DateOnly, e.Start.Date, zone)
	if e.Start.Date == "" {
		at, err = time.Parse(time.RFC3339, e.Start.DateTime)
		form = "Mon 15:04"
	}
	if err != nil {
		t.Fatal(err)
	}
	text := at.In(zone).Format(form)
	if e.Summary != "Standup" {
		text += " " + e.Summary
	}
	return at, text
}

// rules returns the rules of the series in Ann's calendar, the old one first.
func (d *fixture) rules() string {
	list := []string{}
	for _, e := range d.ann.Events("primary") {
		lines := []string{}
		recurrence, _ := e["recurrence"].([]any)
		for _, line := range recurrence {
			lines = append(lines, "`"+strings.TrimPrefix(line.(string), "RRULE:")+"`")
		}
		if len(lines) > 0 {
			list = append(list, strings.Join(lines, " "))
		}
		if e["id"] == "series" && len(list) > 1 {
			list = append([]string{list[len(list)-1]}, list[:len(list)-1]...)
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, "<br>and ")
}

// row makes one change of the series, describes the result, and undoes it.
func (s pageSeries) row(t *testing.T, tool, scope string, more args) string {
	t.Helper()
	d := s.newFixture(t)
	before := d.weeks(t)
	asked := merge(args{"event_id": "series", "instance": "2026-11-03", "scope": scope}, more)
	got := bundletest.Must[changeAnswer](t, d.bundle, tool, asked)
	cells := d.weeks(t)
	for i := range cells {
		if cells[i] != before[i] {
			cells[i] = "**" + cells[i] + "**"
		}
	}
	lost := []string{}
	for _, one := range got.Lost {
		lost = append(lost, one.Title+" of "+one.When)
	}
	rule := d.rules()
	d.undo(t, got.Undo)
	if after := d.weeks(t); !slices.Equal(after, before) {
		t.Errorf("%s: %s %s is undone to %q, which was %q", s.title, tool, scope, after, before)
	}
	verb := map[string]string{"calendar_update_event": "update", "calendar_delete_event": "delete"}[tool]
	row := "| " + verb + " " + scope + " | " + strings.Join(cells, " | ") + " | " + rule + " |"
	if s.byHand != nil {
		row += " " + strings.Join(lost, ", ") + " |"
	}
	return row
}

// section returns the table of a series.
func (s pageSeries) section(t *testing.T) string {
	t.Helper()
	d := s.newFixture(t)
	heads := []string{}
	for i := range 6 {
		heads = append(heads, time.Date(2026, 10, 13+7*i, 0, 0, 0, 0, time.UTC).Format("2 Jan"))
	}
	lines := []string{
		"", "## " + s.title, "", s.about, "",
		"| | " + strings.Join(heads, " | ") + " | rule |", "|" + strings.Repeat(" --- |", 8),
		"| before | " + strings.Join(d.weeks(t), " | ") + " | " + d.rules() + " |",
	}
	if s.byHand != nil {
		for i, end := range []string{" exceptions_lost |", " --- |", " |"} {
			lines[5+i] += end
		}
	}
	start := "2026-11-03 10:00"
	if s.allDay {
		start = "2026-11-04"
	}
	for _, scope := range []string{"this", "following", "all"} {
		lines = append(lines, s.row(t, "calendar_update_event", scope, args{"start": start, "on_conflict": "ignore"}))
	}
	for _, scope := range []string{"this", "following", "all"} {
		lines = append(lines, s.row(t, "calendar_delete_event", scope, nil))
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestRecurrencePageMatchesActions generates docs/explanation/recurrence.md from the
// effects of the actions, and fails if the page differs.
func TestRecurrencePageMatchesActions(t *testing.T) {
	var page strings.Builder
	fmt.Fprint(&page, pageIntro)
	for _, s := range pageSections {
		fmt.Fprint(&page, s.section(t))
	}
	path := filepath.Join("..", "..", "docs", "explanation", "recurrence.md")
	if *update {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), page.String()); diff != "" {
		t.Errorf("docs/explanation/recurrence.md is not what the actions do; go test ./bundles/calendar -run RecurrencePage -update writes it again (-page +done):\n%s", diff)
	}
}
