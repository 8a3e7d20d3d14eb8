package calendar

import (
	"cmp"
	"context"
	"time"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/calendars"
	"kota/bundles/calendar/internal/change"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/invitation"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// undoers returns the undo function of each kind of change, and the scopes that it needs.
func undoers() map[string]persist.Undoer[*agenda.Agenda, undoevent.Result] {
	return map[string]persist.Undoer[*agenda.Agenda, undoevent.Result]{
		undoCreated:         {Scopes: []string{scopeEvents}, Undo: persist.UndoFunc(revertCreate)},
		change.KindUpdate:   {Scopes: []string{scopeEvents}, Undo: persist.UndoFunc(change.UndoUpdate)},
		change.KindDelete:   {Scopes: []string{scopeEvents}, Undo: persist.UndoFunc(change.UndoDelete)},
		series.UndoKind:     {Scopes: []string{scopeEvents}, Undo: persist.UndoFunc(change.UndoFollowing)},
		undoMove:            {Scopes: []string{scopeEvents, scopeRead}, Undo: persist.UndoFunc(revertMove)},
		invitation.UndoKind: {Scopes: []string{scopeEvents}, Undo: persist.UndoFunc(invitation.Undo)},
		calendars.UndoKind:  {Scopes: []string{scopeRead, scopeManage, scopeList}, Undo: persist.UndoFunc(calendars.Undo)},
	}
}

type undoOut struct {
	Undone string             `json:"undone,omitempty"` // title of the change
	Event  *eventtext.Row     `json:"event,omitempty"`  // the event after the undo
	Note   string             `json:"note,omitempty"`
	Recent []persist.Undoable `json:"recent,omitempty"` // the last ten changes, if undo_id is absent

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // provenance of the title in Undone
}

func (c *calendar) undoAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "undo", Effect: metadata.Writes, Undoes: true, Scopes: []string{scopeRead}, OptionalScopes: []string{scopeShared}, // undoers names the further scopes of each kind
		Summary:  "Undo a change of an event or a calendar.",
		Tags:     []string{"restore", "revert"},
		Examples: []metadata.Example{{Title: "What can be undone", Args: persist.UndoIn{}}},
		Errors:   google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown, metadata.TooLarge),
		Notes: []string{
			"Only that change is undone. If the same thing was changed again since, it fails with CONFLICT and the current values; overwrite undoes it anyway.",
			"Guests are mailed if they were mailed about the change. If guests would see the undo, KOTA asks the user first.",
			"A change can be undone once, for 30 days.",
		},
	}, c.undo)
}

func (c *calendar) undo(ctx context.Context, in persist.UndoIn) (undoOut, error) {
	all := func(undoevent.Result) bool { return true }
	done, err := persist.Undo(ctx, c.Undos(), in, undoers(), c.Open, all)
	return undoOut{
		Undone: done.Title, Event: done.Result.Event, Note: cmp.Or(done.Note, done.Result.Note), Recent: done.Recent, Provenance: done.Provenance,
	}, err
}

// Undoable returns the last changes that calendar_undo can revert, newest first, at most
// limit.
func Undoable(ctx context.Context, deps Deps, limit int) ([]bundles.Undoable, error) {
	return agenda.UndosIn(deps.Stores.Undos, deps.Now).Undoable(ctx, limit)
}

// UnfinishedSplits returns the titles of changes that split a series and may be
// unfinished, so that some events may exist twice.
func UnfinishedSplits(ctx context.Context, undos UndoStore) ([]string, error) {
	open := func(context.Context) (UndoStore, error) { return undos, nil }
	list, err := series.Splits(ctx, agenda.UndosIn(open, time.Now))
	if err != nil {
		return nil, err
	}
	titles := []string{}
	for _, one := range list {
		if !one.Done {
			titles = append(titles, one.ListTitle)
		}
	}
	return titles, nil
}
