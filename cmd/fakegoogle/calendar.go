package main

import (
	"time"

	"kota/bundles/bundletest"
)

// zone is the owner's time zone.
const zone = "Europe/London"

// appointment is an event of the sample calendars, in the API's JSON.
type appointment = map[string]any

// fillCalendars fills the calendars of the owner and of the colleagues with
// events around now.
func fillCalendars(google *bundletest.Google, now time.Time) {
	u, mara, sasha := google.User(owner), google.User("mara@example.com"), google.User("sasha@example.com")
	u.SetZone(zone)
	mara.SetZone("Europe/Stockholm")
	sasha.SetZone("America/New_York")
	monday := now.AddDate(0, 0, -int(now.Weekday()+6)%7)
	inDays := func(days int) time.Time { return now.AddDate(0, 0, days) }

	u.AddEvent("primary", withFields(timedEvent(monday, "10:00", 30*time.Minute, "Bakery stand-up"), appointment{
		"recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO,TH"},
		"attendees":  guests(owner, "mara@example.com", "sasha@example.com"),
		"conferenceData": appointment{"createRequest": appointment{
			"requestId": "stand-up", "conferenceSolutionKey": appointment{"type": "hangoutsMeet"}}},
	}))
	u.AddEvent("primary", withFields(timedEvent(inDays(6), "08:20", 40*time.Minute, "Dentist"), appointment{"location": "Dr. Okafor, 12 Harbour Street"}))
	u.AddEvent("primary", withFields(timedEvent(inDays(20), "07:35", 165*time.Minute, "Flight LU 482 to Lisbon"), appointment{"description": "Booking K7QX2P"}))
	u.AddEvent("primary", allDay(inDays(20), 3, "Lisbon"))
	u.AddEvent("primary", withFields(allDay(inDays(4), 1, "Mum's birthday"), appointment{
		"recurrence": []string{"RRULE:FREQ=YEARLY"}, "transparency": "transparent",
	}))
	u.AddEvent("primary", withFields(timedEvent(inDays(1), "14:00", 2*time.Hour, "Recipes for the book"), appointment{
		"eventType": "focusTime", "focusTimeProperties": appointment{"chatStatus": "doNotDisturb"},
	}))
	u.AddEvent("primary", withFields(timedEvent(inDays(2), "18:00", 90*time.Minute, "Climbing"), appointment{
		"attendees": guests(owner, "leo@friends.example"), "colorId": "10",
	}))

	mara.AddEvent("primary", withFields(timedEvent(inDays(3), "15:00", time.Hour, "New oven: which one?"), appointment{
		"attendees": guests("mara@example.com", owner), "description": "Offers are in the mail. <b>Bring numbers.</b>",
	}))
	mara.ShareCalendar("primary", owner, "freeBusyReader")
	mara.AddEvent("primary", timedEvent(inDays(1), "09:00", 3*time.Hour, "Bank"))

	shop := u.AddCalendar(bundletest.GoogleCalendar{Summary: "Bakery", Color: "7"})
	u.ShareCalendar(shop, "sasha@example.com", "writer")
	u.AddEvent(shop, withFields(timedEvent(inDays(0), "06:00", 90*time.Minute, "Flour delivery"), appointment{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=12"}}))
	u.AddEvent(shop, allDay(inDays(9), 2, "Closed: spring market"))
	town := u.AddCalendar(bundletest.GoogleCalendar{Summary: "Town events", Role: "reader", Color: "3"})
	u.AddEvent(town, withFields(timedEvent(inDays(5), "19:00", 2*time.Hour, "Council meeting"), appointment{"location": "Town hall"}))
}

// timedEvent returns an event on the day of date. The event begins at clock, such as
// "10:00", in the owner's zone.
func timedEvent(date time.Time, clock string, length time.Duration, summary string) appointment {
	start, err := time.Parse("2006-01-02 15:04", date.Format(time.DateOnly)+" "+clock)
	if err != nil {
		panic(err) // the clock of a sample event is invalid
	}
	local := func(t time.Time) appointment {
		return appointment{"dateTime": t.Format("2006-01-02T15:04:05"), "timeZone": zone}
	}
	return appointment{"summary": summary, "start": local(start), "end": local(start.Add(length))}
}

// allDay returns an event that begins on start and lasts the given number of whole
// days.
func allDay(start time.Time, days int, summary string) appointment {
	return appointment{
		"summary": summary,
		"start":   appointment{"date": start.Format(time.DateOnly)},
		"end":     appointment{"date": start.AddDate(0, 0, days).Format(time.DateOnly)},
	}
}

func withFields(event, more appointment) appointment {
	for name, value := range more {
		event[name] = value
	}
	return event
}

func guests(addresses ...string) []appointment {
	var all []appointment
	for _, address := range addresses {
		all = append(all, appointment{"email": address})
	}
	return all
}
