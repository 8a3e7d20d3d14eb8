package calendar

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// allCalendars is what a list of calendars holds for all that are shown.
const allCalendars = "all"

// mostCalendars is how many calendars a call names at most.
const mostCalendars = 50

// A source is a calendar that is read from, in the account that sees it.
type source struct {
	agenda *agenda
	set    *calendarSet
	entry  *calendarapi.CalendarListEntry
	zone   *time.Location // of its whole days
}

// A calendarError says what went wrong with one of several calendars.
type calendarError struct {
	Calendar string        `json:"calendar"` // its name
	Account  string        `json:"account,omitempty"`
	Code     metadata.Code `json:"error"`
	Message  string        `json:"message"`
	Hint     string        `json:"hint,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of calendar

	source int `json:"-"` // of the selection
}

// ticked reports whether the user has ticked any calendar in Google Calendar. In
// an account that only programs use none is.
func (s *calendarSet) ticked() bool {
	return slices.ContainsFunc(s.list, func(e *calendarapi.CalendarListEntry) bool { return e.Selected && !e.Hidden })
}

// hides reports whether the calendar is not shown in Google Calendar: it is not
// ticked, or taken off the list.
func (s *calendarSet) hides(e *calendarapi.CalendarListEntry) bool {
	return e.Hidden || !e.Selected && s.ticked()
}

// shown returns the calendars that are shown, among them the primary one in any
// case, and the names of the others.
func (s *calendarSet) shown(ctx context.Context) (shown []*calendarapi.CalendarListEntry, others []string) {
	for _, e := range s.list {
		if e.Primary || !s.hides(e) {
			shown = append(shown, e)
		} else {
			others = append(others, titleOf(e))
			s.whoseName(ctx, e)
		}
	}
	return shown, others
}

// choose returns the calendars that an argument lists, each once, by id or name:
// the primary one for none, and for "all" those that are shown: others are the
// names of those that are not. A name that no calendar has answers
// VALIDATION_ERROR.
func (a *agenda) choose(ctx context.Context, names []string) (chosen []source, others []string, err error) {
	set, err := a.calendars(ctx)
	if err != nil {
		return nil, nil, err
	}
	var entries []*calendarapi.CalendarListEntry
	if len(names) == 0 {
		names = []string{primary}
	}
	for i, name := range names {
		if strings.EqualFold(name, allCalendars) && set.find(name) == nil {
			var shown []*calendarapi.CalendarListEntry
			shown, others = set.shown(ctx)
			entries = append(entries, shown...)
			continue
		}
		e, err := a.findAt(ctx, "calendars["+strconv.Itoa(i)+"]", name)
		if err != nil {
			return nil, nil, err
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		entries = []*calendarapi.CalendarListEntry{{Id: primary, Primary: true}}
	}
	seen := map[string]bool{}
	for _, e := range entries {
		if !seen[e.Id] {
			seen[e.Id] = true
			chosen = append(chosen, source{agenda: a, set: set, entry: e, zone: a.zoneOf(e)})
		}
	}
	return chosen, others, nil
}

// one returns the calendar of that id or name.
func (a *agenda) one(ctx context.Context, name string) (*source, error) {
	e, err := a.find(ctx, name)
	if err != nil {
		return nil, err
	}
	set, err := a.calendars(ctx)
	if err != nil {
		return nil, err
	}
	return &source{agenda: a, set: set, entry: e, zone: a.zoneOf(e)}, nil
}

// A selection is what a read looks at: calendars of one account or of all.
type selection struct {
	sources []source
	failed  []google.AccountError
	every   bool // in every account
	note    string
}

// several reports whether a row has to say which calendar it is of.
func (s selection) several() bool { return len(s.sources) > 1 }

// pick finds the calendars that a read is to look at, in the account of that
// name or in every one.
func (c *agendas) pick(ctx context.Context, account string, names []string) (selection, error) {
	if account == google.EveryAccount && slices.ContainsFunc(names, func(name string) bool { return !isUsual(name) }) {
		return selection{}, arguments.Invalid("calendars", `left out or ["all"] with account "*"`, "names").
			WithHint("A calendar belongs to an account: name that account, or leave calendars out for each one's primary calendar.")
	}
	type chosen struct {
		sources []source
		others  []string
	}
	answers, failed, err := google.InAccounts(ctx, c.Accounts, account, c.open, func(ctx context.Context, a *agenda) (chosen, error) {
		sources, others, err := a.choose(ctx, names)
		return chosen{sources, others}, err
	})
	if err != nil {
		return selection{}, err
	}
	s := selection{failed: failed, every: account == google.EveryAccount}
	var others []string
	for _, one := range answers {
		s.sources, others = append(s.sources, one.sources...), append(others, one.others...)
	}
	if len(others) > 0 {
		s.note = "Left out, as not shown in Google Calendar: " + listed(others) + "."
	}
	return s, nil
}

// listed are the first of some names, and how many more there are.
func listed(names []string) string {
	const most = 10
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// usualName returns "all" where the names have it, else "primary". Every account
// has both.
func usualName(names []string) string {
	if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, allCalendars) }) {
		return allCalendars
	}
	return primary
}

// isUsual reports whether every account has what is meant.
func isUsual(name string) bool {
	return name == "" || strings.EqualFold(name, primary) || strings.EqualFold(name, allCalendars)
}
