package agenda

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/google"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// A Set holds the calendars of an account at the time of reading. It is immutable.
type Set struct {
	List           []*calendarapi.CalendarListEntry // in Google's order
	readAt         time.Time
	untrustedNames persist.UntrustedNames // which names may contain untrusted content
}

// A calendarCache keeps the calendars of an agenda to save a round trip.
type calendarCache struct {
	mu  sync.Mutex
	set *Set // nil until it is read
}

// calendarsTTL is how long cached calendars are used. If a calendar is not among them, Find
// reads the calendars again at once.
const calendarsTTL = time.Minute

// Calendars returns the calendars of the account, at most a minute old.
func (a *Agenda) Calendars(ctx context.Context) (*Set, error) {
	a.cachedCalendars.mu.Lock()
	set := a.cachedCalendars.set
	a.cachedCalendars.mu.Unlock()
	if set != nil && a.Now().Sub(set.readAt).Abs() < calendarsTTL {
		return set, nil
	}
	return a.ReadCalendars(ctx)
}

// ReadCalendars reads the calendars from Google again. At the same time it reads which of
// their names may contain untrusted content.
func (a *Agenda) ReadCalendars(ctx context.Context) (*Set, error) {
	set := &Set{List: []*calendarapi.CalendarListEntry{}, readAt: a.Now()}
	all, ctx := panicsafe.WithContext(ctx, 2)
	all.Go(func() error { set.untrustedNames = a.CalendarNames().Untrusted(ctx, a.Account.Key()); return nil })
	all.Go(func() (err error) { set.List, err = a.fetchCalendars(ctx); return err })
	if err := all.Wait(); err != nil {
		return nil, err
	}
	if zone, err := timeparse.Zone(set.Primary().TimeZone); err == nil && a.PrimaryZone != nil {
		a.PrimaryZone(a.Account.Name, zone)
	}
	a.cachedCalendars.mu.Lock()
	defer a.cachedCalendars.mu.Unlock()
	a.cachedCalendars.set = set
	return set, nil
}

// ForgetCalendars empties the cache: the next call reads the calendars again.
func (a *Agenda) ForgetCalendars() {
	a.cachedCalendars.mu.Lock()
	defer a.cachedCalendars.mu.Unlock()
	a.cachedCalendars.set = nil
}

func (a *Agenda) fetchCalendars(ctx context.Context) ([]*calendarapi.CalendarListEntry, error) {
	list := []*calendarapi.CalendarListEntry{}
	err := a.API.CalendarList.List().ShowHidden(true).MaxResults(250).Pages(ctx, func(page *calendarapi.CalendarList) error {
		list = append(list, page.Items...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list calendars: %w", err)
	}
	return list, nil
}

// Find returns the calendar with that id or name; "" and "primary" mean the primary
// calendar. For an unlisted address, which may be somebody else's calendar, Find returns an
// entry with only its id. For any other unknown name Find returns VALIDATION_ERROR with the
// nearest name.
func (a *Agenda) Find(ctx context.Context, name string) (*calendarapi.CalendarListEntry, error) {
	return a.FindArgument(ctx, "calendar", name)
}

// FindArgument is Find for the name in the argument at path. Its errors name that path.
func (a *Agenda) FindArgument(ctx context.Context, path, name string) (*calendarapi.CalendarListEntry, error) {
	set, err := a.Calendars(ctx)
	if err != nil {
		return nil, err
	}
	if found := set.Find(name); found != nil {
		return found, nil
	}
	if name == "" || strings.EqualFold(name, Primary) {
		return set.Primary(), nil
	}
	if set, err = a.ReadCalendars(ctx); err != nil {
		return nil, err
	}
	found := set.Find(name)
	switch {
	case found != nil:
		return found, nil
	case strings.Contains(name, "@"):
		return &calendarapi.CalendarListEntry{Id: name}, nil
	}
	return nil, set.errUnknown(ctx, path, name)
}

// Find returns the calendar with that id or name, or nil. "" and "primary" mean the primary
// calendar. A name that ends with "…" may be the beginning of a calendar's name.
func (s *Set) Find(name string) *calendarapi.CalendarListEntry {
	for _, e := range s.List {
		if e.Id == name || e.Primary && (name == "" || strings.EqualFold(name, Primary)) {
			return e
		}
	}
	for _, e := range s.List {
		if strings.EqualFold(Title(e), name) || strings.EqualFold(e.Id, name) {
			return e
		}
	}
	return s.findShortened(name)
}

// WithID returns the calendar with that id, or nil. Google ignores the case of ids.
func (s *Set) WithID(id string) *calendarapi.CalendarListEntry {
	at := slices.IndexFunc(s.List, func(e *calendarapi.CalendarListEntry) bool { return strings.EqualFold(e.Id, id) })
	if at < 0 {
		return nil
	}
	return s.List[at]
}

// findShortened returns the calendar whose shortened name is the given one, which ends with
// "…". It returns nil if no calendar or several match.
func (s *Set) findShortened(name string) *calendarapi.CalendarListEntry {
	start, short := strings.CutSuffix(name, "…")
	if !short || start == "" {
		return nil
	}
	var found *calendarapi.CalendarListEntry
	for _, e := range s.List {
		if strings.HasPrefix(Title(e), start) {
			if found != nil {
				return nil
			}
			found = e
		}
	}
	return found
}

// Label returns a short name of the calendar for rows. [Set.Find] accepts it, unless
// several shortened names are the same.
func Label(e *calendarapi.CalendarListEntry) string {
	if e.Primary {
		return Primary
	}
	return budget.Brief(Title(e), eventtext.MaxName)
}

// Title returns the name that the user gave the calendar, or else the name that its owner
// gave it, made safe for display. Without a name it returns the id.
func Title(e *calendarapi.CalendarListEntry) string {
	if name := htmltext.Line(e.SummaryOverride); name != "" {
		return name
	}
	if name := htmltext.Line(e.Summary); name != "" {
		return name
	}
	return e.Id
}

func (s *Set) errUnknown(ctx context.Context, path, name string) error {
	names := []string{}
	for _, e := range s.List {
		names = append(names, Title(e))
		s.TitleProvenance(ctx, e)
	}
	problem := metadata.Problem{Path: path, Expected: "a calendar's name or id", Got: strconv.QuoteToASCII(arguments.Brief(name))}
	if near := metadata.Nearest(name, names, 1); len(near) > 0 {
		problem.Suggestion = near[0]
	}
	return metadata.Invalid([]metadata.Problem{problem}).WithHint("Take the calendar from calendar_list_calendars: %s.", JoinNames(names))
}

// ZoneOf returns the zone in which Google counts the whole days of the calendar: its own,
// or else the user's.
func (a *Agenda) ZoneOf(e *calendarapi.CalendarListEntry) *time.Location {
	if zone, err := timeparse.Zone(e.TimeZone); err == nil {
		return zone
	}
	return a.Zone()
}

// IsOwned reports whether the user has all rights on the calendar.
func IsOwned(e *calendarapi.CalendarListEntry) bool { return e.AccessRole == "owner" }

// ShortTitle returns the name of a calendar, shortened to eventtext.MaxTitle tokens.
func ShortTitle(e *calendarapi.CalendarListEntry) string {
	return budget.Brief(htmltext.Line(cmp.Or(Title(e), e.Id)), eventtext.MaxTitle)
}

// MaxTitle is the maximum length of the name of a calendar or its owner in a list of
// calendars, in characters.
const MaxTitle = 100

// Primary returns the account's primary calendar. If the list does not contain it, the
// entry has only the id "primary", and Primary is true.
func (s *Set) Primary() *calendarapi.CalendarListEntry {
	if found := s.Find(Primary); found != nil {
		return found
	}
	return &calendarapi.CalendarListEntry{Id: Primary, Primary: true}
}

// KnownZone returns the zone of the calendar with that id. It returns nil and true if the
// zone is unknown.
func (s *Set) KnownZone(id string) (zone *time.Location, unknown bool) {
	if e := s.Find(id); e != nil {
		if zone, err := timeparse.Zone(e.TimeZone); err == nil {
			return zone, false
		}
	}
	return nil, true
}

// FindWritable returns the calendar with that id or name. It returns REFUSED if the
// account may only read it.
func (a *Agenda) FindWritable(ctx context.Context, name string) (*calendarapi.CalendarListEntry, error) {
	found, err := a.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	return found, CheckWritable(ctx, found)
}

// CheckWritable returns REFUSED if the account may only read the calendar.
func CheckWritable(ctx context.Context, calendar *calendarapi.CalendarListEntry) error {
	if !IsReadOnly(calendar) {
		return nil
	}
	untrusted.Mark(ctx, untrusted.Event, "") // the error quotes the calendar's name, which its owner chose
	return metadata.Errorf(metadata.Refused, "the user may only read the calendar %s", strconv.Quote(htmltext.Line(Title(calendar)))).
		WithHint("Choose another calendar from calendar_list_calendars, or ask the owner of this one for permission to change it.")
}

// IsReadOnly reports whether the account may not change the calendar.
func IsReadOnly(calendar *calendarapi.CalendarListEntry) bool {
	return calendar.AccessRole == "reader" || calendar.AccessRole == "freeBusyReader"
}

const (
	// MaxPages limits how many pages a check for conflicts or a count of events reads from
	// a calendar. A page has PageSize events.
	MaxPages = 4
	PageSize = 2500
)

// ReadPrimary returns the primary calendar of the account that authorised client.
func ReadPrimary(ctx context.Context, client *http.Client, endpoint string) (*calendarapi.CalendarListEntry, error) {
	client = google.Client(client, google.Options{Endpoint: endpoint})
	return google.NewCalendar(client, endpoint).CalendarList.Get(Primary).Context(ctx).Do()
}
