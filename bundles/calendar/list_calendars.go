package calendar

import (
	"context"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/google"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type listCalendarsIn struct {
	Account string `json:"account,omitempty" doc:"name or address; \"*\" for all"`
}

type listCalendarsOut struct {
	Calendars []calendarRow         `json:"calendars"`
	Errors    []google.AccountError `json:"account_errors,omitempty"`
}

type calendarRow struct {
	ID        string `json:"calendar,omitempty"` // what calendar arguments take, as they do the name
	Name      string `json:"name"`
	Account   string `json:"account,omitempty"` // with account "*"
	Zone      string `json:"timezone"`
	Access    string `json:"access"` // owner, writer, reader, freeBusyReader
	Primary   bool   `json:"primary,omitempty"`
	Hidden    bool   `json:"hidden,omitempty"` // not shown in Google Calendar
	Color     string `json:"color,omitempty"`
	Reminders string `json:"reminders,omitempty"` // that events have by default
	Owner     string `json:"owner,omitempty"`     // when it is somebody else

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of name
}

func (c *calendar) listCalendarsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_calendars", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary: "List the calendars with their time zones and what may be done in them.",
		Tags:    []string{"calendar", "zone", "access"},
		Aliases: metadata.Aliases(
			"get: calendars",
			"calendars: -",
		),
		Examples: []metadata.Example{{Title: "All calendars of the default account", Args: listCalendarsIn{}}},
		Errors:   readErrors(),
	}, c.listCalendars)
}

func (c *calendar) listCalendars(ctx context.Context, in listCalendarsIn) (listCalendarsOut, error) {
	several := in.Account == google.EveryAccount
	answers, failed, err := google.InAccounts(ctx, c.Accounts, in.Account, c.Open, func(ctx context.Context, a *agenda.Agenda) ([]calendarRow, error) {
		set, err := a.ReadCalendars(ctx)
		if err != nil {
			return nil, err
		}
		rows := []calendarRow{}
		for _, e := range set.List {
			row := rowOfCalendar(ctx, set, e)
			if several {
				row.Account = a.Account.Name
			}
			rows = append(rows, *row)
		}
		return rows, nil
	})
	if err != nil {
		return listCalendarsOut{}, err
	}
	out := listCalendarsOut{Calendars: []calendarRow{}, Errors: failed}
	for _, rows := range answers {
		out.Calendars = append(out.Calendars, rows...)
	}
	return out, nil
}

// rowOfCalendar is a calendar of the set as lists show it.
func rowOfCalendar(ctx context.Context, s *agenda.Set, e *calendarapi.CalendarListEntry) *calendarRow {
	row := &calendarRow{
		ID: e.Id, Name: eventtext.Cut(agenda.Title(e), agenda.MaxTitle), Zone: e.TimeZone, Access: e.AccessRole,
		Primary: e.Primary, Hidden: s.Hides(e), Reminders: eventtext.Reminders(e.DefaultReminders),
		Provenance: s.TitleProvenance(ctx, e),
	}
	row.Color = calendarColorOf(e)
	if !agenda.IsOwned(e) {
		row.Owner = eventtext.Cut(htmltext.Line(e.DataOwner), agenda.MaxTitle)
	}
	return row
}
