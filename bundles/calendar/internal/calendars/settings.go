package calendars

import (
	"context"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
)

// A Settings holds the new properties of a calendar. A field that is nil or "" changes
// nothing.
type Settings struct {
	Name, Description *string
	Zone              string // IANA name
	Color             string // Google's id of the colour
	Hidden            *bool  // whether Google Calendar hides the calendar's events
}

// entryPatch returns the patch of the personal settings of a calendar: its colour and
// whether it is shown. If the user does not own the calendar, its name is a personal
// setting too. On the user's own calendar, a new name removes the old personal name.
// changes reports whether the patch changes anything.
//
// Google Calendar shows the events of a calendar that is Selected and not Hidden. It leaves
// a Hidden calendar out of the user's list. So entryPatch hides a calendar by clearing
// Selected, and shows it by setting Selected and clearing Hidden.
func (w Settings) entryPatch(entry *calendarapi.CalendarListEntry, owned bool) (patch *calendarapi.CalendarListEntry, changes bool) {
	patch = &calendarapi.CalendarListEntry{ColorId: w.Color}
	if w.Hidden != nil {
		patch.Selected, patch.Hidden = !*w.Hidden, false
		patch.ForceSendFields = []string{"Selected"}
		if !*w.Hidden {
			patch.ForceSendFields = append(patch.ForceSendFields, "Hidden")
		}
	}
	switch {
	case w.Name != nil && !owned:
		patch.SummaryOverride = *w.Name
	case w.Name != nil && entry.SummaryOverride != "":
		patch.NullFields = []string{"SummaryOverride"}
	}
	return patch, patch.ColorId != "" || patch.SummaryOverride != "" || len(patch.NullFields) > 0 || w.Hidden != nil
}

// calendarPatch returns the patch of the shared settings of a calendar, which only its
// owner can change. changes reports whether the patch changes anything.
func (w Settings) calendarPatch() (patch *calendarapi.Calendar, changes bool) {
	patch = &calendarapi.Calendar{TimeZone: w.Zone}
	if w.Name != nil {
		patch.Summary = *w.Name
	}
	if w.Description != nil {
		patch.Description, patch.ForceSendFields = *w.Description, []string{"Description"}
	}
	return patch, w.Name != nil || w.Description != nil || w.Zone != ""
}

// apply returns a copy of the entry with the settings applied. owned reports whether the
// user owns the calendar.
func (w Settings) apply(entry calendarapi.CalendarListEntry, owned bool) *calendarapi.CalendarListEntry {
	if w.Color != "" {
		entry.ColorId = w.Color
	}
	if w.Hidden != nil {
		entry.Selected, entry.Hidden = !*w.Hidden, entry.Hidden && *w.Hidden
	}
	if w.Name != nil && owned {
		entry.Summary, entry.SummaryOverride = *w.Name, ""
	} else if w.Name != nil {
		entry.SummaryOverride = *w.Name
	}
	if w.Description != nil && owned {
		entry.Description = *w.Description
	}
	if w.Zone != "" && owned {
		entry.TimeZone = w.Zone
	}
	return &entry
}

// matches reports whether the entry already has all these settings.
func (w Settings) matches(entry *calendarapi.CalendarListEntry, owned bool) bool {
	applied := w.apply(*entry, owned)
	return applied.ColorId == entry.ColorId && applied.Selected == entry.Selected && applied.Hidden == entry.Hidden && agenda.Title(applied) == agenda.Title(entry) &&
		applied.Description == entry.Description && applied.TimeZone == entry.TimeZone
}

// A Row is a calendar in a list.
type Row struct {
	ID        string `json:"calendar,omitempty"` // calendar arguments accept this id or the name
	Name      string `json:"name"`
	Account   string `json:"account,omitempty"` // set only if the call asked for all accounts
	Zone      string `json:"timezone"`
	Access    string `json:"access"` // owner, writer, reader, freeBusyReader
	Primary   bool   `json:"primary,omitempty"`
	Hidden    bool   `json:"hidden,omitempty"` // not shown in Google Calendar
	Color     string `json:"color,omitempty"`
	Reminders string `json:"reminders,omitempty"` // default reminders of its events
	Owner     string `json:"owner,omitempty"`     // "" if the user owns the calendar, or if Google does not name the owner

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // provenance of Name; nil if the user chose it
}

// RowOf returns the row of a calendar in the set.
func RowOf(ctx context.Context, s *agenda.Set, e *calendarapi.CalendarListEntry) *Row {
	row := &Row{
		ID: e.Id, Name: eventtext.Cut(agenda.Title(e), agenda.MaxTitle), Zone: e.TimeZone, Access: e.AccessRole,
		Primary: e.Primary, Hidden: s.IsHidden(e), Reminders: eventtext.Reminders(e.DefaultReminders),
		Provenance: s.TitleProvenance(ctx, e),
	}
	row.Color = calendarColorOf(e)
	if !agenda.IsOwned(e) {
		row.Owner = eventtext.Cut(htmltext.Line(e.DataOwner), agenda.MaxTitle)
	}
	return row
}
