package calendar

import (
	"context"
	"strconv"
	"strings"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/calendars"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/google"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

type manageCalendarIn struct {
	Operation   string  `json:"operation" alias:"op" enum:"create,update,delete,subscribe,unsubscribe"`
	Calendar    string  `json:"calendar,omitempty" max:"1000" doc:"id or name; subscribe: its address" audit:"show"`
	Name        *string `json:"name,omitempty" doc:"of another's calendar: the user's own"`
	Description *string `json:"description,omitempty"`
	Timezone    string  `json:"timezone,omitempty" doc:"IANA" audit:"show"`
	Color       string  `json:"color,omitempty" doc:"\"tomato\", \"peacock\""`
	Hidden      *bool   `json:"hidden,omitempty" doc:"not shown in Google Calendar"`
	DryRun      bool    `json:"dry_run,omitempty"`
	Account     string  `json:"account,omitempty" doc:"name or address" audit:"show"`
}

// Effect returns the effect of this call. It is Reads for a dry run, Destroys for a
// deletion, and Writes otherwise. An undo of a deletion restores neither the id of the
// calendar nor its sharing.
func (in manageCalendarIn) Effect() metadata.Effect {
	switch {
	case in.DryRun:
		return metadata.Reads
	case in.Operation == calendars.Delete:
		return metadata.Destroys
	}
	return metadata.Writes
}

// ConfirmsItself marks an action that asks the user itself before it destroys something.
func (manageCalendarIn) ConfirmsItself() {}

func (c *calendar) manageCalendarAction() bundles.Action {
	name, hidden := "Reading group", true
	return bundles.Bind(metadata.Action{
		Name: "manage_calendar", Effect: metadata.Destroys, Scopes: []string{scopeRead, scopeManage, scopeList},
		Summary: "Create, change or delete a calendar; subscribe to one, or unsubscribe.",
		Tags:    []string{"calendars", "color", "hide", "share"},
		Aliases: metadata.Aliases{
			"create add new: calendar (operation: create)",
			"update rename edit: calendar (operation: update)",
			"delete remove: calendar (operation: delete)",
		},
		Examples: []metadata.Example{
			{Title: "A new one", Args: manageCalendarIn{Operation: calendars.Create, Name: &name, Color: "basil"}},
			{Title: "Hide the events of the primary calendar", Args: manageCalendarIn{Operation: calendars.Update, Calendar: agenda.Primary, Hidden: &hidden}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
		Notes: []string{
			"delete deletes an empty calendar for everybody. calendar_undo creates it again, shared with nobody. A calendar with events is refused, because they would be lost. The primary calendar cannot be deleted.",
			"unsubscribe only removes a calendar from the user's list. calendar_undo undoes every operation. Subscribing to somebody else's calendar counts as sending.",
			"Everybody who shares the calendar sees its name, description and timezone: changing them counts as sending. If the user does not own it, name is only the user's own name for it, and changing the others fails with REFUSED.",
			"Colors: " + strings.Join(calendars.Colors(), ", ") + ".",
		},
	}, c.manageCalendar)
}

func (c *calendar) manageCalendar(ctx context.Context, in manageCalendarIn) (calendars.Result, error) {
	want, err := in.read()
	if err != nil {
		return calendars.Result{}, err
	}
	a, err := c.Open(ctx, in.Account)
	if err != nil {
		return calendars.Result{}, err
	}
	return calendars.Manage(ctx, a, calendars.Args{Operation: in.Operation, Calendar: in.Calendar, DryRun: in.DryRun}, want)
}

// read returns the settings in the arguments, after the checks that need neither Google nor
// the account.
func (in manageCalendarIn) read() (calendars.Settings, error) {
	var p eventtime.Problems
	w := calendars.Settings{Name: in.Name, Description: in.Description, Hidden: in.Hidden}
	if in.Name != nil {
		p.Line("name", *in.Name, 250)
		if htmltext.Line(*in.Name) == "" {
			p.Add("name", `a name such as "Reading group"`, *in.Name)
		}
	}
	if in.Description != nil {
		p.Text("description", *in.Description)
		if len([]rune(*in.Description)) > 2000 {
			p.Add("description", "at most 2000 characters", "more")
		}
	}
	if zone := p.Zone("timezone", in.Timezone, nil); zone != nil {
		w.Zone = zone.String()
	}
	if in.Color != "" {
		w.Color = readOneOf(&p, "color", in.Color, calendars.Colors())
	}
	switch takesSettings := in.Operation == calendars.Create || in.Operation == calendars.Update || in.Operation == calendars.Subscribe; {
	case in.Operation == calendars.Create && in.Name == nil:
		p.Add("name", "the new calendar's name", "")
	case in.Operation == calendars.Create && in.Calendar != "":
		p.Add("calendar", "omitted with create: name is the name of the new calendar", in.Calendar)
	case in.Operation == calendars.Update && w == (calendars.Settings{}):
		p.Add("operation", "update with something to change: name, description, timezone, color or hidden", in.Operation)
	case !takesSettings && w != (calendars.Settings{}):
		p.Add("operation", in.Operation+" without anything to change", in.Operation)
	case in.Operation == calendars.Subscribe && !strings.Contains(in.Calendar, "@"):
		p.Add("calendar", `the calendar's address, such as "bob@example.com"`, in.Calendar)
	case in.Operation == calendars.Subscribe && (w.Description != nil || w.Zone != ""):
		p.Add("operation", "subscribe, only with name, color or hidden", in.Operation)
	case !takesSettings && in.Calendar == "":
		p.Add("calendar", "given: the id or the name of the calendar to "+in.Operation, "")
	case !takesSettings && strings.EqualFold(in.Calendar, agenda.Primary):
		return w, calendars.ErrPrimary(in.Operation)
	}
	return w, p.Err()
}

// readOneOf returns the number of a name in the list, counted from 1, as text. name may
// also be that number. For any other text, readOneOf adds a problem and returns "".
func readOneOf(p *eventtime.Problems, path, name string, list []string) string {
	folded := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(name, "_", " ")), " "))
	for i, one := range list {
		if id := strconv.Itoa(i + 1); folded == one || folded == id {
			return id
		}
	}
	p.Add(path, "one of "+strings.Join(list, ", "), name)
	if near := metadata.Nearest(folded, list, 1); len(near) > 0 {
		p.Suggest(near[0])
	}
	return ""
}
