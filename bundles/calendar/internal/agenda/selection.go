package agenda

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

// All is the name that means several calendars in a list: those that Google Calendar shows,
// or in package availability those that the user owns.
const All = "all"

// MaxCalendars is the maximum number of calendars that a call may name.
const MaxCalendars = 50

// A Source is a calendar to read, in the account that sees it.
type Source struct {
	Agenda *Agenda
	Set    *Set
	Entry  *calendarapi.CalendarListEntry
	Zone   *time.Location // zone that defines the days of whole-day events
}

// A CalendarError is the error of one of several calendars.
type CalendarError struct {
	Calendar string        `json:"calendar"` // name of the calendar
	Account  string        `json:"account,omitempty"`
	Code     metadata.Code `json:"error"`
	Message  string        `json:"message"`
	Hint     string        `json:"hint,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // provenance of the name in Calendar

	Source int `json:"-"` // index in the selection
}

// hasSelected reports whether any calendar is selected (ticked) in Google Calendar and not
// hidden. An account that only programs use has no selected calendar.
func (s *Set) hasSelected() bool {
	return slices.ContainsFunc(s.List, func(e *calendarapi.CalendarListEntry) bool { return e.Selected && !e.Hidden })
}

// IsHidden reports whether Google Calendar does not show the calendar: it is hidden from
// the list, or it is not selected although others are.
func (s *Set) IsHidden(e *calendarapi.CalendarListEntry) bool {
	return e.Hidden || !e.Selected && s.hasSelected()
}

// Shown returns the calendars that Google Calendar shows, always with the primary one, and
// the names of the others.
func (s *Set) Shown(ctx context.Context) (shown []*calendarapi.CalendarListEntry, hidden []string) {
	for _, e := range s.List {
		if e.Primary || !s.IsHidden(e) {
			shown = append(shown, e)
		} else {
			hidden = append(hidden, Title(e))
			s.TitleProvenance(ctx, e)
		}
	}
	return shown, hidden
}

// choose returns the calendars that an argument lists by id or name, without duplicates.
// An empty list means the primary calendar. "all" means the shown calendars; others then
// has the names of the rest. An unknown name is a VALIDATION_ERROR.
func (a *Agenda) choose(ctx context.Context, names []string) (chosen []Source, others []string, err error) {
	set, err := a.Calendars(ctx)
	if err != nil {
		return nil, nil, err
	}
	var entries []*calendarapi.CalendarListEntry
	if len(names) == 0 {
		names = []string{Primary}
	}
	for i, name := range names {
		if strings.EqualFold(name, All) && set.Find(name) == nil {
			var shown []*calendarapi.CalendarListEntry
			shown, others = set.Shown(ctx)
			entries = append(entries, shown...)
			continue
		}
		e, err := a.FindArgument(ctx, "calendars["+strconv.Itoa(i)+"]", name)
		if err != nil {
			return nil, nil, err
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		entries = []*calendarapi.CalendarListEntry{{Id: Primary, Primary: true}}
	}
	seen := map[string]bool{}
	for _, e := range entries {
		if !seen[e.Id] {
			seen[e.Id] = true
			chosen = append(chosen, Source{Agenda: a, Set: set, Entry: e, Zone: a.ZoneOf(e)})
		}
	}
	return chosen, others, nil
}

// Source returns the calendar with that id or name as a source.
func (a *Agenda) Source(ctx context.Context, name string) (*Source, error) {
	e, err := a.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	set, err := a.Calendars(ctx)
	if err != nil {
		return nil, err
	}
	return &Source{Agenda: a, Set: set, Entry: e, Zone: a.ZoneOf(e)}, nil
}

// A Selection holds the calendars to read, of one account or of all.
type Selection struct {
	Sources      []Source
	Failed       []google.AccountError // accounts that could not be read
	EveryAccount bool                  // the selection covers every account
	Note         string                // names the calendars that "all" left out, or ""
}

// HasSeveralSources reports whether there is more than one source. Rows must then name
// their calendar.
func (s Selection) HasSeveralSources() bool { return len(s.Sources) > 1 }

// Select finds the calendars to read, in the account with that name or in every account.
func (c *Agendas) Select(ctx context.Context, account string, names []string) (Selection, error) {
	if account == google.AllAccounts && slices.ContainsFunc(names, func(name string) bool { return !inEveryAccount(name) }) {
		return Selection{}, arguments.Invalid("calendars", `omitted, or ["all"], with account "*"`, "names").
			WithHint("A calendar belongs to one account: name that account, or omit calendars for the primary calendar of each account.")
	}
	type chosen struct {
		sources []Source
		others  []string
	}
	chosenByAccount, failed, err := google.InAccounts(ctx, c.Accounts, account, c.Open, func(ctx context.Context, a *Agenda) (chosen, error) {
		sources, others, err := a.choose(ctx, names)
		return chosen{sources, others}, err
	})
	if err != nil {
		return Selection{}, err
	}
	s := Selection{Failed: failed, EveryAccount: account == google.AllAccounts}
	var others []string
	for _, one := range chosenByAccount {
		s.Sources, others = append(s.Sources, one.sources...), append(others, one.others...)
	}
	if len(others) > 0 {
		s.Note = "Omitted, because they are not shown in Google Calendar: " + JoinNames(others) + "."
	}
	return s, nil
}

// JoinNames joins the first 10 names with commas and adds the number of the rest.
func JoinNames(names []string) string {
	const max = 10
	if more := len(names) - max; more > 0 {
		names = append(names[:max:max], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// CommonName returns "all" if the names contain it, else "primary". Every account has both.
func CommonName(names []string) string {
	if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, All) }) {
		return All
	}
	return Primary
}

// inEveryAccount reports whether every account has a calendar with that name: "",
// "primary" or "all".
func inEveryAccount(name string) bool {
	return name == "" || strings.EqualFold(name, Primary) || strings.EqualFold(name, All)
}
