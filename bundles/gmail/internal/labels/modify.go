package labels

import (
	"context"
	"fmt"
	"time"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// ModifyIn are the arguments of gmail_modify_messages.
type ModifyIn struct {
	IDs       []string `json:"ids,omitempty" max:"100" doc:"messages" audit:"show"`
	ThreadIDs []string `json:"thread_ids,omitempty" max:"20" doc:"or whole threads" audit:"show"`
	Query     string   `json:"query,omitempty" max:"2000" doc:"or Gmail search: \"older_than:1y is:unread\""`
	Limit     int      `json:"limit,omitempty" alias:"max_results,count" min:"1" max:"500" doc:"with query: the newest"`
	Archive   *bool    `json:"archive,omitempty"`
	Read      *bool    `json:"read,omitempty"`
	Star      *bool    `json:"star,omitempty"`
	Important *bool    `json:"important,omitempty"`
	Spam      *bool    `json:"spam,omitempty"`
	Trash     *bool    `json:"trash,omitempty"`
	Add       []string `json:"add_labels,omitempty" max:"20" doc:"by name" audit:"show"`
	Remove    []string `json:"remove_labels,omitempty" max:"20" doc:"by name" audit:"show"`
	DryRun    bool     `json:"dry_run,omitempty" doc:"only say what would change"`
	Account   string   `json:"account,omitempty" doc:"name or address" audit:"show"`
}

// Effect returns Reads for a dry run, which changes nothing, and otherwise Writes.
func (in ModifyIn) Effect() metadata.Effect {
	if in.DryRun {
		return metadata.Reads
	}
	return metadata.Writes
}

// ModifyOut is the result of gmail_modify_messages.
type ModifyOut struct {
	DryRun    bool              `json:"dry_run,omitempty"` // nothing was changed; the other fields say what would change
	Matched   int               `json:"matched"`
	More      bool              `json:"more,omitempty"` // more messages match than Matched
	Changed   int               `json:"changed"`
	Unchanged int               `json:"unchanged"`          // number of messages that already had the requested labels
	Messages  []previewRow      `json:"messages,omitempty"` // dry_run: the first messages that would change
	Errors    []mailbox.Failure `json:"errors,omitempty"`   // all other messages were changed or needed no change
	UndoID    string            `json:"undo_id,omitempty"`  // for gmail_undo
}

// previewRow is a message in the answer of a dry run.
type previewRow struct {
	ID      string `json:"id"`
	From    string `json:"from"`
	Subject string `json:"subject"`
	Date    string `json:"date"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

const (
	maxModified  = 500 // messages in one call
	maxTrashed   = 100 // messages in one call; each takes one request of 20 quota units
	maxPreviewed = 10  // messages in the answer of a dry run
)

// Modify changes the labels of the selected messages, and saves the previous state. Call
// in.Check first.
func Modify(ctx context.Context, m *mailbox.Mailbox, in ModifyIn) (ModifyOut, error) {
	change, err := changeOf(ctx, m, in)
	if err != nil {
		return ModifyOut{}, err
	}
	selected, err := selectMessages(ctx, m, in, change)
	if err != nil {
		return ModifyOut{}, err
	}
	planned := change.plan(selected)
	out := ModifyOut{Matched: selected.matched, More: selected.more, Errors: selected.missing, DryRun: in.DryRun}
	out.Changed = len(planned)
	out.Unchanged = len(selected.ids) - len(planned)
	switch {
	case len(planned) == 0:
		return out, nil
	case in.DryRun:
		out.Messages, err = previewMessages(ctx, m, planned[:min(len(planned), maxPreviewed)])
		return out, err
	}
	if err := confirmRemoval(ctx, m, change, selected, planned); err != nil {
		return ModifyOut{}, err
	}
	return applyChange(ctx, m, out, change, selected, planned)
}

// applyChange changes the labels of the planned messages, and saves the previous state. It
// returns out with the outcome.
func applyChange(ctx context.Context, m *mailbox.Mailbox, out ModifyOut, change *labelChange, selected selection, planned []string) (ModifyOut, error) {
	add, remove := change.addAndRemove()
	intended := map[string][]string{}
	for _, id := range planned {
		intended[id] = applyLabels(selected.labels[id], add, remove)
	}
	undo, err := m.Undos().SaveMany(ctx, len(planned), m.Account.Key(), change.title(len(planned)), KindModify, change.undoRecord(selected.labels, planned, intended))
	if err != nil {
		return ModifyOut{}, err
	}
	result := relabel(ctx, m, planned, selected.labels, add, remove)
	changed := result.changed(planned)
	before := change.undoRecord(selected.labels, planned, result.labels)
	if len(before.Changes) == 0 {
		return ModifyOut{}, m.Undos().Drop(ctx, undo, result.firstError(planned))
	}
	// The undo also covers changes with an unknown outcome: restoring an unchanged label
	// is harmless.
	if err := m.Undos().Amend(ctx, undo, change.title(len(before.ids())), before); err != nil {
		return ModifyOut{}, err
	}
	if len(changed) == 0 && result.hasUnknown() {
		return ModifyOut{}, m.Undos().Unknown(undo, result.firstError(planned))
	}
	out.Changed = len(changed)
	out.Errors = append(out.Errors, result.failures(planned)...)
	out.UndoID = undo
	return out, nil
}

// previewMessages returns the rows of a dry run.
func previewMessages(ctx context.Context, m *mailbox.Mailbox, ids []string) ([]previewRow, error) {
	summaries, err := mailcache.SummariesOf(ctx, m, ids)
	if err != nil {
		return nil, err
	}
	rows := []previewRow{}
	for _, h := range summaries {
		rows = append(rows, previewRow{
			ID: h.ID, From: mailbody.Line(h.Header("From"), mailbody.MaxName), Subject: mailbody.Line(h.Header("Subject"), mailbody.MaxName),
			Date: h.Date.In(m.Now().Location()).Format(time.DateOnly), Provenance: present.ProvenanceOfSummary(ctx, h),
		})
	}
	return rows, nil
}

// Check returns a VALIDATION_ERROR unless the call has exactly one of ids, thread_ids and
// query, all ids are valid, and limit is given only with query.
func (in ModifyIn) Check() error {
	given := 0
	for _, is := range []bool{len(in.IDs) > 0, len(in.ThreadIDs) > 0, in.Query != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		return arguments.Invalid("ids", "one of ids, thread_ids and query", fmt.Sprintf("%d of them", given)).
			WithHint("Choose the messages with exactly one of ids, thread_ids and query. Nothing was changed.")
	}
	if in.Limit != 0 && in.Query == "" {
		return arguments.Invalid("limit", "a query with it", "none").WithHint("limit only works with query: omit it, or give fewer ids.")
	}
	if err := mailbox.CheckIDs("ids", in.IDs); err != nil {
		return err
	}
	return mailbox.CheckIDs("thread_ids", in.ThreadIDs)
}
