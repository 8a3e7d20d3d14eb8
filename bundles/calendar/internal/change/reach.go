package change

import (
	"context"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/series"
)

// reachedBy returns the instances with changes of their own in which a change of
// their series shows: of its time or its rule those that go, of anything else
// all.
func reachedBy(ctx context.Context, a *agenda.Agenda, patch event.Fields, t *series.Target, gone []*calendarapi.Event) ([]*calendarapi.Event, error) {
	if !slices.ContainsFunc(patch.Names(), func(name string) bool { return !slices.Contains(timing, name) }) || patch.IsPersonal() {
		return gone, nil
	}
	return series.Exceptions(ctx, a, t)
}
