package listing

import (
	"context"
	"slices"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/metadata"
)

// A changesCursor holds the position in the changes of each calendar.
type changesCursor struct {
	Account string          `json:"a"` // name of the account, or "*" for all
	States  []calendarState `json:"c"`
}

// A calendarState is the position in the changes of one calendar.
type calendarState struct {
	Account string `json:"a,omitempty"` // set only if the cursor covers all accounts
	ID      string `json:"i"`           // id of the calendar; "primary" or "all" if the account could not be read
	Sync    string `json:"s,omitempty"` // Google's token; "" at the beginning
	Page    string `json:"p,omitempty"` // Google's token of the next page; "" for the first page
	Since   int64  `json:"n,omitempty"` // in seconds since 1970; events created from then on are new
}

// A changesCall is one call of list_changes: its calendars, and the state of each.
type changesCall struct {
	agenda.Selection
	account string
	states  []calendarState // states of the sources, then of the accounts that failed
}

// newChangesCall returns the calendars of the call and their states. Without a cursor,
// the changes begin now.
func newChangesCall(ctx context.Context, c *agenda.Agendas, in ChangesArgs) (*changesCall, error) {
	if in.Cursor != "" {
		return continueChanges(ctx, c, in)
	}
	selection, err := c.Select(ctx, in.Account, in.Calendars)
	if err != nil {
		return nil, err
	}
	w := &changesCall{Selection: selection, account: selection.Account()}
	w.Note = strings.TrimSpace("Changes are listed from now on. " + w.Note)
	for _, from := range w.Sources {
		w.states = append(w.states, calendarState{Account: from.AccountIn(w.Selection), ID: from.Entry.Id})
	}
	for _, f := range selection.Failed {
		w.states = append(w.states, calendarState{Account: f.Account, ID: agenda.CommonName(in.Calendars)})
	}
	return w, nil
}

// continueChanges reads the cursor of a call. It returns VALIDATION_ERROR if the cursor
// is not KOTA's, or if the call names other calendars or another account.
func continueChanges(ctx context.Context, c *agenda.Agendas, in ChangesArgs) (*changesCall, error) {
	var cursor changesCursor
	bad := arguments.BadCursor("calendar_list_changes", in.Cursor)
	if !arguments.DecodeCursor(in.Cursor, &cursor) || cursor.Account == "" || len(cursor.States) == 0 || len(cursor.States) > maxStates || slices.ContainsFunc(cursor.States, isInvalidState) {
		return nil, bad
	}
	if err := checkCursor(c, cursor.Account, in.Account, bad); err != nil {
		return nil, err
	}
	if len(in.Calendars) > 0 {
		named, err := c.Select(ctx, cursor.Account, in.Calendars)
		if err != nil {
			return nil, err
		}
		if !cursor.covers(named) {
			return nil, arguments.Invalid("calendars", "omitted with a cursor, which belongs to other calendars", "others").
				WithHint("Omit calendars to continue, or omit the cursor to start with these calendars.")
		}
	}
	return restoreCalendars(ctx, c, cursor)
}

// maxStates is the maximum number of calendars in a cursor.
const maxStates = 250

func isInvalidState(s calendarState) bool { return s.ID == "" || len(s.ID) > 1024 }

// covers reports whether the cursor has exactly these calendars.
func (c changesCursor) covers(s agenda.Selection) bool {
	if len(c.States) != len(s.Sources) {
		return false
	}
	for _, from := range s.Sources {
		state := calendarState{Account: from.AccountIn(s), ID: from.Entry.Id}
		if !slices.ContainsFunc(c.States, func(known calendarState) bool { return known.Account == state.Account && known.ID == state.ID }) {
			return false
		}
	}
	return true
}

// restoreCalendars finds the calendars of a cursor. States of accounts that fail stay in
// the cursor.
func restoreCalendars(ctx context.Context, c *agenda.Agendas, cursor changesCursor) (*changesCall, error) {
	w := &changesCall{account: cursor.Account}
	w.EveryAccount = cursor.Account == google.AllAccounts
	sets, failed, err := google.InAccounts(ctx, c.Accounts, cursor.Account, c.Open, func(ctx context.Context, a *agenda.Agenda) (agenda.Source, error) {
		set, err := a.Calendars(ctx)
		return agenda.Source{Agenda: a, Set: set}, err
	})
	if err != nil {
		return nil, err
	}
	w.Failed = failed
	var failedStates []calendarState
	for _, state := range cursor.States {
		at := slices.IndexFunc(sets, func(s agenda.Source) bool { return !w.EveryAccount || s.Agenda.Account.Name == state.Account })
		if at < 0 {
			failedStates = append(failedStates, state)
			continue
		}
		chosen := []*calendarapi.CalendarListEntry{sets[at].Set.Find(state.ID)}
		switch {
		case chosen[0] == nil && state.ID == agenda.All: // its account failed at the beginning
			chosen, _ = sets[at].Set.Shown(ctx)
		case chosen[0] == nil:
			chosen[0] = &calendarapi.CalendarListEntry{Id: state.ID}
		}
		for _, e := range chosen {
			from := sets[at]
			from.Entry, from.Zone, state.ID = e, from.Agenda.ZoneOf(e), e.Id
			w.Sources, w.states = append(w.Sources, from), append(w.states, state)
		}
	}
	w.states = append(w.states, failedStates...)
	return w, nil
}

// explainError returns the error of a call that could read no calendar. If Google rejects
// a token as invalid, and not as expired, the error says that the cursor is not KOTA's.
func (w *changesCall) explainError(err error, cursor string) error {
	if cursor != "" && metadata.CodeOf(err) == metadata.ValidationError {
		return arguments.BadCursor("calendar_list_changes", cursor)
	}
	return err
}
