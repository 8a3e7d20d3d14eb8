// Package availability finds out when people are free. It finds times to meet, checks who
// is free at a time, and finds the conflicts of an event. The time of a calendar that
// cannot be read is unknown, never free. Start with [FindSlots], [Check] and
// [FindConflicts].
package availability

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/internal/budget"
)

// SlotsArgs are the arguments of calendar_find_slots.
type SlotsArgs struct {
	Duration  string   `json:"duration,omitempty" default:"1h"`
	Attendees []string `json:"attendees,omitempty" alias:"people,guests,with" doc:"besides you: \"ann@x.com\", or with zone and hours \"ann@x.com America/New_York 10:00-18:00\""`
	Optional  []string `json:"optional_attendees,omitempty"`
	Calendars []string `json:"calendars,omitempty" doc:"your calendars besides primary, or [\"all\"]"`
	From      string   `json:"from,omitempty" doc:"\"tomorrow\", \"2026-11-24\"; default now"`
	To        string   `json:"to,omitempty" doc:"included; default 2 weeks"`
	Hours     string   `json:"working_hours,omitempty" default:"09:00-17:00" doc:"in each person's zone: \"09:00-12:00,13:00-17:00\""`
	Days      []string `json:"days,omitempty" doc:"default mon to fri"`
	Buffer    string   `json:"buffer,omitempty" doc:"free before and after: \"15m\""`
	Notice    string   `json:"min_notice,omitempty" doc:"\"4h\""`
	Zone      string   `json:"timezone,omitempty" doc:"yours"`
	Limit     int      `json:"limit,omitempty" alias:"max_results,count" default:"10" min:"1" max:"50"`
	Account   string   `json:"account,omitempty"`
}

// Slots are the times at which people can meet.
type Slots struct {
	Warning  string        `json:"warning,omitempty"` // a required person's time is unknown
	Slots    []Slot        `json:"slots"`             // ordered as in slots.Search.Find
	More     int           `json:"more,omitempty"`    // number of slots that are left out
	WhyNone  string        `json:"why_none,omitempty"`
	Next     string        `json:"next,omitempty"`
	Zone     string        `json:"timezone"`
	Searched string        `json:"searched"`
	Checked  string        `json:"checked"`
	Unknown  []UnknownTime `json:"unknown,omitempty"`      // people and calendars that cannot be read; never treated as free
	Assumed  []string      `json:"assumed_zone,omitempty"` // people whose zone is assumed to be yours
}

// A Slot is free time. The meeting may start at Start and every quarter of an hour after
// it, until Latest.
type Slot struct {
	Start       string   `json:"start"`
	When        string   `json:"when"`
	Latest      string   `json:"latest_start,omitempty"` // time of day, on the same day
	Local       []string `json:"local,omitempty"`        // the time in the other people's zones
	Unconfirmed []string `json:"unconfirmed,omitempty"`  // people whose time is unknown
	Without     []string `json:"without,omitempty"`      // optional people who cannot come
}

// FindSlots returns times at which no required person is known to be busy. Without such a
// time it returns the reasons.
func FindSlots(ctx context.Context, a *agenda.Agenda, in SlotsArgs) (Slots, error) {
	set, err := a.Calendars(ctx)
	if err != nil {
		return Slots{}, err
	}
	search, err := readSlotSearch(a, set, in)
	if err != nil {
		return Slots{}, err
	}
	if err := addCalendars(ctx, a, search.people[0], set, in.Calendars); err != nil {
		return Slots{}, err
	}
	if err := applyDefaults(search.people, set, search.Zone, search.hours); err != nil {
		return Slots{}, err
	}
	times, err := busyTimes(ctx, a, calendarIDs(search.people), search.busyRange())
	if err != nil {
		return Slots{}, err
	}
	out := Slots{
		Zone: search.Zone.String(), Checked: search.checkedWords(),
		Searched: search.searchedWords(),
	}
	for _, one := range search.people {
		person, unknown := one.person(times, search.days)
		search.People = append(search.People, person)
		out.Unknown = append(out.Unknown, unknown...)
		if one.zoneAssumed {
			out.Assumed = append(out.Assumed, one.who)
		}
	}
	found := search.Find()
	out.Slots = search.rows(found[:min(len(found), in.Limit)])
	out.Warning = search.warning()
	if bundles.Offered(ctx, "calendar_create_event") {
		out.Next = search.nextStep()
	}
	if out.Warning != "" && allUnconfirmed(found) {
		out.Warning = "No slot is confirmed, because it is unknown when the people in unknown are busy. Ask them before you treat a slot as agreed."
		for i := range out.Slots {
			out.Slots[i].Unconfirmed = nil
		}
	}
	for len(out.Slots) > 1 && budget.Size(out) > budget.DefaultSize {
		out.Slots = out.Slots[:len(out.Slots)/2]
	}
	out.More = len(found) - len(out.Slots)
	if len(found) == 0 {
		out.WhyNone, out.Next = search.whyNone(), ""
	}
	return out, nil
}
