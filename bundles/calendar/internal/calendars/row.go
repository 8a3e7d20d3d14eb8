package calendars

import (
	"context"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
)

// A Row is a calendar in a list.
type Row struct {
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

// RowOf is a calendar of the set as lists show it.
func RowOf(ctx context.Context, s *agenda.Set, e *calendarapi.CalendarListEntry) *Row {
	row := &Row{
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
