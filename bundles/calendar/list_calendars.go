package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/calendars"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type listCalendarsIn struct {
	Account string `json:"account,omitempty" doc:"name or address; \"*\" for all"`
}

type listCalendarsOut struct {
	Calendars []calendars.Row       `json:"calendars"`
	Errors    []google.AccountError `json:"account_errors,omitempty"`
}

func (c *calendar) listCalendarsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_calendars", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary: "List the calendars with their time zones and the user's rights.",
		Tags:    []string{"calendar", "zone", "access"},
		Aliases: metadata.Aliases{
			"get: calendars",
			"calendars: -",
		},
		Examples: []metadata.Example{{Title: "All calendars of the default account", Args: listCalendarsIn{}}},
		Errors:   google.Errors(),
	}, c.listCalendars)
}

func (c *calendar) listCalendars(ctx context.Context, in listCalendarsIn) (listCalendarsOut, error) {
	several := in.Account == google.AllAccounts
	answers, failed, err := google.InAccounts(ctx, c.Accounts, in.Account, c.Open, func(ctx context.Context, a *agenda.Agenda) ([]calendars.Row, error) {
		set, err := a.ReadCalendars(ctx)
		if err != nil {
			return nil, err
		}
		rows := []calendars.Row{}
		for _, e := range set.List {
			row := calendars.RowOf(ctx, set, e)
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
	out := listCalendarsOut{Calendars: []calendars.Row{}, Errors: failed}
	for _, rows := range answers {
		out.Calendars = append(out.Calendars, rows...)
	}
	return out, nil
}
