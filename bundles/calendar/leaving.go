package calendar

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/kept"
	"kota/bundles/internal/readable"
	"kota/store"
)

// leaving is what reaches these people by something that is done to an event, as
// whoever is asked about it sees it. What of it is new to them is in lines.
func leaving(what string, e *event, zone *time.Location, people []string, notify string, lines ...bundles.Line) bundles.Outgoing {
	out := bundles.Outgoing{What: what, People: people, Lines: []bundles.Line{
		{Name: "Event", Text: readable.Line(e.Summary)}, {Name: "When", Text: whenOf(e, zone)},
	}}
	out.Lines = append(out.Lines, lines...)
	out.Lines = append(out.Lines, bundles.Line{Name: "Reaches", Text: strings.Join(people, ", ")})
	switch notify {
	case notifyAll:
		out.Lines = append(out.Lines, bundles.Line{Name: "Mail", Text: "to all guests"})
	case notifyExternal:
		out.Lines = append(out.Lines, bundles.Line{Name: "Mail", Text: "to guests who do not use Google Calendar"})
	}
	return out
}

// changed are the lines of what a patch makes of an event, whole.
func (f fieldset) changed(was, is *event, zone *time.Location) []bundles.Line {
	lines := []bundles.Line{}
	for _, field := range f.words() {
		before, after := wholeWords(field, was, zone), wholeWords(field, is, zone)
		if before == after && field != "meet" {
			continue
		}
		if after == "" {
			after = "nothing"
		}
		if before != "" {
			after += "\ninstead of: " + before
		}
		lines = append(lines, bundles.Line{Name: "New " + field, Text: after})
	}
	return lines
}

// contentOf are the lines of all that an event is made with.
func contentOf(e *event, zone *time.Location) ([]bundles.Line, error) {
	fields, err := fieldsOf(e)
	if err != nil {
		return nil, err
	}
	lines := []bundles.Line{}
	for _, field := range fields.words() {
		if slices.Contains([]string{"id", "title", "when", "extendedProperties", "kind", "status"}, field) {
			continue
		}
		if text := wholeWords(field, e, zone); text != "" {
			lines = append(lines, bundles.Line{Name: field, Text: text})
		}
	}
	return lines, nil
}

// wholeWords says all that an event has in a field. What guests answered is not
// of it: they may answer while the user is asked.
func wholeWords(field string, e *event, zone *time.Location) string {
	switch field {
	case "description":
		text, _ := readable.Text(e.Description)
		return text
	case "attendees":
		guests := []string{}
		for _, a := range e.Attendees {
			guest := readable.Line(a.Email)
			if a.Optional {
				guest += " (optional)"
			}
			guests = append(guests, guest)
		}
		return strings.Join(guests, ", ")
	case "meet":
		if hasMeet(e) || e.ConferenceData != nil && e.ConferenceData.CreateRequest != nil {
			return "a video call"
		}
		return ""
	}
	return fieldInWords(field, e, zone)
}

// invites posts a request that makes an event with guests, once that may be. What
// an earlier call has done is not asked about again.
func (a *agenda) invites(ctx context.Context, r request, m mailing, out bundles.Outgoing) (outcome, error) {
	db, err := a.DB(ctx)
	if err != nil {
		return outcome{}, kept.Explain(err)
	}
	want, err := a.letter(r, m)
	if err != nil {
		return outcome{}, err
	}
	earlier, err := db.Outbox(owner, bundleKey).Asked(ctx, want, a.Now().Add(-sameFor))
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return outcome{}, kept.Explain(err)
	case err == nil && (earlier.Done() || !earlier.Is(want)):
		return a.post(ctx, r, m)
	}
	out.Begun = err == nil && earlier.Status != store.LetterFailed
	if err := bundles.MaySend(ctx, out); err != nil {
		return outcome{}, err
	}
	return a.post(ctx, r, m)
}
