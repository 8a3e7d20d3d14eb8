package entrypoint_test

import (
	"encoding/json"
	"testing"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/repairtest"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// FuzzKotaReadRunsNothingButReads sends arbitrary calls to kota_read. It checks that no
// action that writes, destroys or sends runs, and that nothing breaks.
func FuzzKotaReadRunsNothingButReads(f *testing.F) {
	calls, err := repairtest.Corpus()
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range calls {
		f.Add([]byte(c.Args))
	}
	for _, args := range []string{
		`{"bundle":"notes","action":"add","args":{"text":"x"}}`, `{"action":"notes.shred","forever":false}`, `{"tool":"notes_post"}`,
		`{"action":"notes_list","args":{"args":"{\"tags\":\"a\"}"}}`, `{"arguments":{"action":"notes_add","text":"x"}}`, `{"bundle":"notse","action":"add","text":"x"}`,
		`{"name":"notes_shred","input":"\"{}\""}`, `[{"bundle":"notes","action":"add","args":[{"text":"x"}]}]`, `{"bundle":"notes.add","text":"x"}`,
	} {
		f.Add([]byte(args))
	}
	n, b := routertest.NewNotes("notes")
	r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{b}, Timeout: 50 * time.Millisecond})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		_, err := r.Call(t.Context(), "kota_read", json.RawMessage(args))
		if metadata.CodeOf(err) == metadata.Internal && n.Ran["burst"] == 0 {
			t.Errorf("%q: %v", args, err)
		}
		for _, action := range []string{"add", "shred", "post"} {
			if n.Ran[action] > 0 {
				t.Fatalf("%q made kota_read run %s", args, action)
			}
		}
	})
}

func TestRepairsAreReported(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	for _, c := range []struct {
		tool, args string
		want       int
	}{
		{"notes_list", `{"tags": ["a"]}`, 0},
		{"kota_entry_point", `{"bundle": "notes", "action": "list", "args": {"tags": ["a"]}}`, 0},
		{"kota_read", `{"bundle": "notes", "action": "notes_list"}`, 0},
		{"notes.list", `{"tags": "a"}`, 2},
		{"kota_read", `{"tool": "notes_list", "tags": "a"}`, 4},
	} {
		call := &entrypoint.Call{Tool: c.tool, Args: json.RawMessage(c.args)}
		if _, _, err := r.Answer(t.Context(), call); err != nil || len(call.Repairs) != c.want {
			t.Errorf("%s %s: %d repairs were reported, want %d; error %v", c.tool, c.args, len(call.Repairs), c.want, err)
		}
	}
}

func TestRepeatedArgumentIsRefused(t *testing.T) {
	n, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	_, err := routertest.Call(t, r, "kota_entry_point", `{"bundle": "notes", "action": "add", "args": {"text": "milk"}, "text": "bread"}`)
	if err == nil || err.Code != metadata.ValidationError || len(err.Problems) != 1 || err.Problems[0].Path != "text" || n.Ran["add"] > 0 {
		t.Errorf("ran %d times, answered %+v", n.Ran["add"], err)
	}
}
