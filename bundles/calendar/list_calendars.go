package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/internal/google"
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
	ID      string `json:"calendar"` // what calendar arguments take, as they do the name
	Name    string `json:"name"`
	Account string `json:"account,omitempty"` // with account "*"
	Zone    string `json:"timezone"`
	Access  string `json:"access"` // owner, writer, reader, freeBusyReader
	Primary bool   `json:"primary,omitempty"`
	Hidden  bool   `json:"hidden,omitempty"` // not shown in Google Calendar
}

func (c *calendar) listCalendarsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_calendars", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary:  "List the calendars with their time zones and what may be done in them.",
		Tags:     []string{"calendar", "zone", "access"},
		Phrases:  []string{"which calendars do I have", "what is my time zone", "is there a family calendar", "welche Kalender habe ich", "show my calendars and who may change them"},
		Examples: []metadata.Example{{Title: "All calendars of the default account", Args: listCalendarsIn{}}},
		Errors:   readErrors(),
	}, c.listCalendars)
}

func (c *calendar) listCalendars(ctx context.Context, in listCalendarsIn) (listCalendarsOut, error) {
	several := in.Account == google.EveryAccount
	answers, failed, err := google.InAccounts(ctx, c.Accounts, in.Account, c.open, func(ctx context.Context, a *agenda) ([]calendarRow, error) {
		set, err := a.readCalendars(ctx)
		if err != nil {
			return nil, err
		}
		rows := []calendarRow{}
		for _, e := range set.list {
			row := calendarRowOf(e)
			if several {
				row.Account = a.account.Name
			}
			rows = append(rows, row)
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

func calendarRowOf(e *entry) calendarRow {
	return calendarRow{
		ID: e.Id, Name: titleOf(e), Zone: e.TimeZone, Access: e.AccessRole,
		Primary: e.Primary, Hidden: e.Hidden || !e.Selected,
	}
}
