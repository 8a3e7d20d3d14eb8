package agenda

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// These phrases stand for the people who see a calendar if Google does not name them.
const (
	Sharers        = "everybody who shares the calendar"
	unknownSharers = Sharers + " (KOTA has no permission to see who that is; the user can grant it with `kota auth login`)"
	everyReader    = "everybody: the calendar is public"
)

// A sharing holds the people besides the user who see the events of a calendar, according
// to Google.
type sharing struct {
	people []string
	known  bool // false if the account may not read the sharing
	readAt time.Time
}

// A sharingCache caches the sharing of calendars, because reading it costs a round trip.
type sharingCache struct {
	mu         sync.Mutex
	byCalendar map[string]sharing // keyed by calendar id
}

// sharingTTL is how long a cached sharing is used.
const sharingTTL = 5 * time.Minute

// SharersOf returns the people that a change in these calendars reaches, besides guests.
// For somebody else's calendar these are its owner and the people it is shared with. For
// one of the user's own calendars they are the people it is shared with. The primary
// calendar counts only if the session is tainted: otherwise KOTA would ask about each
// change in a calendar that a family shares.
func (a *Agenda) SharersOf(ctx context.Context, calendars ...*calendarapi.CalendarListEntry) ([]string, error) {
	ownAddresses, err := a.ownAddresses(ctx)
	if err != nil {
		return nil, err
	}
	people := []string{}
	for _, one := range calendars {
		readers, err := a.readersOf(ctx, one, ownAddresses)
		if err != nil {
			return nil, err
		}
		people = event.Union(people, readers)
	}
	return people, nil
}

// readersOf is SharersOf for one calendar. ownAddresses are the user's.
func (a *Agenda) readersOf(ctx context.Context, calendar *calendarapi.CalendarListEntry, ownAddresses []string) ([]string, error) {
	isPrimary := calendar.Primary || event.IsOneOf(calendar.Id, ownAddresses)
	if isPrimary && !bundles.HasUntrusted(ctx) {
		return nil, nil
	}
	shared, err := a.sharing(ctx, calendar.Id, ownAddresses)
	switch {
	case err != nil:
		return nil, err
	case !isPrimary && !event.IsOneOf(calendar.DataOwner, ownAddresses) && (calendar.DataOwner != "" || !IsOwned(calendar)):
		return event.Union([]string{cmp.Or(calendar.DataOwner, calendar.Id)}, shared.people), nil
	case !shared.known:
		return []string{unknownSharers}, nil
	}
	return shared.people, nil
}

// ownAddresses returns the addresses of the user's accounts.
func (a *Agenda) ownAddresses(ctx context.Context) ([]string, error) {
	accounts, err := a.Accounts()
	if err != nil {
		return nil, err
	}
	set, err := a.Calendars(ctx)
	if err != nil {
		return nil, err
	}
	ownAddresses := []string{set.Primary().Id} // for an account whose address is unknown
	for _, account := range accounts {
		if account.Address != "" {
			ownAddresses = append(ownAddresses, account.Address)
		}
	}
	return ownAddresses, nil
}

// sharing returns who sees the calendar besides the user. ownAddresses are the user's. The
// answer is at most sharingTTL old.
func (a *Agenda) sharing(ctx context.Context, calendar string, ownAddresses []string) (sharing, error) {
	a.cachedSharing.mu.Lock()
	cached, ok := a.cachedSharing.byCalendar[calendar]
	a.cachedSharing.mu.Unlock()
	if ok && a.Now().Sub(cached.readAt).Abs() < sharingTTL {
		return cached, nil
	}
	result := sharing{known: true, readAt: a.Now()}
	err := a.API.Acl.List(calendar).MaxResults(250).Pages(ctx, func(page *calendarapi.Acl) error {
		for _, rule := range page.Items {
			result.people = append(result.people, ruleReaders(rule)...)
		}
		return nil
	})
	switch metadata.CodeOf(err) {
	case metadata.ScopeMissing, metadata.Refused, metadata.NotFound:
		result = sharing{readAt: result.readAt}
	default:
		if err != nil {
			return sharing{}, fmt.Errorf("read whom the calendar is shared with: %w", err)
		}
	}
	ownAddresses = append(slices.Clip(ownAddresses), calendar) // the rules of a secondary calendar name the calendar itself as an owner
	result.people = slices.DeleteFunc(result.people, func(one string) bool { return event.IsOneOf(one, ownAddresses) })
	a.cachedSharing.mu.Lock()
	defer a.cachedSharing.mu.Unlock()
	if a.cachedSharing.byCalendar == nil {
		a.cachedSharing.byCalendar = map[string]sharing{}
	}
	a.cachedSharing.byCalendar[calendar] = result
	return result, nil
}

// ruleReaders returns who may read events because of an access rule: a person, a group, a
// domain or everybody. It returns nil for a rule that shows only busy times.
func ruleReaders(rule *calendarapi.AclRule) []string {
	switch {
	case rule.Role == "none", rule.Role == "freeBusyReader":
		return nil
	case rule.Scope == nil, rule.Scope.Type == "default", strings.TrimSpace(rule.Scope.Value) == "":
		return []string{everyReader}
	}
	return []string{rule.Scope.Value}
}

// ConfirmSubscribe asks the user before a calendar is added to the user's list, because
// text by its owner then reaches every later conversation. It does not ask for the user's
// own calendars, or for Google's own ones such as holidays.
func (a *Agenda) ConfirmSubscribe(ctx context.Context, calendar *calendarapi.CalendarListEntry) error {
	ownAddresses, err := a.ownAddresses(ctx)
	if err != nil {
		return err
	}
	if event.IsOneOf(calendar.Id, ownAddresses) || event.IsOneOf(calendar.DataOwner, ownAddresses) || strings.HasSuffix(calendar.Id, "@group.v.calendar.google.com") {
		return nil
	}
	return bundles.ConfirmSend(ctx, bundles.Outgoing{
		What: "subscription to a calendar", People: []string{cmp.Or(calendar.DataOwner, calendar.Id)}, Lines: []bundles.Line{{Name: "Calendar", Text: calendar.Id}},
	})
}

// CalendarNames returns the record of the calendar names that were given in a tainted
// session.
func (c *Agendas) CalendarNames() persist.Names {
	return persist.Names{Store: c.Stores.Names, Source: untrusted.Event, Kind: "calendar"}
}

// TitleProvenance returns the provenance of a calendar's name, or nil if the name is
// trusted. The owner of a calendar names it, but the user may override that name. A name
// that the user gave is untrusted only if it was given in a tainted session.
func (s *Set) TitleProvenance(ctx context.Context, e *calendarapi.CalendarListEntry) *untrusted.Provenance {
	ownedByOther := !IsOwned(e) || e.DataOwner != "" && !strings.EqualFold(e.DataOwner, s.Primary().Id)
	if ownedByOther && htmltext.Line(e.SummaryOverride) == "" && Title(e) != e.Id {
		return untrusted.Mark(ctx, untrusted.Event, eventtext.Cut(htmltext.Line(e.DataOwner), MaxTitle))
	}
	return s.untrustedNames.Provenance(ctx, Title(e))
}
