package calendar

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/safely"
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
	entry  *entry
	zone   *time.Location // of its whole days, and of its times that name none
}

// A calendarError says what went wrong with one of several calendars.
type calendarError struct {
	Calendar string        `json:"calendar"` // its name
	Account  string        `json:"account,omitempty"`
	Code     metadata.Code `json:"error"`
	Message  string        `json:"message"`
	Hint     string        `json:"hint,omitempty"`

	source int // of the selection
}

// shown returns the calendars that the user has ticked in Google Calendar, and
// the names of the others. Where none is ticked, as in an account that only
// programs use, all are shown but those that are taken off the list.
func (s *calendarSet) shown() (shown []*entry, others []string) {
	ticked := slices.ContainsFunc(s.list, func(e *entry) bool { return e.Selected && !e.Hidden })
	for _, e := range s.list {
		if e.Primary || !e.Hidden && (e.Selected || !ticked) {
			shown = append(shown, e)
		} else {
			others = append(others, titleOf(e))
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
	var entries []*entry
	if len(names) == 0 {
		names = []string{primary}
	}
	for i, name := range names {
		if strings.EqualFold(name, allCalendars) && set.find(name) == nil {
			var shown []*entry
			shown, others = set.shown()
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
		entries = []*entry{{Id: primary, Primary: true}}
	}
	seen := map[string]bool{}
	for _, e := range entries {
		if !seen[e.Id] {
			seen[e.Id] = true
			chosen = append(chosen, source{agenda: a, set: set, entry: e, zone: set.zoneOf(e)})
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
	return &source{agenda: a, set: set, entry: e, zone: set.zoneOf(e)}, nil
}

// A selection is what a read looks at: calendars of one account or of all.
type selection struct {
	sources []source
	failed  []google.AccountError
	usual   *time.Location // the zone of times that name none, and of the answer
	every   bool           // in every account
	note    string
}

// several reports whether a row has to say which calendar it is of.
func (s selection) several() bool { return len(s.sources) > 1 }

// pick finds the calendars that a read is to look at, in the account of that
// name or in every one.
func (c *calendar) pick(ctx context.Context, account string, names []string) (selection, error) {
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
	s := selection{failed: failed, usual: answers[0].sources[0].set.zone, every: account == google.EveryAccount}
	var others []string
	for _, one := range answers {
		s.sources, others = append(s.sources, one.sources...), append(others, one.others...)
	}
	if !s.several() {
		s.usual = s.sources[0].zone
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

// isUsual reports whether every account has what is meant.
func isUsual(name string) bool {
	return name == "" || strings.EqualFold(name, primary) || strings.EqualFold(name, allCalendars)
}

// readTime bounds what a read does in several calendars.
const readTime = 30 * time.Second

// each reads every source at the same time. A source that fails does so for
// itself, and is listed, unless it is the only one or all fail: then the first
// one's error is returned. So is any that has no code, as of a panic.
func (s selection) each(ctx context.Context, read func(ctx context.Context, i int) error) ([]calendarError, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	errs := make([]error, len(s.sources))
	all := safely.New(max(1, len(s.sources)))
	for i := range s.sources {
		all.Go(func() error {
			errs[i] = read(ctx, i)
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	var failed []calendarError
	for i, err := range errs {
		if err == nil {
			continue
		}
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) {
			return nil, err
		}
		from := s.sources[i]
		failed = append(failed, calendarError{Calendar: titleOf(from.entry), Account: from.accountIn(s), Code: e.Code, Message: e.Message, Hint: e.Hint, source: i})
	}
	if len(failed) == len(s.sources) && len(failed) > 0 {
		return nil, errs[0]
	}
	return failed, nil
}

// account is the name of the account, or that of every one.
func (s selection) account() string {
	if s.every {
		return google.EveryAccount
	}
	return s.sources[0].agenda.account.Name
}

// accountIn is the name of the source's account where there are several.
func (from source) accountIn(s selection) string {
	if !s.every {
		return ""
	}
	return from.agenda.account.Name
}
