package gmail

import (
	"cmp"
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/drafts"
	"kota/bundles/gmail/internal/filters"
	"kota/bundles/gmail/internal/labels"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/vacation"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// undoers maps each kind of change that can be undone to its undo function.
var undoers = map[string]persist.Undoer[*mailbox.Mailbox, mailbox.UndoResult]{
	labels.KindModify:     {Scopes: []string{mailbox.ScopeModify}, Undo: labels.UndoModify},
	labels.KindManage:     {Scopes: []string{mailbox.ScopeModify}, Undo: labels.UndoManage},
	filters.KindFilter:    {Scopes: []string{mailbox.ScopeSettings, mailbox.ScopeRead}, Undo: filters.Undo},
	vacation.KindVacation: {Scopes: []string{mailbox.ScopeSettings}, Undo: vacation.Undo},
	drafts.KindChange:     {Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead}, Undo: drafts.UndoChange},
	drafts.KindSaved:      {Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead}, Undo: drafts.UndoSave},
}

type undoOut struct {
	Undone   string             `json:"undone,omitempty"`   // a description of the change
	Messages int                `json:"messages,omitempty"` // the number of messages whose labels were restored
	Note     string             `json:"note,omitempty"`
	Errors   []mailbox.Failure  `json:"errors,omitempty"` // the messages that are not restored yet; the same call tries again
	Recent   []persist.Undoable `json:"recent,omitempty"` // without undo_id in the call: the last ten changes

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // the provenance of undone
}

func (g *gmail) undoAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "undo", Effect: metadata.Writes, Undoes: true, Scopes: []string{mailbox.ScopeRead}, // undoers lists the further scopes of each kind of change
		Summary:  "Undo a change of mail, drafts, labels, filters or auto-reply.",
		Tags:     []string{"restore", "revert"},
		Examples: []metadata.Example{{Title: "What can be undone", Args: persist.UndoIn{}}},
		Errors: []metadata.Code{
			metadata.NotFound, metadata.Conflict, metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited, metadata.Unavailable, metadata.OutcomeUnknown,
		},
		Notes: []string{
			"Only that change is undone. If the same thing was changed again since, it fails with CONFLICT and the current values; overwrite undoes it anyway.",
			"A change can be undone once, for 30 days.",
			"It never turns on an automatic reply or adds recipients to it: the text is restored and the reply stays off.",
		},
	}, g.undo)
}

func (g *gmail) undo(ctx context.Context, in persist.UndoIn) (undoOut, error) {
	isComplete := func(result mailbox.UndoResult) bool { return len(result.Failed) == 0 }
	done, err := persist.Undo(ctx, g.Undos(), in, undoers, g.Open, isComplete)
	result := done.Result
	return undoOut{
		Undone: done.Title, Messages: result.Messages, Note: cmp.Or(done.Note, result.Note), Errors: result.Failed, Recent: done.Recent, Provenance: done.Provenance,
	}, err
}

// Undoable returns the newest changes that gmail_undo can undo, newest first, at most
// limit.
func Undoable(ctx context.Context, deps Deps, limit int) ([]bundles.Undoable, error) {
	return newGmail(deps).Undos().Undoable(ctx, limit)
}
