package calendar

import (
	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
)

// A wish is what a calendar is to be. What is nil or "" stays.
type wish struct {
	name, description *string
	zone, color       string // an IANA name, an id of Google's
	hidden            *bool
}

// entryPatch is what changes in how the user, who may own it, sees a calendar:
// its colour, whether it is shown, and of somebody else's the name. A name that
// an owner has for it alone gives way to the one that everybody sees.
func (w wish) entryPatch(of *calendarapi.CalendarListEntry, own bool) (patch *calendarapi.CalendarListEntry, some bool) {
	patch = &calendarapi.CalendarListEntry{ColorId: w.color}
	if w.hidden != nil {
		patch.Selected, patch.Hidden = !*w.hidden, false
		patch.ForceSendFields = []string{"Selected"}
		if !*w.hidden {
			patch.ForceSendFields = append(patch.ForceSendFields, "Hidden")
		}
	}
	switch {
	case w.name != nil && !own:
		patch.SummaryOverride = *w.name
	case w.name != nil && of.SummaryOverride != "":
		patch.NullFields = []string{"SummaryOverride"}
	}
	return patch, patch.ColorId != "" || patch.SummaryOverride != "" || len(patch.NullFields) > 0 || w.hidden != nil
}

// calendarPatch is what an owner sets of a calendar for everybody.
func (w wish) calendarPatch() (patch *calendarapi.Calendar, some bool) {
	patch = &calendarapi.Calendar{TimeZone: w.zone}
	if w.name != nil {
		patch.Summary = *w.name
	}
	if w.description != nil {
		patch.Description, patch.ForceSendFields = *w.description, []string{"Description"}
	}
	return patch, w.name != nil || w.description != nil || w.zone != ""
}

// apply is the entry as it would be.
func (w wish) apply(of calendarapi.CalendarListEntry, own bool) *calendarapi.CalendarListEntry {
	if w.color != "" {
		of.ColorId = w.color
	}
	if w.hidden != nil {
		of.Selected, of.Hidden = !*w.hidden, of.Hidden && *w.hidden
	}
	if w.name != nil && own {
		of.Summary, of.SummaryOverride = *w.name, ""
	} else if w.name != nil {
		of.SummaryOverride = *w.name
	}
	if w.description != nil && own {
		of.Description = *w.description
	}
	if w.zone != "" && own {
		of.TimeZone = w.zone
	}
	return &of
}

// has reports whether the entry is as it is wished already.
func (w wish) has(of *calendarapi.CalendarListEntry, own bool) bool {
	is := w.apply(*of, own)
	return is.ColorId == of.ColorId && is.Selected == of.Selected && is.Hidden == of.Hidden && agenda.Title(is) == agenda.Title(of) &&
		is.Description == of.Description && is.TimeZone == of.TimeZone
}
