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

func TestExampleCallRunsUnderPolicy(t *testing.T) {
	noSend := policy.Policy{Profile: "no-send", Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}
	const drafts = " Nothing is sent here: mail is saved as drafts, with as_draft true."
	for name, c := range map[string]struct {
		policy     policy.Policy
		call, said string // in the answer to a search for letters_send
		handed     bool   // whether letters_hand_over, which cannot become a draft, comes with a call
	}{
		"allow":             {policy.Policy{Send: policy.Allow}, `{"tool":"letters_send","args":{"text":"hello"}}`, "", true},
		"ask":               {policy.Policy{Send: policy.Ask}, `{"tool":"letters_send","args":{"text":"hello"}}`, "", true},
		"draft":             {policy.Policy{Send: policy.Draft}, `{"tool":"letters_send","args":{"text":"hello","as_draft":true}}`, drafts, false},
		"refuse":            {policy.Policy{Send: policy.Refuse}, `{"tool":"letters_send","args":{"text":"hello","as_draft":true}}`, drafts, false},
		"a profile of less": {noSend, `{"tool":"letters_send","args":{"text":"hello","as_draft":true}}`, drafts, false},
	} {
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: c.policy})
		got, err := routertest.Call(t, r, "kota_discover_bundles", `{"query": "select:letters_send"}`)
		if err != nil || !strings.Contains(got, `"call":`+c.call) || !strings.HasSuffix(got, `"next":"Call tool_name.`+c.said+`"}`) {
			t.Errorf("%s: got %s, %v; want the call %s and %q", name, got, err, c.call, c.said)
		}
		got, err = routertest.Call(t, r, "kota_discover_bundles", `{"query": "select:letters_hand_over"}`)
		if err != nil || strings.Contains(got, `"call":`) != c.handed {
			t.Errorf("%s: got %s, %v; want a call of what has no draft: %v", name, got, err, c.handed)
		}
		if said := r.Instructions(); strings.HasSuffix(said, drafts) != (c.said != "") {
			t.Errorf("%s: the instructions are %q", name, said)
		}
	}
}

func TestNoIndexIsPromisedWithoutActions(t *testing.T) {
	r := routertest.New(t, pipeline.Options{Bundles: routertest.NotesAndLetters(), Policy: policy.Policy{Profile: "mine", Bundles: []string{"notes"}, Tags: []string{"wax"}}})
	for _, args := range []string{`{}`, `{"query": "write a note"}`, `{"query": "select:notes_add"}`, `{"tags": ["ink"]}`} {
		got, err := routertest.Call(t, r, "kota_discover_bundles", args)
		if err != nil || strings.Contains(got, "index") || !strings.Contains(got, "the profile allows none") {
			t.Errorf("%s: got %s, %v", args, got, err)
		}
	}
}
