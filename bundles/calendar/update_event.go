package calendar

import (
	"context"

	"kota/bundles"
	"kota/metadata"
)

type updateEventIn struct {
	Event      string   `json:"event_id"`
	Calendar   string   `json:"calendar,omitempty" doc:"id or name; default primary"`
	Scope      string   `json:"scope,omitempty" enum:"this" doc:"needed for a series"`
	Instance   string   `json:"instance,omitempty" doc:"with a series' id: start of the one meant"`
	Title      *string  `json:"title,omitempty"`
	Start      string   `json:"start,omitempty" doc:"keeps the length; a date: all day"`
	End        string   `json:"end,omitempty" doc:"all day: the last day"`
	Duration   string   `json:"duration,omitempty" doc:"\"45m\""`
	Timezone   string   `json:"timezone,omitempty" doc:"with start: the event's new zone"`
	Add        []string `json:"add_attendees,omitempty" max:"200" doc:"addresses"`
	Remove     []string `json:"remove_attendees,omitempty" max:"200"`
	Recurrence []string `json:"recurrence,omitempty" max:"20" doc:"RRULE; [] ends the repeating"`
	detailsIn
	Notify     string `json:"notify,omitempty" enum:"none,external,all" default:"none"`
	OnConflict string `json:"on_conflict,omitempty" enum:"warn,block,ignore" default:"warn"`
	Etag       string `json:"etag,omitempty" doc:"change this version alone"`
	DryRun     bool   `json:"dry_run,omitempty"`
	Account    string `json:"account,omitempty"`
}

// Effect says what this call does: a dry run changes nothing, and new guests,
// and mail to those there are, reach other people.
func (in updateEventIn) Effect() metadata.Effect {
	switch {
	case in.DryRun:
		return metadata.Reads
	case len(in.Add) > 0, in.Notify == notifyAll, in.Notify == notifyExternal:
		return metadata.Sends
	}
	return metadata.Writes
}

// AsDraft returns the change without new guests and without mail.
func (in updateEventIn) AsDraft() updateEventIn {
	in.Add, in.Notify = nil, notifyNone
	return in
}

// A changeOut is what became of a change of an event.
type changeOut struct {
	Status     string       `json:"status" enum:"updated,unchanged,deleted,dry_run"`
	Timezone   string       `json:"timezone"`
	Event      *eventRow    `json:"event,omitempty"` // as it is now; with dry_run as it would be
	Etag       string       `json:"etag,omitempty"`
	Changes    []difference `json:"changes,omitempty"`
	NotInvited []string     `json:"not_invited,omitempty"` // who is not added, since nothing may be sent
	Undo       string       `json:"undo_id,omitempty"`
	Notes      []string     `json:"notes,omitempty"`
}

func (c *calendar) updateEventAction() bundles.Action {
	title, room := "Budget review", "Room 4"
	return bundles.Bind(metadata.Action{
		Name: "update_event", Effect: metadata.Sends, Scopes: []string{scopeRead, scopeEvents},
		Summary:     "Change an event, or one of a series.",
		Description: "What is not named stays as it is; \"\" empties a text.",
		Tags:        []string{"reschedule", "invite", "series", "rename"},
		Phrases: []string{
			"move my meeting to 3pm", "reschedule the call", "push it back an hour", "make it an hour longer", "rename the event", "change the room",
			"invite Ann to the meeting", "remove Bob from the meeting", "change all future meetings", "verschiebe den Termin", "verzet de afspraak", "déplace le rendez-vous",
		},
		Examples: []metadata.Example{
			{Title: "Half an hour later, as long as before", Args: updateEventIn{Event: "4fd1cu8m", Start: "2026-11-24 15:30"}},
			{Title: "See what another room would change of one of a series", Args: updateEventIn{
				Event: "6hq2c9kl", Instance: "2026-12-01", Scope: onlyThis, detailsIn: detailsIn{Location: &room}, DryRun: true,
			}},
			{Title: "Another title and one guest more, who is mailed", Args: updateEventIn{
				Event: "4fd1cu8m", Title: &title, Add: []string{"ann@example.com"}, Notify: notifyAll,
			}},
		},
		Errors: readErrors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
		Notes: []string{
			"start alone keeps the length; end or duration alone changes it. A time without offset is read in timezone, else in the calendar's zone; the event keeps its own zone unless timezone is given.",
			"Somebody else's changes are never overwritten: where they touch the same, it answers CONFLICT with both versions.",
			"Of somebody else's event only what is the user's own can be changed: reminders, color, show_as, visibility. Guests who may invite can add guests.",
			"Nobody is mailed unless notify says so; guests see the change in their calendars all the same, which counts as sending.",
		},
	}, c.updateEvent)
}

func (c *calendar) updateEvent(ctx context.Context, in updateEventIn) (changeOut, error) {
	a, err := c.open(ctx, in.Account)
	if err != nil {
		return changeOut{}, err
	}
	t, err := a.target(ctx, pick{in.Calendar, in.Event, in.Instance, in.Scope})
	if err != nil {
		return changeOut{}, err
	}
	if e := t.event(); e.Status == cancelled {
		return changeOut{}, eventGone(e.Id)
	}
	ed, err := readEdit(in, t, c.Now())
	if err != nil {
		return changeOut{}, err
	}
	return a.updateOne(ctx, in, ed, t)
}

// updateOne changes a single event, or one of a series.
func (a *agenda) updateOne(ctx context.Context, in updateEventIn, ed *edit, t *target) (changeOut, error) {
	if err := ed.seesGuests(t.one); err != nil {
		return changeOut{}, err
	}
	r := revision{of: t, was: t.one, notify: in.Notify, strict: in.Etag != "", apply: func(e *event) error { return ed.one(e, t.zone) }}
	wanted, patch, err := r.plan(r.was)
	if err != nil {
		return changeOut{}, err
	}
	if in.Etag != "" && in.Etag != r.was.Etag {
		return changeOut{}, r.conflict(r.was, wanted, patch)
	}
	if len(patch) == 0 {
		return t.answer("unchanged", r.was).noting(ed.notes, "nothing was sent: the event is so already"), nil
	}
	if err := mayChange(r.was, patch); err != nil {
		return changeOut{}, err
	}
	if in.DryRun {
		return t.answer("dry_run", wanted).noting(ed.notes).differing(differences(r.was, wanted, patch, t.zone)), nil
	}
	if err := a.mayReach(ctx, patch, r.was, wanted); err != nil {
		return changeOut{}, err
	}
	done, err := a.revise(ctx, r)
	if err != nil {
		return changeOut{}, err
	}
	out := t.answer("updated", done.after).noting(ed.notes).differing(differences(done.before, done.after, done.patch, t.zone))
	out.Undo = done.undo
	return out, nil
}

// answer is what is said of a change of an event.
func (t *target) answer(status string, e *event) changeOut {
	row := t.row(e)
	return changeOut{Status: status, Timezone: t.zone.String(), Event: row, Etag: e.Etag}
}

// row is the event as answers show it.
func (t *target) row(e *event) *eventRow {
	row := rowOf(e, t.calendar, t.zone, t.zone)
	return &row
}

func (out changeOut) noting(notes []string, more ...string) changeOut {
	out.Notes = append(append(out.Notes, notes...), more...)
	return out
}

func (out changeOut) differing(changes []difference) changeOut {
	out.Changes = changes
	return out
}

// mayChange refuses a change of what an event's guests share, when the event is
// somebody else's who does not let guests change it. Google would refuse it too,
// after a part of the call might have been done.
func mayChange(e *event, patch fieldset) error {
	inviting := len(patch) == 1 && patch.names()[0] == "attendees"
	if patch.personal() || inviting || e.Organizer == nil || organizes(e) || e.GuestsCanModify {
		return nil
	}
	return metadata.Errorf(metadata.Refused, "the event is of %s, who lets no guest change it", organizerOf(e)).
		WithHint("Of somebody else's event the user changes reminders, color, show_as and visibility alone. calendar_respond_event answers it; to have it changed, write to the organizer.")
}
