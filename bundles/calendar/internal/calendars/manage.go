// Package calendars creates, changes and deletes calendars, adds them to the user's list,
// and undoes all of that. It never deletes a calendar with events. Start with [Manage].
package calendars

import (
	"context"
	"strconv"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/internal/arguments"
	"kota/metadata"
)

// Operations on calendars.
const (
	Create      = "create"
	Update      = "update"
	Delete      = "delete"
	Subscribe   = "subscribe"
	Unsubscribe = "unsubscribe"
)

// Result is the result of an operation on a calendar.
type Result struct {
	Status   string `json:"status" enum:"created,updated,deleted,subscribed,unsubscribed,unchanged,dry_run"`
	Calendar *Row   `json:"calendar,omitempty"` // current or planned state; after delete and unsubscribe, the last state
	Before   *Row   `json:"before,omitempty"`   // state before an update
	Events   *int   `json:"events,omitempty"`   // for delete with dry_run: number of events in the calendar; a series counts once
	Undo     string `json:"undo_id,omitempty"`  // undo id for calendar_undo
	Note     string `json:"note,omitempty"`
}

// Colors returns the names of Google's calendar colours, ordered by their ids, the first of
// which is 1. The ids come from the "calendar" section of Google's method colors.get, the
// names from Google Calendar.
func Colors() []string {
	return []string{
		"cocoa", "flamingo", "tomato", "tangerine", "pumpkin", "mango", "eucalyptus", "basil", "pistachio", "avocado", "citron", "banana",
		"sage", "peacock", "cobalt", "blueberry", "lavender", "wisteria", "graphite", "birch", "radicchio", "cherry blossom", "grape", "amethyst",
	}
}

// calendarColorOf returns the name of a calendar's color, or "" if the color is unknown.
func calendarColorOf(e *calendarapi.CalendarListEntry) string {
	id, err := strconv.Atoi(e.ColorId)
	if err != nil || id < 1 || id > len(Colors()) {
		return ""
	}
	return Colors()[id-1]
}

// Args name an operation and a calendar.
type Args struct {
	Operation, Calendar string
	DryRun              bool
}

// Manage carries out an operation on a calendar. want holds the new settings; delete and
// unsubscribe ignore it.
func Manage(ctx context.Context, a *agenda.Agenda, in Args, want Settings) (Result, error) {
	removes := in.Operation == Delete || in.Operation == Unsubscribe
	if removes && strings.EqualFold(in.Calendar, a.Account.Address) {
		return Result{}, ErrPrimary(in.Operation)
	}
	set, err := a.ReadCalendars(ctx)
	if err != nil {
		return Result{}, err
	}
	if !in.DryRun {
		defer a.ForgetCalendars()
	}
	switch in.Operation {
	case Create:
		return createCalendar(ctx, a, set, want, in.DryRun)
	case Subscribe:
		return addSubscription(ctx, a, set, in.Calendar, want, in.DryRun)
	}
	entry, err := a.Find(ctx, in.Calendar)
	if err != nil {
		return Result{}, err
	}
	if entry.Primary && removes {
		return Result{}, ErrPrimary(in.Operation)
	}
	if entry.Etag == "" {
		return Result{}, metadata.Errorf(metadata.NotFound, "the calendar %q is not on the user's list", arguments.Brief(in.Calendar)).
			WithHint("Take the calendar from calendar_list_calendars, or subscribe to it first.")
	}
	switch in.Operation {
	case Delete:
		return deleteCalendar(ctx, a, set, entry, in.DryRun)
	case Unsubscribe:
		return removeSubscription(ctx, a, set, entry, in.DryRun)
	}
	return changeCalendar(ctx, a, set, entry, want, in.DryRun)
}

// ErrPrimary returns the error of deleting the primary calendar, or unsubscribing from it.
func ErrPrimary(operation string) error {
	return arguments.Invalid("calendar", "another calendar than the primary one, which does not support "+operation, agenda.Primary).
		WithHint("The primary calendar is the account's own. Its events can be deleted one by one, or hidden with update.")
}
