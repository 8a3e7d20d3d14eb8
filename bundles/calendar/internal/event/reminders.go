package event

import (
	"fmt"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/timeparse"
)

// Limits of an event's reminders (Calendar API reference, Events, reminders).
const (
	maxReminders    = 5
	maxReminderLead = 4 * 7 * 24 * time.Hour
)

// readReminders reads a list such as ["10m", "1d email"], which replaces the calendar's
// default reminders. A reminder pops up unless it says email.
func readReminders(p *eventtime.Problems, list []string) *calendarapi.EventReminders {
	set := &calendarapi.EventReminders{Overrides: []*calendarapi.EventReminder{}}
	for i, text := range list {
		one := readReminder(p, fmt.Sprintf("reminders[%d]", i), text)
		if one != nil && !slices.ContainsFunc(set.Overrides, func(r *calendarapi.EventReminder) bool { return r.Method == one.Method && r.Minutes == one.Minutes }) {
			set.Overrides = append(set.Overrides, one)
		}
	}
	if len(set.Overrides) > maxReminders {
		p.Add("reminders", fmt.Sprintf("at most %d reminders", maxReminders), strings.Join(list, ", "))
	}
	return set
}

func readReminder(p *eventtime.Problems, path, text string) *calendarapi.EventReminder {
	one := &calendarapi.EventReminder{Method: "popup"}
	words := slices.DeleteFunc(strings.Fields(strings.ToLower(text)), func(word string) bool {
		if word == "email" || word == "popup" {
			one.Method = word
		}
		return word == "email" || word == "popup" || word == "before"
	})
	lead, err := timeparse.ParseLength(strings.Join(words, " "))
	switch {
	case err != nil:
		p.Add(path, `how long before the start, such as "10m", "2 hours popup" or "1d email"`, text)
		return nil
	case lead > maxReminderLead:
		p.Add(path, "at most 4 weeks before the start", text)
		return nil
	case lead%time.Minute != 0:
		p.Add(path, "whole minutes before the start", text)
		return nil
	}
	one.Minutes = int64(lead / time.Minute)
	return one
}

// WithZeroValues returns the event as it must be sent. Google's client leaves out zero
// values. Without UseDefault, Google would use the calendar's reminders. Without Minutes, a
// reminder at the start would have no time. The zero values of other fields mean the same
// if they are left out.
func WithZeroValues(e *calendarapi.Event) *calendarapi.Event {
	if e.Reminders == nil {
		return e
	}
	complete := &calendarapi.EventReminders{UseDefault: e.Reminders.UseDefault, ForceSendFields: []string{"UseDefault"}}
	if !complete.UseDefault {
		complete.ForceSendFields = append(complete.ForceSendFields, "Overrides")
	}
	for _, one := range e.Reminders.Overrides {
		complete.Overrides = append(complete.Overrides, &calendarapi.EventReminder{Method: one.Method, Minutes: one.Minutes, ForceSendFields: []string{"Minutes"}})
	}
	written := *e
	written.Reminders = complete
	return &written
}
