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

// Who sees a calendar, where Google names nobody.
const (
	Sharers        = "everybody whom the calendar is shared with"
	unknownSharers = Sharers + " (KOTA may not see who that is: the user can allow it with `kota auth login`)"
	everyReader    = "everybody: the calendar is public"
)

// A sharing is who sees the events of a calendar, as Google told it.
type sharing struct {
	people []string
	known  bool // false where the account may not ask
	read   time.Time
}

// A sharingCache keeps who sees which calendar. Reading it costs a round trip.
type sharingCache struct {
	mu sync.Mutex
	by map[string]sharing // calendar id
}

// sharingFresh is how long a sharing is believed.
const sharingFresh = 5 * time.Minute

// SharersOf returns whom a change in these calendars reaches, guests apart. A
// calendar of somebody else's reaches its owner and those it is shared with, and
// one of the user's those it is shared with. The main calendar counts only once
// the words of strangers came into the session. Otherwise KOTA would ask about each
// change where a household shares its calendar.
func (a *Agenda) SharersOf(ctx context.Context, calendars ...*calendarapi.CalendarListEntry) ([]string, error) {
	own, err := a.ownAddresses(ctx)
	if err != nil {
		return nil, err
	}
	people := []string{}
	for _, one := range calendars {
		readers, err := a.readersOf(ctx, one, own)
		if err != nil {
			return nil, err
		}
		people = event.Union(people, readers)
	}
	return people, nil
}

// readersOf is sharersOf for one calendar. own are the user's addresses.
func (a *Agenda) readersOf(ctx context.Context, of *calendarapi.CalendarListEntry, own []string) ([]string, error) {
	main := of.Primary || event.IsOneOf(of.Id, own)
	if main && !bundles.HasUntrusted(ctx) {
		return nil, nil
	}
	shared, err := a.sharing(ctx, of.Id, own)
	switch {
	case err != nil:
		return nil, err
	case !main && !event.IsOneOf(of.DataOwner, own) && (of.DataOwner != "" || !IsOwned(of)):
		return event.Union([]string{cmp.Or(of.DataOwner, of.Id)}, shared.people), nil
	case !shared.known:
		return []string{unknownSharers}, nil
	}
	return shared.people, nil
}

// ownAddresses are those of the user's accounts.
func (a *Agenda) ownAddresses(ctx context.Context) ([]string, error) {
	accounts, err := a.Accounts()
	if err != nil {
		return nil, err
	}
	set, err := a.Calendars(ctx)
	if err != nil {
		return nil, err
	}
	own := []string{set.Main().Id} // of an account whose address is not known
	for _, account := range accounts {
		if account.Address != "" {
			own = append(own, account.Address)
		}
	}
	return own, nil
}

// sharing returns who else sees the calendar. It may be some minutes old.
func (a *Agenda) sharing(ctx context.Context, calendar string, own []string) (sharing, error) {
	a.shared.mu.Lock()
	known, ok := a.shared.by[calendar]
	a.shared.mu.Unlock()
	if ok && a.Now().Sub(known.read).Abs() < sharingFresh {
		return known, nil
	}
	read := sharing{known: true, read: a.Now()}
	err := a.API.Acl.List(calendar).MaxResults(250).Pages(ctx, func(page *calendarapi.Acl) error {
		for _, rule := range page.Items {
			read.people = append(read.people, readersBy(rule)...)
		}
		return nil
	})
	switch metadata.CodeOf(err) {
	case metadata.ScopeMissing, metadata.Refused, metadata.NotFound:
		read = sharing{read: read.read}
	default:
		if err != nil {
			return sharing{}, fmt.Errorf("read whom the calendar is shared with: %w", err)
		}
	}
	own = append(slices.Clip(own), calendar) // a secondary calendar is one of its own owners
	read.people = slices.DeleteFunc(read.people, func(one string) bool { return event.IsOneOf(one, own) })
	a.shared.mu.Lock()
	defer a.shared.mu.Unlock()
	if a.shared.by == nil {
		a.shared.by = map[string]sharing{}
	}
	a.shared.by[calendar] = read
	return read, nil
}

// readersBy returns whom a rule lets read events: a person, a group, a domain or everybody.
// A rule that shows only busy times lets nobody read.
func readersBy(rule *calendarapi.AclRule) []string {
	switch {
	case rule.Role == "none", rule.Role == "freeBusyReader":
		return nil
	case rule.Scope == nil, rule.Scope.Type == "default", strings.TrimSpace(rule.Scope.Value) == "":
		return []string{everyReader}
	}
	return []string{rule.Scope.Value}
}

// MaySubscribe asks whether a calendar may come onto the user's list. What its
// owner writes reaches every conversation from there. Google's own calendars, of
// holidays and the like, are nobody's.
func (a *Agenda) MaySubscribe(ctx context.Context, to *calendarapi.CalendarListEntry) error {
	own, err := a.ownAddresses(ctx)
	if err != nil {
		return err
	}
	if event.IsOneOf(to.Id, own) || event.IsOneOf(to.DataOwner, own) || strings.HasSuffix(to.Id, "@group.v.calendar.google.com") {
		return nil
	}
	return bundles.ConfirmSend(ctx, bundles.Outgoing{
		What: "subscription to a calendar", People: []string{cmp.Or(to.DataOwner, to.Id)}, Lines: []bundles.Line{{Name: "Calendar", Text: to.Id}},
	})
}

// NamesOf notes which calendars were named after strangers were read.
func (c *Agendas) NamesOf() persist.Names {
	return persist.Names{Store: c.Stores.Names, Source: untrusted.Event, Kind: "calendar"}
}

// TitleProvenance is the provenance of what a calendar is called: nil for the user's own
// words. Who owns a calendar names it, and the user may call it otherwise.
func (s *Set) TitleProvenance(ctx context.Context, e *calendarapi.CalendarListEntry) *untrusted.Provenance {
	theirs := !IsOwned(e) || e.DataOwner != "" && !strings.EqualFold(e.DataOwner, s.Main().Id)
	if theirs && htmltext.Line(e.SummaryOverride) == "" && Title(e) != e.Id {
		return untrusted.By(ctx, untrusted.Event, eventtext.Cut(htmltext.Line(e.DataOwner), MaxTitle))
	}
	return s.whose.Provenance(ctx, Title(e))
}
