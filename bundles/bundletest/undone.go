package bundletest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/metadata"
)

// A Foreign is a change that somebody else follows with one of the same thing,
// before it is undone.
type Foreign struct {
	Title string
	Tool  string // that makes the change
	Never string // why no call of Tool answers an undo_id, which its schema has; the rest is empty then
	Args  func(t *testing.T, b bundles.Bundle) any
	// Change changes the same thing as another program does, given the answer of
	// the call.
	Change func(t *testing.T, b bundles.Bundle, answer json.RawMessage)
	// State is what Change changed, in words of the test's own.
	State func(t *testing.T, b bundles.Bundle, answer json.RawMessage) string
}

// foreignChanges undoes changes after somebody else changed the
// same. The undo must leave that, and where it answers CONFLICT it must do it all
// the same when it is called with overwrite, if it has such an argument.
func foreignChanges(t *testing.T, c Case) {
	b := c.New(t)
	at := slices.IndexFunc(b.Actions, func(a bundles.Action) bool { return a.Undoes })
	if at < 0 {
		if len(c.Foreign) > 0 {
			t.Error("no action undoes")
		}
		return
	}
	for _, f := range c.Foreign {
		if f.Never != "" {
			continue
		}
		t.Run(f.Title, func(t *testing.T) { foreignChange(t, c.seeded(t), b.Actions[at], f) })
	}
}

func foreignChange(t *testing.T, b bundles.Bundle, undoes bundles.Action, f Foreign) {
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
		t.Fatalf("nobody changed anything: it is %s", want)
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
