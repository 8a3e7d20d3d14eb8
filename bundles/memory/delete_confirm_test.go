package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/metadata"
)

// deletePermanently runs a memory_delete and agrees to the deletion. It calls may with the
// deletion.
func deletePermanently(t *testing.T, b bundles.Bundle, args string, onAsk func(bundles.Deletion)) error {
	t.Helper()
	for _, action := range b.Actions {
		if action.Tool != "memory_delete" {
			continue
		}
		call, err := action.Prepare(json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		_, err = call.Do(bundletest.WithConfirmDestroy(t.Context(), func(_ context.Context, deletion bundles.Deletion) error {
			onAsk(deletion)
			return nil
		}))
		return err
	}
	t.Fatal("there is no memory_delete")
	return nil
}

// Only what the user was shown is destroyed: no other keys, and no text written while the
// user read the question.
func TestUserConfirmsExactlyWhatIsDeleted(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for i := range 60 {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": fmt.Sprint("state ", i), "value": i, "category": "state"}))
	}
	const all = `{"filter": {"category": "state"}, "permanent": true}`
	kept := func() int {
		return int(call(t, b, "memory_delete", `{"filter": {"category": "state"}, "dry_run": true}`)["would_delete"].(float64))
	}

	first := bundles.Deletion{}
	err := deletePermanently(t, b, all, func(deletion bundles.Deletion) {
		first = deletion
		call(t, b, "memory_set", `{"key": "state 7", "value": "another text", "category": "state"}`)
	})
	if metadata.CodeOf(err) != metadata.Conflict || kept() != 60 {
		t.Errorf("with another text under an agreed key: %v, and %d are left", err, kept())
	}
	for i := range 60 {
		if !strings.Contains(first.Lines[0].Text+"\n", fmt.Sprintf("state %d\n", i)) {
			t.Errorf("the user does not see that state %d would be gone", i)
		}
	}

	err = deletePermanently(t, b, all, func(deletion bundles.Deletion) {
		if deletion.Digest() == first.Digest() {
			t.Error("what was agreed to before the text changed holds after it")
		}
		call(t, b, "memory_set", `{"key": "new", "value": 1, "category": "state"}`)
	})
	if err != nil || kept() != 1 {
		t.Errorf("with one more: %v, and %d are left", err, kept())
	}

	err = deletePermanently(t, b, all, func(bundles.Deletion) {
		call(t, b, "memory_delete", `{"key": "new"}`)
		call(t, b, "memory_set", `{"key": "new", "value": "another", "category": "state"}`)
	})
	if metadata.CodeOf(err) != metadata.Conflict || kept() != 1 {
		t.Errorf("with another memory under the key: %v, and %d are left", err, kept())
	}
}

// Listing keys that may be untrusted taints the session.
func TestCompletedUntrustedKeysTaintSession(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "mine", "value": 1}`)
	call(t, b, "memory_set", `{"key": "theirs", "value": 1, "source": "mail"}`)
	for typed, want := range map[string]bool{"mi": false, "th": true} {
		tainted := false
		ctx := bundletest.WithUntrusted(t.Context(), func() { tainted = true }, func() bool { return tainted })
		for _, r := range b.Resources {
			if r.Complete == nil {
				continue
			}
			if keys, err := r.Complete(ctx, typed); err != nil || len(keys) != 1 || tainted != want {
				t.Errorf("%s completes to %v, %v; the session was tainted: %v", typed, keys, err, tainted)
			}
		}
	}
}
