package listing

import (
	"context"
	"strings"
	"time"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// A listCursor holds the search of a list of events and the position in the list. The
// next page uses the same search, even if "next week" now means other days or the default
// account has changed.
type listCursor struct {
	Account   string              `json:"a"` // name of the account, or "*" for all
	Calendars []string            `json:"c,omitempty"`
	Zone      string              `json:"z"`
	From      int64               `json:"f"` // in seconds since 1970, like To
	To        int64               `json:"u"`
	Past      bool                `json:"d,omitempty"`
	Query     string              `json:"q,omitempty"`
	Types     []string            `json:"e,omitempty"`
	After     position            `json:"p"`
	Pending   map[string]position `json:"b,omitempty"` // where to continue the sources (by sourceKey) and accounts (by name) that may have unlisted events before After
}

// sourceKey returns the key of a source in listCursor.Pending.
func sourceKey(from *agenda.Source) string { return from.Agenda.Account.Name + " " + from.Entry.Id }

// startPosition returns the position from which the source with index i is read.
func (l *listCall) startPosition(i int) position {
	if at, pending := l.cursor.Pending[sourceKey(&l.Sources[i])]; pending {
		return at
	}
	if at, pending := l.cursor.Pending[l.Sources[i].Agenda.Account.Name]; pending {
		return at
	}
	return l.cursor.After
}

// nextCursor returns the cursor for the events after the listed ones. Calendars and
// accounts that failed keep their positions.
func (l *listCall) nextCursor(listed []occurrence, failed []agenda.CalendarError) listCursor {
	next, last := l.cursor, l.cursor.After
	if len(listed) > 0 {
		last = listed[len(listed)-1].position
	}
	if l.order(last, next.After) > 0 {
		next.After = last
	}
	next.Pending = map[string]position{}
	for i := range l.Sources {
		at := l.startPosition(i)
		if l.order(last, at) > 0 {
			at = last
		}
		if l.order(at, next.After) < 0 {
			next.Pending[sourceKey(&l.Sources[i])] = at
		}
	}
	for _, f := range failed {
		next.Pending[sourceKey(&l.Sources[f.Source])] = l.startPosition(f.Source)
	}
	for _, f := range l.Failed {
		next.Pending[f.Account] = l.cursor.After
		for key, at := range l.cursor.Pending {
			if account, _, _ := strings.Cut(key, " "); account == f.Account {
				next.Pending[key] = at
			}
		}
	}
	return next
}

// resumeList reads the cursor of a call and finds its calendars. It returns
// VALIDATION_ERROR if the cursor is not KOTA's, or if the call names another account.
func resumeList(ctx context.Context, c *agenda.Agendas, in Args) (*listCall, error) {
	bad := arguments.BadCursor("calendar_list_events", in.Cursor)
	l := &listCall{}
	if !arguments.DecodeCursor(in.Cursor, &l.cursor) || l.cursor.Account == "" {
		return nil, bad
	}
	zone, err := timeparse.Zone(l.cursor.Zone)
	w := eventtime.Window{From: time.Unix(l.cursor.From, 0), To: time.Unix(l.cursor.To, 0)}
	if err != nil || !w.To.After(w.From) || w.To.After(w.From.AddDate(eventtime.MaxYears, 0, 0)) || len(l.cursor.Calendars) > agenda.MaxCalendars {
		return nil, bad
	}
	if err := checkCursor(c, l.cursor.Account, in.Account, bad); err != nil {
		return nil, err
	}
	l.Selection, err = c.Select(ctx, l.cursor.Account, l.cursor.Calendars)
	if err != nil {
		return nil, err
	}
	l.Note = "" // the first page already had the note
	l.search = search{Window: w, past: l.cursor.Past, zone: zone, query: l.cursor.Query, types: googleTypes(l.cursor.Types)}
	return l, nil
}

// checkCursor returns a VALIDATION_ERROR if the call names another account than the cursor.
// It returns bad if the cursor's account is not signed in.
func checkCursor(c *agenda.Agendas, cursorAccount, callAccount string, bad *metadata.Error) error {
	list, err := c.Accounts()
	if err != nil {
		return err
	}
	return google.CheckCursor(list, cursorAccount, callAccount, bad)
}
