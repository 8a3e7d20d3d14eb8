package daily

import (
	"context"
	"errors"
	"strconv"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/entry"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

type editIn struct {
	ID        string         `json:"id,omitempty" doc:"of an entry, or of a document to delete or restore" audit:"show"`
	Text      *string        `json:"text,omitempty"`
	Type      *string        `json:"type,omitempty"`
	Date      string         `json:"date,omitempty" audit:"show"`
	Time      string         `json:"time,omitempty" doc:"\"none\" removes it"`
	Timezone  string         `json:"timezone,omitempty" audit:"show"`
	Section   *string        `json:"section,omitempty"`
	Mood      *int           `json:"mood,omitempty" min:"0" max:"5" doc:"0: none" audit:"hide"`
	Energy    *int           `json:"energy,omitempty" min:"0" max:"5" audit:"hide"`
	Metrics   map[string]any `json:"metrics,omitempty" doc:"only these change; null removes one"`
	Tags      []string       `json:"tags,omitempty" doc:"replaces all"`
	Links     []string       `json:"links,omitempty" doc:"replaces all"`
	IfVersion *int64         `json:"if_version,omitempty" min:"1"`
	Delete    bool           `json:"delete,omitempty"`
	Version   int64          `json:"version,omitempty" min:"1" doc:"restore this one"`
	UndoID    string         `json:"undo_id,omitempty" doc:"alone: undoes that change" audit:"show"`
}

type editOut struct {
	IDs     []string   `json:"ids"`
	Status  string     `json:"status" enum:"edited,unchanged,deleted,restored"`
	Version int64      `json:"version,omitempty"` // the version after the edit; 0 if deleted or restored
	Date    string     `json:"date,omitempty"`
	Why     string     `json:"why,omitempty"`    // reason for the date
	Before  *entry.Row `json:"before,omitempty"` // shortened
	UndoID  string     `json:"undo_id,omitempty"`
}

func (d *daily) editAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "edit", Effect: metadata.Writes, Undoes: true,
		Summary:     "Correct or delete one entry, or undo such a change.",
		Description: "What you omit stays; every version is kept.",
		Tags:        []string{"correct", "delete", "undo", "restore"},
		Aliases: metadata.Aliases{
			"update edit modify change: - entry",
			"delete remove: - entry (delete: true)",
		},
		Examples: []metadata.Example{
			{Title: "Correct a metric", Args: editIn{ID: exampleEntry, Metrics: map[string]any{"sleep_hours": 8}}},
			{Title: "Move it to another day", Args: editIn{ID: exampleEntry, Date: "yesterday"}},
			{Title: "Delete it", Args: editIn{ID: exampleEntry, Delete: true}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.NotFound, metadata.Conflict, metadata.TooLarge},
		Notes: []string{
			"A new date keeps the time of day; a new time keeps the date.",
			"An undo_id undoes the change of the diary whose answer returned it; undoing returns one too. It fails if the same thing was changed again: daily_get {id} lists the versions.",
			"There is no action that replaces a whole day.",
		},
	}, d.edit)
}

// exampleEntry is the id of the first entry of a new diary.
const exampleEntry = "ejmbx4h"

func (d *daily) edit(ctx context.Context, in editIn) (editOut, error) {
	var p days.Problems
	switch {
	case in.UndoID != "" && (in.ID != "" || in.Delete || in.Version != 0 || in.IfVersion != nil || in.hasChanges()):
		p.Add("undo_id", "given alone", in.UndoID)
	case in.UndoID == "" && in.ID == "":
		p.Add("id", "given, or undo_id instead", in.ID)
	case in.UndoID == "" && !in.Delete && in.Version == 0 && !in.hasChanges():
		p.Add("text", "given, or another change, or delete", "")
	case in.Delete && (in.Version != 0 || in.hasChanges()):
		p.Add("delete", "omitted if something is changed", "true")
	case in.Version != 0 && in.hasChanges():
		p.Add("version", "omitted if something is changed", strconv.FormatInt(in.Version, 10))
	}
	if err := p.Err(); err != nil {
		return editOut{}, err
	}
	diary, err := d.diary(ctx)
	switch {
	case err != nil:
		return editOut{}, err
	case in.UndoID != "":
		return d.undo(ctx, diary, in.UndoID)
	case in.Version != 0:
		return restoreVersion(ctx, diary, in)
	case isDocument(in.ID):
		return deleteDocument(ctx, diary, in)
	}
	return d.change(ctx, diary, in)
}

// hasChanges reports whether the call changes a field.
func (in editIn) hasChanges() bool {
	return in.Text != nil || in.Type != nil || in.Date != "" || in.Time != "" || in.Timezone != "" || in.Section != nil || in.Mood != nil || in.Energy != nil ||
		len(in.Metrics) > 0 || in.Tags != nil || in.Links != nil
}

// change edits or deletes the version of the entry that it read. It fails if another
// client changes the entry in the meantime.
func (d *daily) change(ctx context.Context, diary Diary, in editIn) (editOut, error) {
	e, err := diary.Entry(ctx, in.ID)
	if err != nil {
		return editOut{}, unknownID(in.ID, err)
	}
	if in.IfVersion != nil && *in.IfVersion != e.Version {
		return editOut{}, rows.Explain(&store.ChangedError{ID: e.ID, Version: e.Version})
	}
	before := entry.RowOf(ctx, e, rows.Brief, d.Zone())
	if in.Delete {
		removed, err := diary.DeleteVersion(ctx, e.ID, e.Version)
		if err != nil {
			return editOut{}, unknownID(in.ID, err)
		}
		return editOut{IDs: removed.IDs, Status: "deleted", Date: e.Date, Before: &before, UndoID: removed.Undo}, nil
	}
	var p days.Problems
	change, why := entry.ReadChanges(ctx, &p, d.Clock, e, entry.Changes{
		Text: in.Text, Type: in.Type, Date: in.Date, Time: in.Time, Timezone: in.Timezone, Section: in.Section, Mood: in.Mood, Energy: in.Energy,
		Metrics: in.Metrics, Tags: in.Tags, Links: in.Links,
	})
	if err := p.Err(); err != nil {
		return editOut{}, err
	}
	edited, err := diary.EditEntry(ctx, change)
	if err != nil {
		return editOut{}, rows.Explain(err)
	}
	now := edited.After
	if edited.Undo == "" {
		return editOut{IDs: []string{now.ID}, Status: "unchanged", Version: now.Version, Date: now.Date}, nil
	}
	return editOut{IDs: []string{now.ID}, Status: "edited", Version: now.Version, Date: now.Date, Why: why, Before: &before, UndoID: edited.Undo}, nil
}

// deleteDocument deletes a document. With IfVersion, it fails if the document has
// another version. Without IfVersion, it fails if another client changes the document in
// the meantime. It refuses a call that changes fields, because only daily_plan and
// daily_review change a document's answers.
func deleteDocument(ctx context.Context, diary Diary, in editIn) (editOut, error) {
	if !in.Delete {
		var p days.Problems
		p.Add("id", "the id of an entry, to change a part of it", in.ID)
		p.Hint = "To change a plan or a review, call daily_plan or daily_review with its period and the new answers. delete and version also work for documents."
		return editOut{}, p.Err()
	}
	doc, err := diary.Document(ctx, in.ID)
	if err != nil {
		return editOut{}, unknownID(in.ID, err)
	}
	if in.IfVersion == nil {
		in.IfVersion = &doc.Version
	}
	removed, err := diary.DeleteVersion(ctx, in.ID, *in.IfVersion)
	if err != nil {
		return editOut{}, unknownID(in.ID, err)
	}
	return editOut{IDs: removed.IDs, Status: "deleted", Date: doc.Period, UndoID: removed.Undo}, nil
}

// restoreVersion restores an earlier version of an entry or a document.
func restoreVersion(ctx context.Context, diary Diary, in editIn) (editOut, error) {
	restored, err := diary.RestoreVersion(ctx, in.ID, in.Version, in.IfVersion)
	if errors.Is(err, store.ErrNotFound) {
		e := metadata.Errorf(metadata.NotFound, "%.40q has no earlier version %d", in.ID, in.Version)
		e.Cause = err
		return editOut{}, e.WithHint("daily_get {\"id\": %q} lists its versions.", in.ID)
	}
	return restoredAnswer(restored), rows.Explain(err)
}

func (d *daily) undo(ctx context.Context, diary Diary, id string) (editOut, error) {
	restored, err := diary.Restore(ctx, id)
	if undone := (*store.UndoneError)(nil); errors.As(err, &undone) {
		return editOut{}, persist.AlreadyUndone(err, undone.At.In(d.Zone()))
	}
	if errors.Is(err, store.ErrNotFound) {
		e := metadata.Errorf(metadata.NotFound, "there is no change %.40q to undo", id)
		e.Cause = err
		return editOut{}, e.WithHint("The answer of the change has its undo_id; daily_get {\"id\": …} lists those of an entry.")
	}
	return restoredAnswer(restored), rows.Explain(err)
}

func restoredAnswer(r store.RestoreResult) editOut {
	out := editOut{IDs: append([]string{}, r.IDs...), Status: "restored", UndoID: r.Undo}
	if r.Deleted {
		out.Status = "deleted"
	}
	return out
}
