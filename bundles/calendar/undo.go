package calendar

import (
	"context"
	"encoding/json"
	"fmt"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/calendars"
	"kota/bundles/calendar/internal/change"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/invitation"
	"kota/bundles/calendar/internal/putback"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// An undoer puts back what one kind of change found.
type undoer struct {
	scopes []string // that a call of it needs
	// undo puts back what is in before. It may be repeated after it has failed.
	undo func(ctx context.Context, a *agenda.Agenda, r persist.Reversal, before json.RawMessage) (putback.Result, error)
}

// undoers are the kinds of changes that can be undone.
func undoers() map[string]undoer {
	return map[string]undoer{
		undoMade:            {[]string{scopeEvents}, undoing(revertCreate)},
		change.KindUpdate:   {[]string{scopeEvents}, undoing(change.UndoUpdate)},
		change.KindDelete:   {[]string{scopeEvents}, undoing(change.UndoDelete)},
		series.UndoKind:     {[]string{scopeEvents}, undoing(change.UndoFollowing)},
		undoMove:            {[]string{scopeEvents, scopeRead}, undoing(revertMove)},
		invitation.UndoKind: {[]string{scopeEvents}, undoing(invitation.Undo)},
		calendars.UndoKind:  {[]string{scopeRead, scopeManage, scopeList}, undoing(calendars.Undo)},
	}
}

// undoing makes an undoer's function of one that takes what was kept as it was
// given to undos().Save.
func undoing[Before any](undo func(ctx context.Context, a *agenda.Agenda, r persist.Reversal, before Before) (putback.Result, error)) func(context.Context, *agenda.Agenda, persist.Reversal, json.RawMessage) (putback.Result, error) {
	return func(ctx context.Context, a *agenda.Agenda, r persist.Reversal, raw json.RawMessage) (putback.Result, error) {
		var before Before
		if err := json.Unmarshal(raw, &before); err != nil {
			return putback.Result{}, fmt.Errorf("read what was before: %w", err)
		}
		return undo(ctx, a, r, before)
	}
}

type undoIn struct {
	ID        string `json:"undo_id,omitempty" doc:"of a change; without: list what can be undone" audit:"show"`
	Overwrite bool   `json:"overwrite,omitempty" doc:"also what was changed since, if the user wants that"`
}

// Effect says what this call does: without an id it lists.
func (in undoIn) Effect() metadata.Effect {
	if in.ID == "" {
		return metadata.Reads
	}
	return metadata.Writes
}

type undoOut struct {
	Undone string             `json:"undone,omitempty"` // what the change was
	Event  *eventtext.Row     `json:"event,omitempty"`  // as it is now
	Note   string             `json:"note,omitempty"`
	Recent []persist.Undoable `json:"recent,omitempty"` // the last ten, without undo_id

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of undone
}

func (c *calendar) undoAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "undo", Effect: metadata.Writes, Undoes: true, Scopes: []string{scopeRead}, OptionalScopes: []string{scopeShared}, // the kind of change says what else: undoers
		Summary:  "Put back what a change of an event or a calendar found.",
		Tags:     []string{"restore", "revert"},
		Examples: []metadata.Example{{Title: "What can be undone", Args: undoIn{}}},
		Errors:   readErrors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown, metadata.TooLarge),
		Notes: []string{
			"Only what the change itself did is taken back. If somebody has changed the same since, it answers CONFLICT with the current values; overwrite undoes it all the same.",
			"Guests are told of it when they were told of the change, and it asks first where they would see it.",
			"A change can be undone once, for 30 days.",
		},
	}, c.undo)
}

func (c *calendar) undo(ctx context.Context, in undoIn) (undoOut, error) {
	if in.ID == "" {
		recent, err := c.Undos().Recent(ctx)
		out := undoOut{Recent: recent}
		if len(recent) == 0 {
			out.Note = "there is nothing to undo"
		}
		return out, err
	}
	r := persist.Reversal{ID: in.ID, Tool: c.Undos().Tool, Overwrite: in.Overwrite}
	whose, done := c.Undos().Provenance(ctx), putback.Result{} // an error quotes it too
	change, err := c.Undos().Run(ctx, in.ID, func(ctx context.Context, change *store.Undo) (_ bool, err error) {
		done, err = c.putBack(ctx, r, change)
		return err == nil, err
	})
	if err != nil {
		return undoOut{}, err
	}
	return undoOut{Undone: change.Title, Provenance: whose, Event: done.Event, Note: done.Note}, nil
}

func (c *calendar) putBack(ctx context.Context, r persist.Reversal, change *store.Undo) (putback.Result, error) {
	by, known := undoers()[change.Kind]
	if !known {
		return putback.Result{}, metadata.Errorf(metadata.Unavailable, "a later KOTA made this change: this one cannot undo it").WithHint("Update KOTA.")
	}
	ctx = bundles.WithScopes(ctx, by.scopes)
	a, err := c.Open(ctx, change.Account)
	if err != nil {
		return putback.Result{}, err
	}
	return by.undo(ctx, a, r, change.Before)
}
