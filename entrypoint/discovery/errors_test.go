package discovery_test

import (
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestErrorsNameToolOrBundleToUse(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	_, letters := routertest.NewNotes("letters")
	letters.Actions = letters.Actions[:1]
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes, letters}})
	for _, c := range []struct{ name, tool, args, hint string }{
		{"a discovery tool is called directly", "kota_entry_point", `{"action": "kota_read"}`, "Call the tool kota_read directly."},
		{"the bundle that has the action is named", "kota_entry_point", `{"bundle": "letters", "action": "post"}`, "That action is in the bundle notes."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := routertest.Call(t, r, c.tool, c.args); err == nil || err.Code != metadata.ToolNotFound || err.Hint != c.hint {
				t.Errorf("got %+v, want the hint %q", err, c.hint)
			}
		})
	}
}

func TestKotaReadReportsProfileFirst(t *testing.T) {
	_, notes := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}, Policy: policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}})
	_, err := routertest.Call(t, r, "kota_read", `{"bundle": "notes", "action": "add", "args": {"text": "x"}}`)
	if err == nil || err.Code != metadata.WritesDisabled {
		t.Errorf("got %+v, want %s", err, metadata.WritesDisabled)
	}
}

func TestNestedRequestIsUnwrapped(t *testing.T) {
	n, notes := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes}})
	for _, args := range []string{
		`{"bundle": "notes", "action": "add", "args": {"bundle": "notes", "action": "add", "args": {"text": "x"}}}`,
		`{"request": {"bundle": "notes", "action": "add", "args": {"text": "x"}}}`,
		`{"bundle": "notes", "action": "add", "args": {"request": {"text": "x"}}}`,
		"{\"bundle\": \"notes\", \"action\": \"add\", \"args\": \"```json\\n{\\\"text\\\": \\\"x\\\"}\\n```\"}",
	} {
		before := n.Ran["add"]
		if _, err := routertest.Call(t, r, "kota_entry_point", args); err != nil || n.Ran["add"] != before+1 {
			t.Errorf("%s: %+v", args, err)
		}
	}
}

func TestEmptyAnswerNamesUnknownTag(t *testing.T) {
	d := discover(t, notesAndAttic(t), `{"effect": "sends", "tags": ["nowhere"]}`)
	if len(d.Index) == 0 || !strings.Contains(d.Next, `No action has the tag "nowhere". There are `) {
		t.Errorf("next %q", d.Next)
	}
}

func TestActionCountAppliesFilters(t *testing.T) {
	for _, b := range discover(t, notesAndAttic(t), `{"effect": "sends"}`).Bundles {
		if b.ActionCount != 1 {
			t.Errorf("%s: %d actions send, want 1", b.Key, b.ActionCount)
		}
	}
}
