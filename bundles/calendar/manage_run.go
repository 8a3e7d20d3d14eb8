package calendar

import (
	"context"
	"strconv"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/internal/arguments"
	"kota/metadata"
)

// The operations on calendars.
const (
	createCalendar = "create"
	updateCalendar = "update"
	deleteCalendar = "delete"
	subscribe      = "subscribe"
	unsubscribe    = "unsubscribe"
)

type manageCalendarOut struct {
	Status   string       `json:"status" enum:"created,updated,deleted,subscribed,unsubscribed,unchanged,dry_run"`
	Calendar *calendarRow `json:"calendar,omitempty"` // as it is now, or would be; of delete and unsubscribe as it was
	Before   *calendarRow `json:"before,omitempty"`   // of update
	Events   *int         `json:"events,omitempty"`   // delete with dry_run: that would be lost, a series counting once
	Undo     string       `json:"undo_id,omitempty"`  // for calendar_undo
	Note     string       `json:"note,omitempty"`
}

// calendarColors are Google's colours of calendars, in the order of their ids
// from 1 on (the "calendar" section of its method colors.get, named as Google
// Calendar names them).
func calendarColors() []string {
	return []string{
		"cocoa", "flamingo", "tomato", "tangerine", "pumpkin", "mango", "eucalyptus", "basil", "pistachio", "avocado", "citron", "banana",
		"sage", "peacock", "cobalt", "blueberry", "lavender", "wisteria", "graphite", "birch", "radicchio", "cherry blossom", "grape", "amethyst",
	}
}

// calendarColorOf names the color of a calendar, "" for one that has no name.
func calendarColorOf(e *calendarapi.CalendarListEntry) string {
	id, err := strconv.Atoi(e.ColorId)
	if err != nil || id < 1 || id > len(calendarColors()) {
		return ""
	}
	return calendarColors()[id-1]
}

// manageArgs say what is done with which calendar.
type manageArgs struct {
	Operation, Calendar string
	DryRun              bool
}

// manage does to a calendar what the arguments say.
func manage(ctx context.Context, a *agenda.Agenda, in manageArgs, want wish) (manageCalendarOut, error) {
	takesAway := in.Operation == deleteCalendar || in.Operation == unsubscribe
	if takesAway && strings.EqualFold(in.Calendar, a.Account.Address) {
		return manageCalendarOut{}, mainCalendar(in.Operation)
	}
	set, err := a.ReadCalendars(ctx)
	if err != nil {
		return manageCalendarOut{}, err
	}
	if !in.DryRun {
		defer a.ForgetCalendars()
	}
	switch in.Operation {
	case createCalendar:
		return makeCalendar(ctx, a, set, want, in.DryRun)
	case subscribe:
		return addSubscription(ctx, a, set, in.Calendar, want, in.DryRun)
	}
	of, err := a.Find(ctx, in.Calendar)
	if err != nil {
		return manageCalendarOut{}, err
	}
	if of.Primary && takesAway {
		return manageCalendarOut{}, mainCalendar(in.Operation)
	}
	if of.Etag == "" {
		return manageCalendarOut{}, metadata.Errorf(metadata.NotFound, "the calendar %q is not on the user's list", arguments.Brief(in.Calendar)).
			WithHint("Take the calendar from calendar_list_calendars, or subscribe to it first.")
	}
	switch in.Operation {
	case deleteCalendar:
		return removeCalendar(ctx, a, set, of, in.DryRun)
	case unsubscribe:
		return removeSubscription(ctx, a, set, of, in.DryRun)
	}
	return changeCalendar(ctx, a, set, of, want, in.DryRun)
}

// mainCalendar is the error of taking away a calendar that cannot be.
func mainCalendar(operation string) error {
	return arguments.Invalid("calendar", "another calendar than the primary one, which cannot be taken away with "+operation, agenda.Primary).
		WithHint("The primary calendar is the account's own. Its events can be deleted one by one, or hidden with update.")
}
