package calendar

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// A calendarSet is an account's calendars as they were when they were read. It
// does not change.
type calendarSet struct {
	list  []*calendarapi.CalendarListEntry // in Google's order
	read  time.Time
	whose persist.Theirs // which names may be the words of strangers
}

// A calendarCache keeps the calendars of an agenda. Reading them costs a round
// trip.
type calendarCache struct {
	mu  sync.Mutex
	set *calendarSet // nil until it is read
}

// calendarsFresh is how long calendars are believed. A call that misses one
// reads them again before it says so.
const calendarsFresh = time.Minute

// calendars returns the calendars of the account, which may be a minute old.
func (a *agenda) calendars(ctx context.Context) (*calendarSet, error) {
	a.known.mu.Lock()
	set := a.known.set
	a.known.mu.Unlock()
	if set != nil && a.Now().Sub(set.read).Abs() < calendarsFresh {
		return set, nil
	}
	return a.readCalendars(ctx)
}

// readCalendars reads the calendars again, and at the same time whose their names
// are.
func (a *agenda) readCalendars(ctx context.Context) (*calendarSet, error) {
	set := &calendarSet{list: []*calendarapi.CalendarListEntry{}, read: a.Now()}
	all, ctx := panicsafe.WithContext(ctx, 2)
	all.Go(func() error { set.whose = a.namesOf().Theirs(ctx, a.account.Key()); return nil })
	all.Go(func() (err error) { set.list, err = a.fetchCalendars(ctx); return err })
	if err := all.Wait(); err != nil {
		return nil, err
	}
	if zone, err := timeparse.Zone(set.main().TimeZone); err == nil && a.PrimaryZone != nil {
		a.PrimaryZone(a.account.Name, zone)
	}
	a.known.mu.Lock()
	defer a.known.mu.Unlock()
	a.known.set = set
	return set, nil
}

// forgetCalendars makes the next call read them.
func (a *agenda) forgetCalendars() {
	a.known.mu.Lock()
	defer a.known.mu.Unlock()
	a.known.set = nil
}

func (a *agenda) fetchCalendars(ctx context.Context) ([]*calendarapi.CalendarListEntry, error) {
	list := []*calendarapi.CalendarListEntry{}
	err := a.api.CalendarList.List().ShowHidden(true).MaxResults(250).Pages(ctx, func(page *calendarapi.CalendarList) error {
		list = append(list, page.Items...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list calendars: %w", err)
	}
	return list, nil
}

// find returns the calendar of that id or name; "" and "primary" mean the
// main one. An address that is not in the list may be somebody else's calendar:
// it is returned with nothing known but its id. Any other name answers
// VALIDATION_ERROR with the nearest ones.
func (a *agenda) find(ctx context.Context, name string) (*calendarapi.CalendarListEntry, error) {
	return a.findAt(ctx, "calendar", name)
}

// findAt is find for a name that stands in the argument at path.
func (a *agenda) findAt(ctx context.Context, path, name string) (*calendarapi.CalendarListEntry, error) {
	set, err := a.calendars(ctx)
	if err != nil {
		return nil, err
	}
	if found := set.find(name); found != nil {
		return found, nil
	}
	if name == "" || strings.EqualFold(name, primary) {
		return set.main(), nil
	}
	if set, err = a.readCalendars(ctx); err != nil {
		return nil, err
	}
	found := set.find(name)
	switch {
	case found != nil:
		return found, nil
	case strings.Contains(name, "@"):
		return &calendarapi.CalendarListEntry{Id: name}, nil
	}
	return nil, set.unknown(ctx, path, name)
}

// find returns the calendar of that id or name, nil when there is none.
func (s *calendarSet) find(name string) *calendarapi.CalendarListEntry {
	for _, e := range s.list {
		if e.Id == name || e.Primary && (name == "" || strings.EqualFold(name, primary)) {
			return e
		}
	}
	for _, e := range s.list {
		if strings.EqualFold(titleOf(e), name) || strings.EqualFold(e.Id, name) {
			return e
		}
	}
	return s.labelled(name)
}

// withID returns the calendar of that id, nil when there is none. Google ignores
// the case of ids.
func (s *calendarSet) withID(id string) *calendarapi.CalendarListEntry {
	at := slices.IndexFunc(s.list, func(e *calendarapi.CalendarListEntry) bool { return strings.EqualFold(e.Id, id) })
	if at < 0 {
		return nil
	}
	return s.list[at]
}

// labelled returns the calendar that a row calls by that name, shortened as rows
// have it. It returns nil when it may be one of several.
func (s *calendarSet) labelled(name string) *calendarapi.CalendarListEntry {
	start, short := strings.CutSuffix(name, "…")
	if !short || start == "" {
		return nil
	}
	var found *calendarapi.CalendarListEntry
	for _, e := range s.list {
		if strings.HasPrefix(titleOf(e), start) {
			if found != nil {
				return nil
			}
			found = e
		}
	}
	return found
}

// labelOf is how a row calls the calendar, in a few tokens: find finds it by
// that.
func labelOf(e *calendarapi.CalendarListEntry) string {
	if e.Primary {
		return primary
	}
	return budget.Brief(titleOf(e), eventtext.MaxName)
}

// titleOf is what the user calls the calendar: its owner's words are made safe.
func titleOf(e *calendarapi.CalendarListEntry) string {
	if name := htmltext.Line(e.SummaryOverride); name != "" {
		return name
	}
	if name := htmltext.Line(e.Summary); name != "" {
		return name
	}
	return e.Id
}

func (s *calendarSet) unknown(ctx context.Context, path, name string) error {
	names := []string{}
	for _, e := range s.list {
		names = append(names, titleOf(e))
		s.whoseName(ctx, e)
	}
	problem := metadata.Problem{Path: path, Expected: "a calendar's name or id", Got: strconv.QuoteToASCII(arguments.Brief(name))}
	if near := metadata.Nearest(name, names, 1); len(near) > 0 {
		problem.Suggestion = near[0]
	}
	return metadata.Invalid([]metadata.Problem{problem}).WithHint("Take the calendar from calendar_list_calendars: %s.", listed(names))
}

// zoneOf is the zone of the calendar's whole days for Google: its own, else the
// user's.
func (a *agenda) zoneOf(e *calendarapi.CalendarListEntry) *time.Location {
	if zone, err := timeparse.Zone(e.TimeZone); err == nil {
		return zone
	}
	return a.Zone()
}

// isOwned reports whether the user may do everything with the calendar.
func isOwned(e *calendarapi.CalendarListEntry) bool { return e.AccessRole == "owner" }

// nameFor is how answers call a calendar.
func nameFor(e *calendarapi.CalendarListEntry) string {
	return budget.Brief(htmltext.Line(cmp.Or(titleOf(e), e.Id)), eventtext.MaxTitle)
}

// mostOfCalendar is what is shown of a calendar's name, in characters.
const mostOfCalendar = 100

// main is the account's main calendar, also where the list does not show it.
func (s *calendarSet) main() *calendarapi.CalendarListEntry {
	if found := s.find(primary); found != nil {
		return found
	}
	return &calendarapi.CalendarListEntry{Id: primary, Primary: true}
}

// knownZone returns the zone of the calendar with that id where the list has it,
// or else nil, and that it is not known.
func (s *calendarSet) knownZone(id string) (zone *time.Location, unknown bool) {
	if e := s.find(id); e != nil {
		if zone, err := timeparse.Zone(e.TimeZone); err == nil {
			return zone, false
		}
	}
	return nil, true
}

// writable returns the calendar of that id or name. It answers REFUSED for one
// that the account may only read.
func (a *agenda) writable(ctx context.Context, name string) (*calendarapi.CalendarListEntry, error) {
	found, err := a.find(ctx, name)
	if err != nil {
		return nil, err
	}
	return found, mayWrite(ctx, found)
}

// mayWrite refuses to change anything in a calendar that the account may only
// read.
func mayWrite(ctx context.Context, in *calendarapi.CalendarListEntry) error {
	if !isReadAlone(in) {
		return nil
	}
	untrusted.By(ctx, untrusted.Event, "") // its owner has named it
	return metadata.Errorf(metadata.Refused, "the calendar %s is shared with the user for reading alone", strconv.Quote(htmltext.Line(titleOf(in)))).
		WithHint("Choose another calendar from calendar_list_calendars, or ask its owner for the right to make changes.")
}

// isReadAlone reports whether the account may change nothing in the calendar.
func isReadAlone(in *calendarapi.CalendarListEntry) bool {
	return in.AccessRole == "reader" || in.AccessRole == "freeBusyReader"
}

const (

	// mostPages of a calendar are read: 10,000 events.
	mostPages = 4
	pageSize  = 2500
)
