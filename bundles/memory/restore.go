package memory

import (
	"context"
	"errors"
	"strconv"

	"kota/bundles"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type restoreIn struct {
	Key     string `json:"key,omitempty" doc:"of a deleted or expired memory, or with version"`
	Version int64  `json:"version,omitempty" min:"1"`
	UndoID  string `json:"undo_id,omitempty" doc:"or this, from an earlier answer" audit:"show"`
}

type restoreOut struct {
	Restored []restoredMemory `json:"restored"`
	UndoID   string           `json:"undo_id,omitempty"` // undoes the restore
}

type restoredMemory struct {
	Key     string `json:"key"`
	Version int64  `json:"version"`           // the new version
	Deleted bool   `json:"deleted,omitempty"` // not visible: before the undone change it did not exist, or was deleted or expired

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of the key
}

func (m *memory) restoreAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "restore", Effect: metadata.Writes, Undoes: true,
		Summary:     "Restore an earlier version, or undo a change or deletion.",
		Description: "An expired memory is restored without expiry.",
		Tags:        []string{"undo", "undelete", "revert"},
		Aliases:     metadata.Aliases{"undo undelete revert: - memory"},
		Examples: []metadata.Example{
			{Title: "An earlier version", Args: restoreIn{Key: "anna", Version: 1}},
			{Title: "Undo a change", Args: restoreIn{UndoID: "u1"}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.NotFound, metadata.Conflict},
	}, m.restore)
}

func (m *memory) restore(ctx context.Context, in restoreIn) (restoreOut, error) {
	var p problems
	switch {
	case in.UndoID != "" && (in.Key != "" || in.Version != 0):
		p.add("undo_id", "omitted when key or version is given", strconv.Quote(in.UndoID))
	case in.UndoID == "" && in.Key == "":
		p.add("key", "one of key and undo_id", "neither")
	}
	if err := p.err(); err != nil {
		return restoreOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return restoreOut{}, err
	}
	written, err := restoreVersions(ctx, memories, in)
	if err != nil {
		if undone := (*store.UndoneError)(nil); errors.As(err, &undone) {
			return restoreOut{}, persist.AlreadyUndone(err, undone.At.In(m.Zone()))
		}
		return restoreOut{}, explainRestore(ctx, err, in)
	}
	out := restoreOut{Restored: make([]restoredMemory, 0, len(written))}
	for _, w := range written {
		out.Restored = append(out.Restored, restoredMemory{Key: w.Key, Version: w.Version, Deleted: w.Deleted, Provenance: untrusted.MarkMemory(ctx, w.Source)})
		out.UndoID = w.Undo
	}
	return out, nil
}

func restoreVersions(ctx context.Context, memories Memories, in restoreIn) ([]store.WriteResult, error) {
	switch {
	case in.UndoID != "":
		return memories.Restore(ctx, in.UndoID)
	case in.Version != 0:
		one, err := memories.RestoreVersion(ctx, in.Key, in.Version)
		return []store.WriteResult{one}, err
	}
	return restoreLatest(ctx, memories, in.Key)
}

// restoreLatest restores the last value of a key whose memory expired, was deleted, or
// disappeared because its creation was undone. For any other memory it returns a
// VALIDATION_ERROR.
func restoreLatest(ctx context.Context, memories Memories, key string) ([]store.WriteResult, error) {
	changes, err := memories.History(ctx, key, 1)
	if err != nil {
		return nil, err
	}
	last := changes[0]
	if one, err := memories.RestoreVersion(ctx, key, last.Version); !errors.Is(err, store.ErrNotFound) {
		return []store.WriteResult{one}, err // it had expired
	}
	_, err = memories.Get(ctx, key)
	if last.Operation == "delete" || last.Operation == "restore" && errors.Is(err, store.ErrNotFound) {
		return memories.Restore(ctx, last.Undo)
	}
	var p problems
	p.add("version", "a version from its history, because "+strconv.Quote(key)+" is neither deleted nor expired", "nothing")
	return nil, p.err()
}

// explainRestore is explain for a restore. It describes a conflict with a later
// change, and it says which change or version was not found.
func explainRestore(ctx context.Context, err error, in restoreIn) error {
	if conflict := (*store.ConflictError)(nil); errors.As(err, &conflict) {
		if conflict.Current != nil {
			untrusted.MarkMemory(ctx, conflict.Current.Source) // the key may also be untrusted
		}
		e := metadata.Errorf(metadata.Conflict, "%q was changed again after that change: nothing was restored", conflict.Key)
		e.Cause = err
		return e.WithHint("memory_history {\"key\": %q} lists its versions; memory_restore {key, version} restores one regardless of later changes.", conflict.Key)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return explain(ctx, err, in.Key)
	}
	if in.UndoID != "" {
		return metadata.Errorf(metadata.NotFound, "there is no change %q to undo", in.UndoID).
			WithHint("memory_history lists the changes with their undo ids.")
	}
	if in.Version == 0 {
		return explain(ctx, err, in.Key)
	}
	return metadata.Errorf(metadata.NotFound, "%q has no earlier version %d", in.Key, in.Version).
		WithHint("memory_history {\"key\": %q} lists its versions.", in.Key)
}

// Undoable returns at most limit recent changes of memories that were not undone,
// newest first. memory_restore refuses to undo a change if its memories have changed
// since.
func Undoable(ctx context.Context, memories interface {
	Undoable(ctx context.Context, limit int) ([]store.UndoableChange, error)
}, limit int) ([]bundles.Undoable, error) {
	acts, err := memories.Undoable(ctx, limit)
	found := make([]bundles.Undoable, 0, len(acts))
	for _, a := range acts {
		title := a.Operation + " " + strconv.Quote(bundles.Clean(a.Subject))
		if a.Rows > 1 {
			title = a.Operation + " " + strconv.Itoa(a.Rows) + " memories"
		}
		found = append(found, bundles.Undoable{ID: a.Undo, Bundle: "memory", Title: title, At: a.At})
	}
	return found, explain(ctx, err, "")
}

// Undoes reports whether an undo id has the form of a change of memories: "u12" for a
// changed memory, "c7-0k3f" for a created one. It does not check that the change exists.
func Undoes(id string) bool {
	return len(id) > 1 && (id[0] == 'u' || id[0] == 'c') && id[1] >= '0' && id[1] <= '9'
}
