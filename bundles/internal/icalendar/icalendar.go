// Package icalendar reads the invitations that calendars send each other:
// iCalendar files (RFC 5545) with an iTIP method (RFC 5546).
//
// The files come by mail, from anybody. The package reads what makes sense in
// any input, in time linear in its size, and never panics. It returns texts
// unchanged: they are untrusted content.
package icalendar

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/panicsafe"
)

// MaxBytes is the maximum size of a file that is read.
const MaxBytes = 1 << 20

// Invitation is the content of a file.
type Invitation struct {
	Method string  // REQUEST, CANCEL, PUBLISH, REPLY, COUNTER and so on; "" without one
	Events []Event // at least one
}

// Event is an event in a file: a single event, a series, or one instance of a
// series that differs from it.
type Event struct {
	UID           string
	Sequence      int64
	Cancelled     bool
	Free          bool // it does not block the time
	Summary       string
	Location      string
	Description   string
	Organizer     Person
	Attendees     []Person
	Start, End    Time     // End is the first moment or day after the event
	OriginalStart Time     // for an instance: its original time in the series; otherwise zero
	Recurrence    []string // lines of RRULE, EXDATE and RDATE; the EXDATE and RDATE lines have times in UTC
	// TimeProblem says why the times are unreliable, or is "".
	TimeProblem string
}

// Person is a person in an event. The address is valid, or "".
type Person struct {
	Address, Name string
	Answer        string // the PARTSTAT: ACCEPTED, NEEDS-ACTION and so on
	Optional      bool
}

// ErrNone is the error for a file that has no event with a UID, is not
// iCalendar, or is too large.
var ErrNone = errors.New("it is not a calendar file with an event")

// Read returns the content of a file. Times without a zone are in the zone that
// the file names (X-WR-TIMEZONE), or else in defaultZone. The error is or wraps
// ErrNone.
func Read(file []byte, defaultZone *time.Location) (Invitation, error) {
	if len(file) > MaxBytes {
		return Invitation{}, fmt.Errorf("%w: it is larger than 1 MB", ErrNone)
	}
	lines, err := wantedLines(file)
	if err != nil {
		return Invitation{}, err
	}
	var read *ical.Calendar
	// The decoder panics on some invalid lines.
	if err := panicsafe.Do(func() (err error) { read, err = ical.NewDecoder(bytes.NewReader(lines)).Decode(); return err }); err != nil {
		return Invitation{}, ErrNone
	}
	r := reader{zone: defaultZone, zoneLocations: zoneLocations(read)}
	if r.zoneOf(value(read.Props, "X-WR-TIMEZONE")) != nil {
		r.zone = r.zoneOf(value(read.Props, "X-WR-TIMEZONE"))
	}
	in := Invitation{Method: strings.ToUpper(strings.TrimSpace(value(read.Props, ical.PropMethod)))}
	for _, e := range read.Events() {
		if event := r.event(e.Props); event.UID != "" && len(in.Events) < maxEvents {
			in.Events = append(in.Events, event)
		}
	}
	if len(in.Events) == 0 {
		return Invitation{}, ErrNone
	}
	return in, nil
}

const (
	maxEvents = 100
	maxPeople = 500 // of one event
)

// reader reads the events of one file.
type reader struct {
	zone          *time.Location    // for times that name no zone
	zoneLocations map[string]string // the result of zoneLocations
}

func (r reader) event(props ical.Props) Event {
	e := Event{
		UID: strings.TrimSpace(value(props, ical.PropUID)), Summary: text(props, ical.PropSummary), Location: text(props, ical.PropLocation),
		Description: text(props, ical.PropDescription), Cancelled: strings.EqualFold(value(props, ical.PropStatus), "CANCELLED"),
		Free: strings.EqualFold(value(props, ical.PropTransparency), "TRANSPARENT"),
	}
	e.Sequence, _ = strconv.ParseInt(value(props, ical.PropSequence), 10, 32)
	if organizer := props.Get(ical.PropOrganizer); organizer != nil {
		e.Organizer = personOf(organizer)
	}
	for _, p := range props.Values(ical.PropAttendee) {
		if person := personOf(&p); person.Address != "" && len(e.Attendees) < maxPeople {
			e.Attendees = append(e.Attendees, person)
		}
	}
	r.times(&e, props)
	return e
}

// personOf reads a person of an event. It drops invalid addresses: some
// programs write "invalid:nomail".
func personOf(p *ical.Prop) Person {
	person := Person{
		Name: p.Params.Get(ical.ParamCommonName), Answer: strings.ToUpper(p.Params.Get(ical.ParamParticipationStatus)),
		Optional: strings.EqualFold(p.Params.Get(ical.ParamRole), "OPT-PARTICIPANT"),
	}
	address := strings.TrimSpace(p.Value)
	const scheme = "mailto:"
	if len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
		address = address[len(scheme):]
	}
	if read, err := mailmsg.ParseAddress(address); err == nil {
		person.Address = read.Address
	}
	return person
}

func value(props ical.Props, name string) string {
	if p := props.Get(name); p != nil {
		return p.Value
	}
	return ""
}

// text returns a text with its escapes decoded (RFC 5545 section 3.3.11).
func text(props ical.Props, name string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";").Replace(value(props, name))
}

// zoneLocations returns the X-LIC-LOCATION of each zone that the file
// describes, by TZID. The value is "" for a zone without an X-LIC-LOCATION.
func zoneLocations(read *ical.Calendar) map[string]string {
	found := map[string]string{}
	for _, c := range read.Children {
		if name := value(c.Props, ical.PropTimezoneID); c.Name == ical.CompTimezone && name != "" {
			found[name] = value(c.Props, "X-LIC-LOCATION")
		}
	}
	return found
}

// MainEvent returns the event that an invitation is about: the event or series
// itself. If the file has only one changed instance of a series, it returns
// that. It reports false if the file has several events, or only several
// instances of a series.
func (in Invitation) MainEvent() (Event, bool) {
	first := in.Events[0]
	if slices.ContainsFunc(in.Events, func(e Event) bool { return e.UID != first.UID }) {
		return Event{}, false
	}
	for _, e := range in.Events {
		if e.OriginalStart.IsZero() {
			return e, true
		}
	}
	return first, len(in.Events) == 1
}
