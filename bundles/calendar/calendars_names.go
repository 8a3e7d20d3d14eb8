package calendar

import (
	"context"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
)

// namesOf notes which calendars were named after strangers were read.
func (c *agendas) namesOf() persist.Names {
	return persist.Names{DB: c.DB, Owner: owner, Source: untrusted.Event, Kind: "calendar"}
}

// whoseName is the provenance of what a calendar is called: nil for the user's own
// words. Who owns a calendar names it, and the user may call it otherwise.
func (s *calendarSet) whoseName(ctx context.Context, e *calendarapi.CalendarListEntry) *untrusted.Provenance {
	theirs := !isOwned(e) || e.DataOwner != "" && !strings.EqualFold(e.DataOwner, s.main().Id)
	if theirs && htmltext.Line(e.SummaryOverride) == "" && titleOf(e) != e.Id {
		return untrusted.By(ctx, untrusted.Event, eventtext.Cut(htmltext.Line(e.DataOwner), mostOfCalendar))
	}
	return s.whose.Provenance(ctx, titleOf(e))
}
