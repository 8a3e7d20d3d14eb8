package availability

import (
	"cmp"
	"context"
	"slices"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/slots"
	"kota/bundles/internal/timeparse"
)

// CheckArgs are the arguments of calendar_check_availability.
type CheckArgs struct {
	Start     string   `json:"start" doc:"\"2026-11-24 15:00\"; a date is the whole day"`
	End       string   `json:"end,omitempty" doc:"or the last day"`
	Duration  string   `json:"duration,omitempty" doc:"instead of end; default 1h"`
	Attendees []string `json:"attendees,omitempty" alias:"people,guests,with" doc:"besides you, as in calendar_find_slots"`
	Calendars []string `json:"calendars,omitempty" doc:"your calendars besides primary, or [\"all\"]"`
	Zone      string   `json:"timezone,omitempty"`
	Account   string   `json:"account,omitempty"`
}

// CheckResult is the result of Check.
type CheckResult struct {
	Answer string   `json:"answer"` // free: everybody is free; busy: somebody is busy; unknown: somebody's time is unknown, and nobody is busy
	When   string   `json:"when"`
	Zone   string   `json:"timezone"`
	People []Person `json:"people"`
	Next   *Slot    `json:"next_free,omitempty"` // a later time of that length at which nobody is known to be busy; nil if nobody is busy now, or if no such time was found
	Notes  []string `json:"notes,omitempty"`
}

// A Person is the status of a person at the requested time.
type Person struct {
	Who    string     `json:"who"`
	Status string     `json:"status"`           // free, busy or unknown
	Local  string     `json:"local,omitempty"`  // the time in the person's zone
	Busy   []string   `json:"busy,omitempty"`   // busy times that overlap the requested time
	Events []Conflict `json:"events,omitempty"` // for you: your events at that time, instead of Busy
	Why    string     `json:"why,omitempty"`    // the reason why the status is unknown, or ""
}

// Check finds out who is free at a time. If somebody is busy, it looks for a later time at
// which nobody is known to be busy.
func Check(ctx context.Context, a *agenda.Agenda, in CheckArgs) (CheckResult, error) {
	set, err := a.Calendars(ctx)
	if err != nil {
		return CheckResult{}, err
	}
	p := &eventtime.Problems{}
	zone := p.Zone("timezone", in.Zone, a.Zone())
	when, notes := p.Span(eventtime.Args{Start: in.Start, End: in.End, Duration: in.Duration}, eventtime.Defaults{Context: timeparse.Context{Now: a.Now(), Zone: zone}, Length: defaultMeeting})
	people := readInvitees(a, p, set, in.Attendees, nil)
	if len(p.Problems) == 0 && when.End.Sub(when.Start) > maxChecked {
		p.Add("end", "at most "+timeparse.Length(maxChecked)+" after the start", timeparse.Stamp(when.End.In(zone)))
	}
	if err := p.Err(); err != nil {
		return CheckResult{}, err
	}
	if err := addCalendars(ctx, a, people[0], set, in.Calendars); err != nil {
		return CheckResult{}, err
	}
	if err := applyDefaults(people, set, zone, nil); err != nil {
		return CheckResult{}, err
	}
	w := newSearchAfter(a, when, zone, people)
	times, ownEvents, err := readBusyAndOwn(ctx, a, set, w, when)
	if err != nil {
		return CheckResult{}, err
	}
	out := CheckResult{When: when.Words(zone), Zone: zone.String(), Notes: notes, People: []Person{}, Answer: "free"}
	for i, one := range people {
		person, unknown := one.person(times, w.days)
		w.People = append(w.People, person)
		row := availableAt(when, zone, person, unknown)
		row.Who = one.who
		if i == 0 {
			row.addOwn(ownEvents)
		}
		out.People = append(out.People, row)
		out.Answer = worseStatus(out.Answer, row.Status)
	}
	if out.Answer == "busy" {
		out.Next = w.nextSlot(when)
	}
	if out.Answer == "busy" && out.Next == nil {
		out.Notes = append(out.Notes, bundles.WithoutHiddenTools(ctx, "In the two weeks after that there is no free time of this length. calendar_find_slots searches longer and says why."))
	}
	return out, nil
}

// readBusyAndOwn reads the busy times of all people from a day before the requested time
// until w.To. At the same time it reads the user's own events at the requested time.
func readBusyAndOwn(ctx context.Context, a *agenda.Agenda, set *agenda.Set, w *slotSearch, when eventtime.Span) (times map[string]busyTime, ownEvents Conflicts, err error) {
	calendars := []*calendarapi.CalendarListEntry{}
	for _, id := range w.people[0].calendars {
		calendars = append(calendars, cmp.Or(set.Find(id), &calendarapi.CalendarListEntry{Id: id}))
	}
	both, ctx := panicsafe.WithContext(ctx, 2)
	both.Go(func() (err error) {
		times, err = busyTimes(ctx, a, calendarIDs(w.people), slots.Span{From: when.Start.Unix() - secondsPerDay, To: w.To})
		return err
	})
	both.Go(func() error {
		// An error is ignored: without the user's events the answer is still useful.
		ownEvents, _ = conflictsIn(ctx, a, set, calendars, Booking{Spans: []eventtime.Span{when}}, w.Zone)
		return nil
	})
	return times, ownEvents, both.Wait()
}

// maxBusyTimes limits the listed times per person.
const maxBusyTimes = 3

// availableAt returns the status of a person at a time.
func availableAt(when eventtime.Span, zone *time.Location, p slots.Person, unknown []UnknownTime) Person {
	row := Person{Status: "free"}
	overlaps := func(s slots.Span) bool { return s.From < when.End.Unix() && s.To > when.Start.Unix() }
	busy := slices.DeleteFunc(slices.Clone(p.Busy), func(s slots.Span) bool { return !overlaps(s) })
	switch {
	case len(busy) > 0:
		row.Status = "busy"
	case slices.ContainsFunc(p.Unknown, overlaps):
		row.Status = "unknown"
		for _, one := range unknown {
			row.Why = one.Why
		}
	}
	for _, s := range busy[:min(len(busy), maxBusyTimes)] {
		row.Busy = append(row.Busy, timeparse.Span(time.Unix(s.From, 0), time.Unix(s.To, 0), zone))
	}
	if !when.AllDay && when.OffsetIn(p.Zone) != when.OffsetIn(zone) {
		row.Local = p.Zone.String() + " " + localTime(when.Start, when.End, p.Zone)
	}
	return row
}

// addOwn replaces the busy times of the user by the user's own events, if there are any.
func (row *Person) addOwn(ownEvents Conflicts) {
	if len(ownEvents.Rows) == 0 {
		return
	}
	row.Status, row.Why, row.Busy, row.Events = "busy", "", nil, ownEvents.Rows
}

// worseStatus returns the worse of two statuses. Busy is the worst, then unknown, then
// free.
func worseStatus(a, b string) string {
	for _, status := range []string{"busy", "unknown"} {
		if a == status || b == status {
			return status
		}
	}
	return "free"
}

const (
	defaultMeeting = time.Hour
	maxChecked     = 31 * 24 * time.Hour
	secondsPerDay  = 24 * 3600
)

// defaultHours are the default working hours of Check's search for the next free time. The
// argument working_hours of find_slots has the same default.
var defaultHours = slots.Hours{{Open: 9 * 60, Close: 17 * 60}}
