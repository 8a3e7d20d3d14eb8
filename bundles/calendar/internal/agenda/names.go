package agenda

import (
	"context"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
)

// NamesOf notes which calendars were named after strangers were read.
func (c *Agendas) NamesOf() persist.Names {
	return persist.Names{Store: c.Stores.Names, Source: untrusted.Event, Kind: "calendar"}
}

// TitleProvenance is the provenance of what a calendar is called: nil for the user's own
// words. Who owns a calendar names it, and the user may call it otherwise.
func (s *Set) TitleProvenance(ctx context.Context, e *calendarapi.CalendarListEntry) *untrusted.Provenance {
	theirs := !IsOwned(e) || e.DataOwner != "" && !strings.EqualFold(e.DataOwner, s.Main().Id)
	if theirs && htmltext.Line(e.SummaryOverride) == "" && Title(e) != e.Id {
		return untrusted.By(ctx, untrusted.Event, eventtext.Cut(htmltext.Line(e.DataOwner), MaxTitle))
	}
	return s.whose.Provenance(ctx, Title(e))
}
