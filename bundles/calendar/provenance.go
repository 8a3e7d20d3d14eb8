package calendar

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
)

// whoseFields are what tells whose words an event has, besides its organizer,
// its type and its guests.
const whoseFields = "creator(displayName,email,self),guestsCanModify,extendedProperties/private"

// provenanceOf is the provenance of an event of a calendar: nil for the user's
// own words, as far as Google tells. Others wrote what they organize or made, what
// Gmail took out of a mail, and maybe what guests may edit. The user's own has the
// words of others in it where a guest is named or has left a comment, where it
// was written after strangers were read, and maybe where it is not in the main
// calendar: Google does not say here with whom another is shared.
func provenanceOf(ctx context.Context, e *calendarapi.Event, in *calendarapi.CalendarListEntry, sender string) *untrusted.Provenance {
	byUser := (e.Organizer == nil || e.Organizer.Self) && (e.Creator == nil || e.Creator.Self)
	switch {
	case !byUser || e.EventType == "fromGmail" || e.GuestsCanModify && len(e.Attendees) > 0:
		return untrusted.By(ctx, untrusted.Event, sender)
	case !in.Primary || isMixed(e):
		return untrusted.Mixed(ctx, untrusted.Event)
	}
	return provenanceOfGuests(ctx, e, in)
}

// provenanceOfGuests is that of an event the rest of which is the user's own.
func provenanceOfGuests(ctx context.Context, e *calendarapi.Event, in *calendarapi.CalendarListEntry) *untrusted.Provenance {
	said := func(a *calendarapi.EventAttendee) bool {
		return !event.IsUser(a, in) && !a.Resource && (a.DisplayName != "" || a.Comment != "")
	}
	if !slices.ContainsFunc(e.Attendees, said) {
		return nil
	}
	return untrusted.Mixed(ctx, untrusted.Event)
}

// namesOf notes which calendars were named after strangers were read.
func (c *calendar) namesOf() persist.Names {
	return persist.Names{DB: c.DB, Owner: owner, Source: untrusted.Event, Kind: "calendar"}
}

// whoseName is the provenance of what a calendar is called: nil for the user's own
// words. Who owns a calendar names it, and the user may call it otherwise.
func (s *calendarSet) whoseName(ctx context.Context, e *calendarapi.CalendarListEntry) *untrusted.Provenance {
	theirs := !isOwned(e) || e.DataOwner != "" && !strings.EqualFold(e.DataOwner, s.main().Id)
	if theirs && htmltext.Line(e.SummaryOverride) == "" && titleOf(e) != e.Id {
		return untrusted.By(ctx, untrusted.Event, cut(htmltext.Line(e.DataOwner), mostOfCalendar))
	}
	return s.whose.Provenance(ctx, titleOf(e))
}

// mixedKey is the private extended property, which guests do not see, of an event
// that KOTA wrote after strangers were read. It stays when the event is changed,
// moved, copied or brought back, in every session.
const (
	mixedKey = "kotaWords"
	mixed    = "mixed"
	agreed   = "agreed" // the same, and the user has agreed to send its words since
)

func isMixed(e *calendarapi.Event) bool {
	return e.ExtendedProperties != nil && e.ExtendedProperties.Private[mixedKey] != ""
}

// isUnapproved reports whether the user has not agreed yet to send the words of an
// event that is mixed.
func isUnapproved(e *calendarapi.Event) bool {
	return isMixed(e) && e.ExtendedProperties.Private[mixedKey] != agreed
}

// writtenIn returns the request, which says whether it writes words in a session
// into which those of strangers came, and whether the user agreed to all of them.
func (r request) writtenIn(ctx context.Context) request {
	r.Mixed = r.Mixed || bundles.ForeignCame(ctx) && r.writes()
	r.Agreed = r.Agreed || bundles.Agreed(ctx) && !r.Partly
	return r
}

// writes reports whether the request brings words into an event.
func (r request) writes() bool {
	switch {
	case r.inserts():
		return true
	case r.same, r.Again != nil:
		return false
	}
	var fields map[string]any
	if r.Method != "PATCH" || json.Unmarshal(r.Body, &fields) != nil {
		return false
	}
	return slices.ContainsFunc([]string{"summary", "description", "location", "attachments"}, func(name string) bool { return fields[name] != nil })
}

// body is what leaves: the event that was asked for, and whether its words are
// mixed. That is no part of what makes two requests the same.
func (r request) body() ([]byte, error) {
	if !r.Mixed {
		return r.Body, nil
	}
	fields := event.Fields{}
	if err := json.Unmarshal(r.Body, &fields); err != nil {
		return nil, err
	}
	properties, _ := fields["extendedProperties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	private, _ := properties["private"].(map[string]any)
	if private == nil {
		private = map[string]any{}
	}
	private[mixedKey], properties["private"], fields["extendedProperties"] = mixed, private, properties
	if r.Agreed {
		private[mixedKey] = agreed
	}
	return json.Marshal(fields)
}
