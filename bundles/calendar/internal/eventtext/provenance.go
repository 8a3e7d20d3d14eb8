package eventtext

import (
	"context"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/untrusted"
)

// ProvenanceFields are what tells whose words an event has, besides its organizer,
// its type and its guests.
const ProvenanceFields = "creator(displayName,email,self),guestsCanModify,extendedProperties/private"

// Provenance is the provenance of an event of a calendar: nil for the user's
// own words, as far as Google tells. Others wrote what they organize or made, what
// Gmail took out of a mail, and maybe what guests may edit. The user's own has the
// words of others in it where a guest is named or has left a comment, where it
// was written after strangers were read, and maybe where it is not in the main
// calendar: Google does not say here with whom another is shared.
func Provenance(ctx context.Context, e *calendarapi.Event, in *calendarapi.CalendarListEntry, sender string) *untrusted.Provenance {
	byUser := (e.Organizer == nil || e.Organizer.Self) && (e.Creator == nil || e.Creator.Self)
	switch {
	case !byUser || e.EventType == "fromGmail" || e.GuestsCanModify && len(e.Attendees) > 0:
		return untrusted.By(ctx, untrusted.Event, sender)
	case !in.Primary || event.IsMixed(e):
		return untrusted.Mixed(ctx, untrusted.Event)
	}
	return GuestProvenance(ctx, e, in)
}

// GuestProvenance is that of an event the rest of which is the user's own.
func GuestProvenance(ctx context.Context, e *calendarapi.Event, in *calendarapi.CalendarListEntry) *untrusted.Provenance {
	said := func(a *calendarapi.EventAttendee) bool {
		return !event.IsUser(a, in) && !a.Resource && (a.DisplayName != "" || a.Comment != "")
	}
	if !slices.ContainsFunc(e.Attendees, said) {
		return nil
	}
	return untrusted.Mixed(ctx, untrusted.Event)
}
