// Package series finds the event that a call is about. It also reads recurring events: the
// rule of a series, its instances, its dates before and after a change, and its exceptions.
// An exception is an instance that was changed by hand. Package series only reads; other
// packages change events. [Find] requires a scope for a series. Start with [Find] and
// [Target].
package series

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// Scopes select the part of a series that a call changes.
const (
	ScopeThis      = "this"      // one instance
	ScopeFollowing = "following" // one instance and all later ones
	ScopeAll       = "all"       // the series
)

// An EventRef holds the arguments that name the event of a call.
type EventRef struct{ Calendar, Event, Instance, Scope string }

// A Target is the event that a call is about.
type Target struct {
	Calendar      *calendarapi.CalendarListEntry
	Zone          *time.Location     // the user's zone, for times that name none
	OwnAddresses  []string           // the account's address and the id of the calendar
	Sharers       []string           // the people that a change in the calendar reaches: see Agenda.SharersOf
	Single        *calendarapi.Event // the single event or the instance; nil if only the series is named
	Series        *calendarapi.Event // nil for a single event, and if the user is invited to only one instance
	Scope         string             // ScopeThis for a single event
	FreeAnswerKey string             // key of the rate limit that counted a free answer of this call, or ""
}

// Event returns the event to change in Google Calendar: the series if the scope is
// following or all, otherwise t.Single.
func (t *Target) Event() *calendarapi.Event {
	if t.Series != nil && t.Scope != ScopeThis {
		return t.Series
	}
	return t.Single
}

// MatchesEtag reports whether the caller has read the current version of the series or of
// the instance. An empty etag matches any version.
func (t *Target) MatchesEtag(etag string) bool {
	return etag == "" || SameEtag(etag, t.Event().Etag) || t.Single != nil && SameEtag(etag, t.Single.Etag)
}

// SameEtag compares an etag from a caller with Google's. The caller may leave out the
// quotes that are part of an etag.
func SameEtag(given, etag string) bool { return strings.Trim(given, `"`) == strings.Trim(etag, `"`) }

// Find returns the event of a call, even if it is deleted. An event of a series needs a
// scope. An event_id of a whole series also needs an instance, unless the scope is all.
// Without them the error is VALIDATION_ERROR. If the scope is missing, the hint of the
// error explains each scope. For a series, Find returns the target even with an error.
func Find(ctx context.Context, a *agenda.Agenda, ref EventRef) (*Target, error) {
	ref.Event = event.IDFromLink(ref.Event)
	if !event.IsID(ref.Event) {
		return nil, arguments.Invalid("event_id", "the event_id of an earlier answer", strconv.QuoteToASCII(arguments.Brief(ref.Event)))
	}
	calendar, err := a.Find(ctx, ref.Calendar)
	if err != nil {
		return nil, err
	}
	t := &Target{Calendar: calendar, Zone: a.Zone(), OwnAddresses: []string{a.Account.Address, calendar.Id}, Scope: ref.Scope}
	if t.Sharers, err = a.SharersOf(ctx, calendar); err != nil {
		return nil, err
	}
	e, err := a.Get(ctx, calendar.Id, ref.Event)
	if err != nil {
		return nil, ErrNoEvent(err, ref.Event)
	}
	eventtext.Provenance(ctx, e, calendar, "") // an error message quotes the event too
	switch {
	case len(e.Recurrence) > 0:
		return t, setSeries(ctx, a, t, e, ref)
	case e.RecurringEventId != "" && (ref.Instance == "" || matchesInstance(a, t, e, ref.Instance)):
		return t, setInstance(ctx, a, t, e)
	case e.RecurringEventId != "":
		return nil, arguments.Invalid("instance", "omitted: event_id already is one event of a series, on "+event.When(e, t.Zone), strconv.Quote(arguments.Brief(ref.Instance)))
	case ref.Instance != "":
		return nil, arguments.Invalid("instance", "omitted: the event is not a series", strconv.Quote(arguments.Brief(ref.Instance)))
	}
	t.Single, t.Scope = e, ScopeThis
	return t, nil
}

// setInstance sets the target to an instance that the call names by its own id.
func setInstance(ctx context.Context, a *agenda.Agenda, t *Target, e *calendarapi.Event) error {
	t.Single = e
	series, err := a.Get(ctx, t.Calendar.Id, e.RecurringEventId)
	switch {
	case eventwrite.IsGone(err) && t.Scope != ScopeFollowing && t.Scope != ScopeAll:
		t.Scope = ScopeThis // somebody else's series; the user is invited only to this instance
		return nil
	case err != nil:
		return ErrNoEvent(err, e.RecurringEventId)
	}
	t.Series = series
	if t.Scope == "" {
		return t.ErrNeedsScope("which become a new series")
	}
	return nil
}

// setSeries sets the target to a series, and to the instance that the call names.
func setSeries(ctx context.Context, a *agenda.Agenda, t *Target, series *calendarapi.Event, ref EventRef) error {
	t.Series = series
	if ref.Scope == "" {
		return t.ErrNeedsScope("which become a new series")
	}
	if ref.Instance == "" {
		if ref.Scope == ScopeAll {
			return nil
		}
		return arguments.Invalid("instance", "the start of the instance, such as \"2026-11-24\"", "none").
			WithHint("event_id belongs to a whole series: pass instance, or use the event_id of the instance from calendar_list_events.")
	}
	one, err := FindInstance(ctx, a, t, ref.Instance)
	if err != nil {
		return err
	}
	t.Single = one
	return nil
}

// ErrNeedsScope returns the error for a missing scope, which explains what each scope does.
// The parameter following says what happens to the instance and all later ones with that
// scope.
func (t *Target) ErrNeedsScope(following string) error {
	single := "one event (name it with instance)"
	if t.Single != nil {
		single = "the one on " + event.When(t.Single, t.Zone) + " alone"
	}
	return arguments.Invalid("scope", `"this", "following" or "all"`, "none").
		WithHint("%s is a series that starts at %s. \"this\": %s; \"following\": that event and all later ones, %s; \"all\": the whole series, including past events. Nothing was done: ask the user which one.",
			strconv.Quote(htmltext.Line(t.Series.Summary)), event.When(t.Series, t.Zone), single, following)
}

// ErrNoEvent returns NOT_FOUND if err means that Google does not have the event.
// Otherwise it returns err with context.
func ErrNoEvent(err error, id string) error {
	if !eventwrite.IsGone(err) {
		return fmt.Errorf("read event: %w", err)
	}
	e := metadata.Errorf(metadata.NotFound, "the calendar has no event %q", arguments.Brief(id))
	e.Cause = err
	return e.WithHint("Take the event_id from calendar_list_events, and the calendar it was listed with.")
}

// Row returns the row of the event for an answer.
func (t *Target) Row(ctx context.Context, e *calendarapi.Event) *eventtext.Row {
	row := eventtext.RowOf(ctx, e, t.Calendar, t.Zone, t.Zone)
	return &row
}
