package bundletest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/staged"
	"kota/metadata"
)

// A ConcurrentChange is a change that is undone after another program changed the same
// object.
type ConcurrentChange struct {
	Title     string
	Tool      string // the tool that makes the change
	WhyNoUndo string // why Tool never returns an undo_id although its schema has one; Args, Change and State are then nil
	Args      func(t *testing.T, b bundles.Bundle) any
	// Change changes the same object, as another program would. answer is the answer of
	// the call.
	Change func(t *testing.T, b bundles.Bundle, answer json.RawMessage)
	// State returns the state that Change changed, in any text form.
	State func(t *testing.T, b bundles.Bundle, answer json.RawMessage) string
}

// noUndoPrefix begins the note that explains why the changes of an action cannot be undone.
const noUndoPrefix = "Cannot be undone: "

// checkUndoOffered checks that each action with the effect Writes either offers undo or
// says why it cannot, and not both.
func checkUndoOffered(t *testing.T, b bundles.Bundle) {
	for _, a := range b.Actions {
		says := slices.ContainsFunc(a.Notes, func(note string) bool { return strings.HasPrefix(note, noUndoPrefix) && len(note) > len(noUndoPrefix) })
		if offers := returnsUndoID(a) || a.Undoes; a.Effect == metadata.Writes && offers == says {
			t.Errorf("%s writes: either its answer has an undo_id, or one of its notes says why not: %q", a.Tool, noUndoPrefix+"…")
		}
	}
}

// returnsUndoID reports whether the answer of an action may contain an undo_id. All staged
// actions share one answer type, so their examples decide.
func returnsUndoID(a bundles.Action) bool {
	if staged.FlowOf(a) != nil {
		return slices.ContainsFunc(staged.FlowOf(a).Types, func(d staged.DocumentType) bool { return d.Example.Created.UndoID != "" })
	}
	return a.Output != nil && slices.ContainsFunc(a.Output.Params(), func(p metadata.Param) bool { return p.Name == "undo_id" })
}

// checkConcurrentChanges checks that each action with an undo_id has a ConcurrentChange,
// and undoes these changes. The undo must not overwrite what the other program changed,
// unless it is called with overwrite.
func checkConcurrentChanges(t *testing.T, c Case) {
	b := c.New(t)
	for _, a := range b.Actions {
		if returnsUndoID(a) && !slices.ContainsFunc(c.ConcurrentChanges, func(f ConcurrentChange) bool { return f.Tool == a.Tool }) {
			t.Errorf("%s returns an undo_id, but ConcurrentChanges has no change for it", a.Tool)
		}
	}
	at := slices.IndexFunc(b.Actions, func(a bundles.Action) bool { return a.Undoes })
	for _, f := range c.ConcurrentChanges {
		if f.WhyNoUndo != "" {
			continue
		}
		if at < 0 {
			t.Fatalf("no action undoes what %s answers", f.Tool)
		}
		t.Run(f.Title, func(t *testing.T) { checkConcurrentChange(t, c.newSeeded(t), b.Actions[at], f) })
	}
}

func checkConcurrentChange(t *testing.T, b bundles.Bundle, undoes bundles.Action, f ConcurrentChange) {
	answer, err := Call(t, b, f.Tool, f.Args(t, b))
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		Undo string `json:"undo_id"`
	}
	if err := json.Unmarshal(answer, &made); err != nil || made.Undo == "" {
		t.Fatalf("%s answered no undo_id: %s", f.Tool, answer)
	}
	before := f.State(t, b, answer)
	f.Change(t, b, answer)
	want := f.State(t, b, answer)
	if want == before {
		t.Fatalf("Change changed nothing: the state is still %s", want)
	}
	_, err = Call(t, b, undoes.Tool, map[string]any{"undo_id": made.Undo})
	if got := f.State(t, b, answer); got != want {
		t.Errorf("the undo overwrote what somebody else had changed, and answered %v: it is\n%s\nwant\n%s", err, got, want)
	}
	if err == nil {
		return
	}
	if e := AsError(t, err); e.Code != metadata.Conflict {
		t.Fatalf("the undo answered %v, want %s", err, metadata.Conflict)
	}
	if !slices.ContainsFunc(undoes.Input.Params(), func(p metadata.Param) bool { return p.Name == "overwrite" }) {
		return
	}
	if e := AsError(t, err); !strings.Contains(e.Hint, `"overwrite": true`) {
		t.Errorf("the hint does not offer overwrite: %s", e.Hint)
	}
	if _, err := Call(t, b, undoes.Tool, map[string]any{"undo_id": made.Undo, "overwrite": true}); err != nil {
		t.Errorf("with overwrite: %v", err)
	} else if got := f.State(t, b, answer); got == want {
		t.Errorf("with overwrite it is still %s", got)
	}
}
