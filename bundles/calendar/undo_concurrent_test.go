package calendar_test

import (
	"encoding/json"
	"fmt"
	"testing"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// concurrentChanges returns changes of Ann's calendars, each with a later change by
// somebody else in Google Calendar before the undo. d is the fixture of the last bundle.
func concurrentChanges(d **fixture) []bundletest.ConcurrentChange {
	return append(eventChanges(d), calendarChanges(d)...)
}

// fixedArgs returns a function that returns these arguments.
func fixedArgs(a args) func(*testing.T, bundles.Bundle) any {
	return func(*testing.T, bundles.Bundle) any { return a }
}

// eventID returns the id of the event in an answer.
func eventID(t *testing.T, answer json.RawMessage) string {
	t.Helper()
	var got struct {
		Event struct {
			ID string `json:"event_id"`
		}
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	return got.Event.ID
}

func eventChanges(d **fixture) []bundletest.ConcurrentChange {
	rename := func(t *testing.T, _ bundles.Bundle, answer json.RawMessage) {
		(*d).ann.ChangeEvent("primary", eventID(t, answer), args{"summary": "Party"})
	}
	title := func(t *testing.T, _ bundles.Bundle, answer json.RawMessage) string {
		e := (*d).ann.Event("primary", eventID(t, answer))
		return fmt.Sprint(e["status"], " ", e["summary"])
	}
	list := []bundletest.ConcurrentChange{}
	for name, c := range map[string]struct {
		tool string
		args args
	}{
		"an event that was made, then renamed":             {createTool, args{"title": "Lunch", "start": "2026-11-24T12:30"}},
		"an event that was made of a line, then renamed":   {quickAddTool, args{"text": "Tea friday 16:00"}},
		"an event that was renamed, and again":             {"calendar_update_event", args{"event_id": "4fd1cu8m", "title": "Budget talk"}},
		"a series that was renamed, and again":             {"calendar_update_event", args{"event_id": "6hq2c9kl", "title": "Daily", "scope": "all"}},
		"one of a series that was renamed, and again":      {"calendar_update_event", args{"event_id": "6hq2c9kl", "instance": "2026-11-24", "title": "Daily", "scope": "this"}},
		"the rest of a series that was renamed, and again": {"calendar_update_event", args{"event_id": "6hq2c9kl", "instance": "2026-11-24", "title": "Daily", "scope": "following"}},
	} {
		list = append(list, bundletest.ConcurrentChange{Title: name, Tool: c.tool, Args: fixedArgs(c.args), Change: rename, State: title})
	}
	budget := func(*testing.T, bundles.Bundle, json.RawMessage) string {
		e := (*d).ann.Event("primary", "4fd1cu8m")
		return fmt.Sprint(e["status"], " ", e["summary"])
	}
	return append(append(list, answerChanges(d)...),
		bundletest.ConcurrentChange{
			Title: "an event that was deleted, then brought back with another title", Tool: "calendar_delete_event", Args: fixedArgs(args{"event_id": "4fd1cu8m"}), State: budget,
			Change: func(*testing.T, bundles.Bundle, json.RawMessage) {
				(*d).ann.ChangeEvent("primary", "4fd1cu8m", args{"status": "confirmed", "summary": "Party"})
			},
		},
		bundletest.ConcurrentChange{
			Title: "an event that was moved, then renamed", Tool: moveTool,
			Args: func(*testing.T, bundles.Bundle) any {
				return args{"event_id": "4fd1cu8m", "to": (*d).ann.AddCalendar(fakecalendar.Calendar{Summary: "Work"})}
			},
			Change: func(t *testing.T, b bundles.Bundle, _ json.RawMessage) {
				(*d).ann.ChangeEvent((*d).calendarNamed(t, "Work").Id, "4fd1cu8m", args{"summary": "Party"})
			},
			State: func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) string {
				for _, calendar := range []string{"primary", (*d).calendarNamed(t, "Work").Id} {
					for _, e := range (*d).ann.Events(calendar) {
						if e["id"] == "4fd1cu8m" {
							return fmt.Sprint(e["summary"])
						}
					}
				}
				return "gone"
			},
		})
}

func answerChanges(d **fixture) []bundletest.ConcurrentChange {
	answer := func(status, comment string) func(*testing.T, bundles.Bundle, json.RawMessage) {
		return func(*testing.T, bundles.Bundle, json.RawMessage) {
			(*d).ann.ChangeEvent("primary", "5c1ha7v2", args{"attendees": []args{{"email": ann, "responseStatus": status, "comment": comment}, {"email": "cleo@example.com", "responseStatus": "accepted"}}})
		}
	}
	state := func(*testing.T, bundles.Bundle, json.RawMessage) string { return (*d).answersOf("5c1ha7v2") }
	yes := args{"event_id": "5c1ha7v2", "answer": "yes", "comment": "gladly"}
	return []bundletest.ConcurrentChange{
		{Title: "an answer that was given, then another one", Tool: "calendar_respond_event", Args: fixedArgs(yes), Change: answer("declined", ""), State: state},
		{Title: "an answer that was given, then another comment", Tool: "calendar_respond_event", Args: fixedArgs(yes), Change: answer("accepted", "I bring cake"), State: state},
		{
			Title: "an invitation that was added and answered, then renamed", Tool: "calendar_respond_event", Args: fixedArgs(args{"ics": invitationFile("REQUEST"), "answer": "yes"}),
			Change: func(*testing.T, bundles.Bundle, json.RawMessage) {
				(*d).ann.ChangeEvent("primary", (*d).idByTitle("Talk"), args{"colorId": "3"})
			},
			State: func(*testing.T, bundles.Bundle, json.RawMessage) string {
				if id := (*d).idByTitle("Talk"); id != "" {
					return fmt.Sprint((*d).ann.Event("primary", id)["colorId"])
				}
				return "gone"
			},
		},
	}
}

// idByTitle returns the id of the event with that title in Ann's calendar, or "".
func (d *fixture) idByTitle(title string) string {
	for _, e := range d.ann.Events("primary") {
		if e["summary"] == title {
			return e["id"].(string)
		}
	}
	return ""
}

// calendarNamed returns the calendar with that name on Ann's list, or an entry without an
// id.
func (d *fixture) calendarNamed(t *testing.T, name string) *calendarapi.CalendarListEntry {
	t.Helper()
	list, err := calendarAPI(t, d).CalendarList.List().ShowHidden(true).Do()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list.Items {
		if e.Summary == name {
			return e
		}
	}
	return &calendarapi.CalendarListEntry{}
}

func calendarChanges(d **fixture) []bundletest.ConcurrentChange {
	look := func(name string, change *calendarapi.CalendarListEntry) func(*testing.T, bundles.Bundle, json.RawMessage) {
		return func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) {
			if _, err := calendarAPI(t, *d).CalendarList.Patch((*d).calendarNamed(t, name).Id, change).Do(); err != nil {
				t.Fatal(err)
			}
		}
	}
	state := func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) string {
		text := ""
		for _, name := range []string{"Club", "Chess", bob} {
			if e := (*d).calendarNamed(t, name); e.Id != "" {
				text += fmt.Sprint(e.Summary, " ", e.SummaryOverride, " ", e.ColorId, "; ")
			}
		}
		return text
	}
	club := func(a args) func(*testing.T, bundles.Bundle) any {
		return func(*testing.T, bundles.Bundle) any {
			(*d).ann.AddCalendar(fakecalendar.Calendar{Summary: "Club", Color: "2"})
			return a
		}
	}
	listed := func(t *testing.T, _ bundles.Bundle) {
		if _, err := calendarAPI(t, *d).CalendarList.Insert(&calendarapi.CalendarListEntry{Id: bob}).Do(); err != nil {
			t.Fatal(err)
		}
	}
	const tool = "calendar_manage_calendar"
	return []bundletest.ConcurrentChange{
		{
			Title: "a calendar that was made, then renamed", Tool: tool, Args: fixedArgs(args{"operation": "create", "name": "Club"}), State: state,
			Change: func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) {
				if _, err := calendarAPI(t, *d).Calendars.Patch((*d).calendarNamed(t, "Club").Id, &calendarapi.Calendar{Summary: "Chess"}).Do(); err != nil {
					t.Fatal(err)
				}
			},
		},
		{Title: "a calendar that was made, then coloured", Tool: tool, Args: fixedArgs(args{"operation": "create", "name": "Club", "color": "sage"}), State: state, Change: look("Club", &calendarapi.CalendarListEntry{ColorId: "5"})},
		{Title: "a calendar that was coloured, and again", Tool: tool, Args: club(args{"operation": "update", "calendar": "Club", "color": "sage"}), State: state, Change: look("Club", &calendarapi.CalendarListEntry{ColorId: "5"})},
		{
			Title: "a calendar that was deleted, then made again in a color", Tool: tool, Args: club(args{"operation": "delete", "calendar": "Club"}), State: state,
			Change: func(*testing.T, bundles.Bundle, json.RawMessage) {
				(*d).ann.AddCalendar(fakecalendar.Calendar{Summary: "Club", Color: "7"})
			},
		},
		{
			Title: "a calendar that was subscribed to, then named", Tool: tool, State: state, Change: look(bob, &calendarapi.CalendarListEntry{SummaryOverride: "Bobby"}),
			Args: func(t *testing.T, _ bundles.Bundle) any {
				if err := calendarAPI(t, *d).CalendarList.Delete(bob).Do(); err != nil {
					t.Fatal(err)
				}
				return args{"operation": "subscribe", "calendar": bob}
			},
		},
		{
			Title: "a calendar that was unsubscribed from, then subscribed to and named", Tool: tool, State: state, Args: fixedArgs(args{"operation": "unsubscribe", "calendar": bob}),
			Change: func(t *testing.T, b bundles.Bundle, answer json.RawMessage) {
				listed(t, b)
				look(bob, &calendarapi.CalendarListEntry{SummaryOverride: "Bobby"})(t, b, answer)
			},
		},
	}
}
