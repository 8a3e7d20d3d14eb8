package persist

import (
	"cmp"
	"slices"
	"strings"

	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// UndoAttempt is one attempt to undo a change.
type UndoAttempt struct {
	ID        string // the id of the change
	Tool      string // the tool that undoes it
	Overwrite bool   // whether later changes may be lost
}

// ConflictUnlessOverwrite returns the CONFLICT for a thing that was changed again
// after the change to undo. what is the sentence about the later change, and now
// are the current values. It returns nil if the later change may be overwritten.
func (r UndoAttempt) ConflictUnlessOverwrite(what string, now ...metadata.Problem) error {
	if r.Overwrite {
		return nil
	}
	e := metadata.Errorf(metadata.Conflict, "%s, so nothing was undone", what)
	e.Problems = now
	return e.WithHint("Show the user the current values. If they want to undo it anyway: %s {\"undo_id\": %q, \"overwrite\": true}.", r.Tool, r.ID)
}

// Field is a value that a change may have changed.
type Field struct {
	Name               string
	Before, After, Now string // before the change, after it, and now
	Words              string // replaces Now in texts if Now is not for people
	Restore            func() // restores the value
}

// Restore restores the fields that the change changed. If one of them is now
// neither as before nor as after the change, it was changed later. Unless later
// changes may be overwritten, Restore then restores no field and returns CONFLICT.
func (r UndoAttempt) Restore(fields ...Field) error {
	fields = slices.DeleteFunc(fields, func(f Field) bool { return f.Before == f.After || f.Now == f.Before })
	var names []string
	var now []metadata.Problem
	for _, f := range fields {
		if f.Now != f.After {
			names = append(names, f.Name)
			now = append(now, ChangedProblem(f.Name, cmp.Or(f.Words, f.Now)))
		}
	}
	if len(now) > 0 {
		if err := r.ConflictUnlessOverwrite(strings.Join(names, ", ")+" changed again since then", now...); err != nil {
			return err
		}
	}
	for _, f := range fields {
		f.Restore()
	}
	return nil
}

// ChangedProblem returns the problem for a value that is not as the change left it.
func ChangedProblem(name, now string) metadata.Problem {
	const maxLength = 200
	now = htmltext.First(htmltext.Line(now), maxLength)
	return metadata.Problem{Path: name, Expected: "the value after the change", Got: "now: " + cmp.Or(now, "nothing")}
}
