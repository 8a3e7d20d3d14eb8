package fakecalendar

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// What of a text says when: the day, and the time with the end or the length.
var (
	quickDay   = regexp.MustCompile(`(?i)\b(?:on )?(today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{4}-\d{2}-\d{2})\b`)
	quickTime  = regexp.MustCompile(`(?i)\b(?:at |from )?(\d{1,2})(?::(\d{2}))? ?(am|pm)?(?: ?(?:-|to|until) ?(\d{1,2})(?::(\d{2}))? ?(am|pm)?)?\b`)
	quickPlace = regexp.MustCompile(`(?i)\s+(?:at|in) ([^\d].*)$`)
)

// quickAdd makes an event of a text such as "Lunch with Ann tomorrow 12:00" or
// "Fair 2026-05-01 at the hall". It is far simpler than Google's: a text that
// names no day is of today, one that names no time is of the whole day.
func quickAdd(c *fakeapi.Call) (any, error) {
	e, _, err := newEdit(c, "writerWithoutPrivateAccess")
	if err != nil {
		return nil, err
	}
	text := strings.Join(strings.Fields(c.Query.Get("text")), " ")
	if text == "" {
		return nil, missing("Missing text.")
	}
	e.event, e.inserted = &fakeEvent{id: e.calendar.newEventID()}, true
	e.next = e.calendar.blank(e.event.id+"@google.com", c.Account.Address)
	text, day := e.calendar.quickDate(text)
	text = e.quickWhen(text, day)
	if found := quickPlace.FindStringSubmatch(text); found != nil {
		e.next["location"] = found[1]
		text = strings.TrimSuffix(text, found[0])
	}
	e.next["summary"] = strings.TrimSpace(text)
	return e.commit(fakeapi.Object{})
}

// quickDate takes the day out of the text.
func (c *fakeCalendar) quickDate(text string) (string, time.Time) {
	now := c.server.Now().In(c.zone())
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	found := quickDay.FindStringSubmatch(text)
	if found == nil {
		return text, today
	}
	rest := strings.Join(strings.Fields(strings.Replace(text, found[0], "", 1)), " ")
	switch word := strings.ToLower(found[1]); word {
	case "today":
		return rest, today
	case "tomorrow":
		return rest, today.AddDate(0, 0, 1)
	default:
		if day, err := time.Parse(time.DateOnly, word); err == nil {
			return rest, day
		}
		for ahead := range 7 {
			if day := today.AddDate(0, 0, ahead); strings.EqualFold(day.Weekday().String(), word) {
				return rest, day
			}
		}
		return text, today // such as 2026-13-40
	}
}

// quickWhen takes the time out of the text and gives it to the event.
func (e *edit) quickWhen(text string, day time.Time) string {
	found := quickTime.FindStringSubmatch(text)
	if found == nil {
		e.next["start"] = fakeapi.Object{"date": day.Format(time.DateOnly)}
		e.next["end"] = fakeapi.Object{"date": day.AddDate(0, 0, 1).Format(time.DateOnly)}
		return text
	}
	zone := e.calendar.zone()
	at := func(hour, minute, half string) time.Time {
		h, _ := strconv.Atoi(hour) // digits
		m, _ := strconv.Atoi(minute)
		if strings.EqualFold(half, "pm") && h < 12 {
			h += 12
		}
		return time.Date(day.Year(), day.Month(), day.Day(), h, m, 0, 0, zone)
	}
	start := at(found[1], found[2], found[3])
	end := start.Add(time.Hour)
	if found[4] != "" {
		end = at(found[4], found[5], found[6])
	}
	e.next["start"] = fakeapi.Object{"dateTime": start.Format(time.RFC3339), "timeZone": zone.String()}
	e.next["end"] = fakeapi.Object{"dateTime": end.Format(time.RFC3339), "timeZone": zone.String()}
	return strings.Join(strings.Fields(strings.Replace(text, found[0], "", 1)), " ")
}
