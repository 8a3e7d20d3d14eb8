package gmail

import (
	"context"
	"encoding/json"

	"kota/bundles"
	"kota/bundles/gmail/internal/drafts"
	"kota/bundles/gmail/internal/filters"
	"kota/bundles/gmail/internal/labels"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/vacation"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// An undoer puts back what one kind of change found.
type undoer struct {
	scopes []string // that a call of it needs
	// undo puts back what is in before. It may be repeated after it has failed.
	undo func(ctx context.Context, m *mailbox.Mailbox, r persist.Reversal, before json.RawMessage) (mailbox.PutBack, error)
}

// undoers are the kinds of changes that can be undone.
var undoers = map[string]undoer{
	labels.KindModify:     {[]string{mailbox.ScopeModify}, labels.UndoModify},
	labels.KindManage:     {[]string{mailbox.ScopeModify}, labels.UndoManage},
	filters.KindFilter:    {[]string{mailbox.ScopeSettings, mailbox.ScopeRead}, filters.Undo},
	vacation.KindVacation: {[]string{mailbox.ScopeSettings}, vacation.Undo},
	drafts.KindChange:     {[]string{mailbox.ScopeCompose, mailbox.ScopeRead}, drafts.UndoChange},
	drafts.KindMade:       {[]string{mailbox.ScopeCompose, mailbox.ScopeRead}, drafts.UndoMade},
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
	Undone   string             `json:"undone,omitempty"`   // what the change was
	Messages int                `json:"messages,omitempty"` // whose labels are as they were
	Note     string             `json:"note,omitempty"`
	Errors   []mailbox.Failure  `json:"errors,omitempty"` // what is not put back yet: repeat the call
	Recent   []persist.Undoable `json:"recent,omitempty"` // the last ten, without undo_id

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of undone
}

func (g *gmail) undoAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "undo", Effect: metadata.Writes, Undoes: true, Scopes: []string{mailbox.ScopeRead}, // the kind of change says what else: undoers
		Summary:  "Put back what a change of mail, drafts, labels, filters or auto-reply found.",
		Tags:     []string{"restore", "revert"},
		Examples: []metadata.Example{{Title: "What can be undone", Args: undoIn{}}},
		Errors: []metadata.Code{
			metadata.NotFound, metadata.Conflict, metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited, metadata.Unavailable, metadata.OutcomeUnknown,
		},
		Notes: []string{
			"Only what the change itself did is taken back. If somebody has changed the same since, it answers CONFLICT with the current values; overwrite undoes it all the same.",
			"A change can be undone once, for 30 days.",
			"An automatic reply is never switched on by it, nor made to answer more people: its text comes back with the reply off.",
		},
	}, g.undo)
}

func (g *gmail) undo(ctx context.Context, in undoIn) (undoOut, error) {
	if in.ID == "" {
		return g.listUndos(ctx)
	}
	r := persist.Reversal{ID: in.ID, Tool: g.Undos().Tool, Overwrite: in.Overwrite}
	whose, did := g.Undos().Provenance(ctx), mailbox.PutBack{} // an error quotes it too
	change, err := g.Undos().Run(ctx, in.ID, func(ctx context.Context, change *store.Undo) (done bool, err error) {
		did, err = g.putBack(ctx, r, change)
		return len(did.Failed) == 0, err
	})
	if err != nil {
		return undoOut{}, err
	}
	return undoOut{Undone: change.Title, Provenance: whose, Messages: did.Messages, Note: did.Note, Errors: did.Failed}, nil
}

func (g *gmail) putBack(ctx context.Context, r persist.Reversal, change *store.Undo) (mailbox.PutBack, error) {
	by, ok := undoers[change.Kind]
	if !ok {
		return mailbox.PutBack{}, metadata.Errorf(metadata.Unavailable, "a later KOTA made this change: this one cannot undo it").WithHint("Update KOTA.")
	}
	ctx = bundles.WithScopes(ctx, by.scopes)
	m, err := g.Open(ctx, change.Account)
	if err != nil {
		return mailbox.PutBack{}, err
	}
	return by.undo(ctx, m, r, change.Before)
}

func (g *gmail) listUndos(ctx context.Context) (undoOut, error) {
	recent, err := g.Undos().Recent(ctx)
	out := undoOut{Recent: recent}
	if len(recent) == 0 {
		out.Note = "there is nothing to undo"
	}
	return out, err
}
