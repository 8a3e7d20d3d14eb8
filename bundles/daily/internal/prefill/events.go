package prefill

import (
	"context"
	"strings"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/sources"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
)

// notConnected replaces the events if no calendar is connected.
const notConnected = "The calendar is not connected."

// events returns the calendar events of a day, or of each day of a week. For a month it
// returns "": the text would be too long. All days are read at the same time. The text names what
// could not be read, so that it does not look like a day without events.
func (g Gatherer) events(ctx context.Context, _ Diary, p days.Period) (string, error) {
	switch {
	case p.Unit == days.Month:
		return "", nil
	case g.Events == nil:
		return notConnected, nil
	}
	dates := p.Dates()
	texts := make([]string, len(dates))
	asked := panicsafe.New(len(dates))
	for i, date := range dates {
		asked.Go(func() error {
			texts[i] = g.eventsOn(ctx, date)
			return nil
		})
	}
	if err := asked.Wait(); err != nil {
		return "", err
	}
	if p.Unit == days.Day || texts[0] == notConnected {
		return texts[0], nil
	}
	said := []string{}
	for i, date := range dates {
		said = append(said, "### "+days.InWords(date)+"\n\n"+texts[i])
	}
	return strings.Join(said, "\n\n"), nil
}

// eventsOn returns the events of one day: "- 09:00–10:00 Dentist (Main Street)".
func (g Gatherer) eventsOn(ctx context.Context, date string) string {
	found, err := sources.Ask(ctx, g.Log, "calendar", func(ctx context.Context) (sources.Found[sources.Event], error) {
		return g.Events(ctx, date, g.Zone().String())
	})
	switch {
	case err != nil && sources.IsAbsent(err):
		return notConnected
	case err != nil:
		return "The calendar could not be read: " + htmltext.Short(sources.Reason(err), maxQuoteLength)
	}
	said := []string{}
	for _, e := range found.Items[:min(maxShown, len(found.Items))] {
		if e.Untrusted {
			untrusted.Mark(ctx, untrusted.Event, "") // marks the flow's answer as untrusted
		}
		text := "- " + strings.TrimSpace(e.When+" "+htmltext.Short(e.Title, maxQuoteLength))
		if e.Location != "" {
			text += " (" + htmltext.Short(e.Location, maxQuoteLength/2) + ")"
		}
		said = append(said, text)
	}
	if found.More+max(0, len(found.Items)-maxShown) > 0 {
		said = append(said, strings.TrimSuffix("- … and more: "+bundles.WithoutHiddenTools(ctx, "calendar_list_events"), ": "))
	}
	for _, part := range found.Unread {
		said = append(said, "- Some calendars could not be read: "+htmltext.Short(part, maxQuoteLength))
	}
	if len(said) == 0 {
		return "No events."
	}
	return strings.Join(said, "\n")
}
