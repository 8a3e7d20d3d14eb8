package policy_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// strictness orders the gates, the least strict first.
var strictness = []policy.Gate{policy.Allow, policy.Ask, policy.Draft, policy.Refuse}

func TestBundleGateOverridesGeneralGateAndProfileRestrictsBoth(t *testing.T) {
	levels := append([]policy.Gate{""}, strictness...)
	for _, top := range levels {
		for _, own := range levels {
			for _, profile := range levels {
				want := policy.Ask
				for _, said := range []policy.Gate{top, own} {
					if said != "" {
						want = said
					}
				}
				if slices.Index(strictness, profile) > slices.Index(strictness, want) {
					want = profile
				}
				rules := policy.Policy{
					Profile: "mine", Send: top, PerBundle: map[string]policy.Gates{"letters": {Send: own}, "notes": {Send: policy.Allow}},
					ProfileGates: policy.Gates{Send: profile},
				}
				if got := gateOf(t, rules); got != want {
					t.Errorf("send %q, of the bundle %q, of the profile %q: it is %s, want %s", top, own, profile, got, want)
				}
			}
		}
	}
}

// gateOf finds out by a call what happens to a letter.
func gateOf(t *testing.T, rules policy.Policy) policy.Gate {
	t.Helper()
	asked := false
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: rules, Approver: routertest.Approver(func(context.Context, entrypoint.Request) error { asked = true; return nil })})
	got, err := routertest.Call(t, r, "letters_send", `{"text": "hello"}`)
	switch {
	case err != nil && err.Code == metadata.Refused:
		return policy.Refuse
	case strings.Contains(got, `"draft"`):
		return policy.Draft
	case asked:
		return policy.Ask
	case strings.Contains(got, `"sent"`):
		return policy.Allow
	}
	t.Fatalf("got %s, %v", got, err)
	return ""
}

func TestDestroyGatesAtEveryLevel(t *testing.T) {
	for name, c := range map[string]struct {
		policy policy.Policy
		asked  bool
		code   metadata.Code
	}{
		"nothing is said":               {policy.Policy{}, true, ""},
		"allowed":                       {policy.Policy{Destroy: policy.Allow}, false, ""},
		"the bundle refuses":            {policy.Policy{Destroy: policy.Allow, PerBundle: map[string]policy.Gates{"notes": {Destroy: policy.Refuse}}}, false, metadata.Refused},
		"the bundle allows":             {policy.Policy{Destroy: policy.Refuse, PerBundle: map[string]policy.Gates{"notes": {Destroy: policy.Allow}}}, false, ""},
		"the profile asks all the same": {policy.Policy{Destroy: policy.Allow, ProfileGates: policy.Gates{Destroy: policy.Ask}}, true, ""},
		"the profile cannot widen":      {policy.Policy{Destroy: policy.Refuse, ProfileGates: policy.Gates{Destroy: policy.Allow}}, false, metadata.Refused},
		"sends are another thing":       {policy.Policy{Send: policy.Refuse, Destroy: policy.Allow}, false, ""},
	} {
		_, b := routertest.NewNotes("notes")
		asked := false
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Policy: c.policy, Approver: routertest.Approver(func(context.Context, entrypoint.Request) error { asked = true; return nil })})
		_, err := routertest.Call(t, r, "notes_shred", `{"forever": true}`)
		if asked != c.asked || err != nil && err.Code != c.code || err == nil && c.code != "" {
			t.Errorf("%s: asked %v, answered %v; want %v, %s", name, asked, err, c.asked, c.code)
		}
	}
}

func TestRecipientMustBeOnEveryList(t *testing.T) {
	const none = "nobody"
	lists := map[string]policy.Recipients{"": nil, none: {}, "ann": {"ann@example.com"}, "bob": {"bob@example.com"}, "all": {policy.Everybody}}
	admits := func(list string) bool { return list == "ann" || list == "all" || list == "" }
	for top := range lists {
		for own := range lists {
			for profile := range lists {
				rules := policy.Policy{
					Send: policy.Allow, SendTo: lists[top], PerBundle: map[string]policy.Gates{"letters": {SendTo: lists[own]}}, ProfileGates: policy.Gates{SendTo: lists[profile]},
				}
				want := admits(profile) && (own != "" && admits(own) || own == "" && admits(top))
				r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: rules})
				_, err := routertest.Call(t, r, "letters_send", `{"text": "hello"}`)
				if (err == nil) != want || err != nil && (err.Code != metadata.Refused || !strings.Contains(err.Message, "ann@example.com")) {
					t.Errorf("send_to %q, of the bundle %q, of the profile %q: %v, want it let through: %v", top, own, profile, err, want)
				}
				if _, err := routertest.Call(t, r, "letters_release", `{"text": "hello", "as_draft": true}`); err != nil {
					t.Errorf("a draft, which reaches nobody: %v", err)
				}
			}
		}
	}
}

func TestRefusalNamesDecidingLine(t *testing.T) {
	for want, rules := range map[string]policy.Policy{
		"`send: ask` or `send: allow` in bundles.yaml":                                    {Send: policy.Refuse},
		"`send: ask` or `send: allow` of the bundle letters in bundles.yaml":              {PerBundle: map[string]policy.Gates{"letters": {Send: policy.Refuse}}},
		`of the profile "mine" in bundles.yaml`:                                           {Profile: "mine", ProfileGates: policy.Gates{Send: policy.Refuse}},
		"`send_to:` of the bundle letters in bundles.yaml":                                {PerBundle: map[string]policy.Gates{"letters": {SendTo: policy.Recipients{}}}},
		"With as_draft true it saves a draft, which is allowed. Remove these recipients,": {SendTo: policy.Recipients{"example.org"}},
	} {
		_, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: rules}), "letters_release", `{"text": "hello"}`)
		if err == nil || err.Code != metadata.Refused || !strings.Contains(err.Hint, want) {
			t.Errorf("got %v with the hint %q, want %q", err, fmt.Sprint(err.Hint), want)
		}
	}
}

func TestRequestDescribesMessage(t *testing.T) {
	var asked []entrypoint.Request
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Approver: routertest.Approver(func(_ context.Context, q entrypoint.Request) error {
		asked = append(asked, q)
		return nil
	})})
	for _, args := range []string{`{"text": "hello"}`, `{ "text":"hello" }`, `{"text": "hello there"}`} {
		if _, err := routertest.Call(t, r, "letters_send", args); err != nil {
			t.Fatal(err)
		}
	}
	first, again, other := asked[0], asked[1], asked[2]
	if first.Effect != metadata.Sends || first.Action.Tool != "letters_send" || string(first.Args) != `{"as_draft":false,"text":"hello"}` && string(first.Args) != `{"text":"hello"}` {
		t.Errorf("asked about %s %s %s", first.Effect, first.Action.Tool, first.Args)
	}
	if out := first.Outgoing; out.What != "letter" || !slices.Equal(out.People, []string{"ann@example.com"}) || len(out.Lines) != 1 || out.Lines[0].Text != "hello" || out.Digest == [32]byte{} {
		t.Errorf("shown %+v", out)
	}
	if string(first.Args) != string(again.Args) || first.Outgoing.Digest != again.Outgoing.Digest {
		t.Error("the same arguments, formatted differently, have another digest")
	}
	if first.Outgoing.Digest == other.Outgoing.Digest {
		t.Error("another text has the same digest")
	}
}
