package gmail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kota/bundles"
	"kota/bundles/internal/arguments"
	"kota/metadata"
	"kota/store"
)

// An undoer puts back what one kind of change found.
type undoer struct {
	scopes []string // that a call of it needs
	// undo puts back what is in before. It may be repeated after it has failed.
	undo func(ctx context.Context, m *mailbox, before json.RawMessage) (putBack, error)
}

// undoers are the kinds of changes that can be undone.
var undoers = map[string]undoer{
	undoLabels:   {[]string{scopeModify}, undoLabelChange},
	undoLabel:    {[]string{scopeModify}, undoLabelItself},
	undoFilter:   {[]string{scopeSettings, scopeRead}, undoFilterChange},
	undoVacation: {[]string{scopeSettings}, undoVacationChange},
	undoDraft:    {[]string{scopeCompose, scopeRead}, putDraftBack},
}

// A putBack is what an undo did.
type putBack struct {
	Messages int       // whose labels are as they were before
	Note     string    // what is not as before, and why
	Failed   []failure // what can be tried again
}

// A failure is what went wrong with some of the messages of a call.
type failure struct {
	IDs     []string      `json:"ids"`
	Code    metadata.Code `json:"error"`
	Message string        `json:"message"`
}

// saveUndo keeps what was there before a change and returns the id that
// gmail_undo takes. It is called before the change is made: where nothing can
// be kept, nothing is changed. kind names the undoer that reads before, which
// is kept as JSON.
func (g *gmail) saveUndo(ctx context.Context, m *mailbox, title, kind string, before any) (id string, err error) {
	undos, err := g.undos(ctx)
	if err != nil {
		return "", explain(err)
	}
	raw, err := json.Marshal(before)
	if err != nil {
		return "", fmt.Errorf("keep for undo: %w", err)
	}
	id, err = undos.Save(ctx, store.Undo{Account: m.account.Key(), Kind: kind, Title: title, Before: raw})
	return id, explain(err)
}

// amendUndo corrects what was kept to what was changed in the end. The change
// has been made, so that it is done though the call were cancelled.
func (g *gmail) amendUndo(ctx context.Context, id, title string, before any) error {
	undos, err := g.undos(ctx)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(before)
	if err != nil {
		return fmt.Errorf("amend undo: %w", err)
	}
	return explain(undos.Amend(context.WithoutCancel(ctx), id, title, raw))
}

// dropUndo forgets a change that certainly was not made, and returns why it
// was not.
func (g *gmail) dropUndo(ctx context.Context, id string, why error) error {
	undos, err := g.undos(ctx)
	if err == nil {
		err = explain(undos.Drop(context.WithoutCancel(ctx), id))
	}
	return errors.Join(why, err)
}

func (g *gmail) undos(ctx context.Context) (*store.Undos, error) {
	db, err := g.DB(ctx)
	if err != nil {
		return nil, err
	}
	return db.Undos(owner, "gmail"), nil
}

type undoIn struct {
	ID string `json:"undo_id,omitempty" doc:"of a change; without: list what can be undone"`
}

// Effect says what this call does: without an id it lists.
func (in undoIn) Effect() metadata.Effect {
	if in.ID == "" {
		return metadata.Reads
	}
	return metadata.Writes
}

type undoOut struct {
	Undone   string     `json:"undone,omitempty"`   // what the change was
	Messages int        `json:"messages,omitempty"` // whose labels are as they were
	Note     string     `json:"note,omitempty"`
	Errors   []failure  `json:"errors,omitempty"` // what is not put back yet: repeat the call
	Recent   []undoable `json:"recent,omitempty"` // the last ten, without undo_id
}

type undoable struct {
	ID      string `json:"undo_id"`
	Title   string `json:"title"`
	Account string `json:"account"`
	At      string `json:"at"`
}

func (g *gmail) undoAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "undo", Effect: metadata.Writes, Scopes: []string{scopeRead}, // the kind of change says what else: undoers
		Summary:  "Put back what a change of mail, drafts, labels, filters or auto-reply found.",
		Tags:     []string{"restore", "revert"},
		Phrases:  []string{"undo that", "put those mails back", "I did not mean to archive that", "bring the label back", "what can I undo"},
		Examples: []metadata.Example{{Title: "What can be undone", Args: undoIn{}}},
		Errors: []metadata.Code{
			metadata.NotFound, metadata.Conflict, metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited, metadata.Unavailable, metadata.OutcomeUnknown,
		},
		Notes: []string{
			"Only what the change itself did is taken back: labels that were changed since stay as they are.",
			"A change can be undone once, for 30 days.",
			"An automatic reply is never switched on by it, nor made to answer more people: its text comes back with the reply off.",
		},
	}, g.undo)
}

func (g *gmail) undo(ctx context.Context, in undoIn) (undoOut, error) {
	undos, err := g.undos(ctx)
	if err != nil {
		return undoOut{}, explain(err)
	}
	if in.ID == "" {
		return g.listUndos(ctx, undos)
	}
	change, err := undos.Claim(ctx, in.ID)
	if err != nil {
		return undoOut{}, explainUndo(err, in.ID, g.Now().Location())
	}
	done, err := g.putBack(ctx, change)
	after := context.WithoutCancel(ctx)
	if err != nil || len(done.Failed) > 0 {
		err = errors.Join(err, undos.Release(after, in.ID))
	} else {
		err = undos.Done(after, in.ID)
	}
	return undoOut{Undone: change.Title, Messages: done.Messages, Note: done.Note, Errors: done.Failed}, err
}

func (g *gmail) putBack(ctx context.Context, change *store.Undo) (putBack, error) {
	by, ok := undoers[change.Kind]
	if !ok {
		return putBack{}, metadata.Errorf(metadata.Unavailable, "a later KOTA made this change: this one cannot undo it").WithHint("Update KOTA.")
	}
	ctx = bundles.WithScopes(ctx, by.scopes)
	m, err := g.open(ctx, change.Account)
	if err != nil {
		return putBack{}, err
	}
	return by.undo(ctx, m, change.Before)
}

func (g *gmail) listUndos(ctx context.Context, undos *store.Undos) (undoOut, error) {
	const most = 10
	recent, err := undos.Recent(ctx, most)
	if err != nil {
		return undoOut{}, explain(err)
	}
	out := undoOut{Recent: []undoable{}}
	for _, one := range recent {
		out.Recent = append(out.Recent, undoable{ID: one.ID, Title: one.Title, Account: one.Account, At: one.Created.In(g.Now().Location()).Format(time.RFC3339)})
	}
	if len(recent) == 0 {
		out.Note = "there is nothing to undo"
	}
	return out, nil
}

func explainUndo(err error, id string, zone *time.Location) error {
	undone := (*store.UndoneError)(nil)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return &metadata.Error{
			Code: metadata.NotFound, Message: fmt.Sprintf("there is no change %q to undo", arguments.Brief(id)), Cause: err,
			Hint: "Changes can be undone for 30 days; gmail_undo without undo_id lists the last ones.",
		}
	case errors.As(err, &undone):
		return &metadata.Error{Code: metadata.Conflict, Message: "it was undone at " + undone.At.In(zone).Format(time.RFC3339), Hint: "Nothing is left to do.", Cause: err}
	case errors.Is(err, store.ErrClaimed):
		return &metadata.Error{Code: metadata.Conflict, Message: store.ErrClaimed.Error(), Hint: "Wait for that call; repeat this one if it failed.", Retryable: true, Cause: err}
	}
	return explain(err)
}
