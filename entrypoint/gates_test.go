package entrypoint_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// strictness orders the gates, the mildest first.
var strictness = []entrypoint.Gate{entrypoint.Allow, entrypoint.Ask, entrypoint.Draft, entrypoint.Refuse}

func TestTheBundlesGateGoesBeforeTheOneForAllAndAProfileNarrowsBoth(t *testing.T) {
	levels := append([]entrypoint.Gate{""}, strictness...)
	for _, top := range levels {
		for _, own := range levels {
			for _, profile := range levels {
				want := entrypoint.Ask
				for _, said := range []entrypoint.Gate{top, own} {
					if said != "" {
						want = said
					}
				}
				if slices.Index(strictness, profile) > slices.Index(strictness, want) {
					want = profile
				}
				policy := entrypoint.Policy{
					Profile: "mine", Send: top, PerBundle: map[string]entrypoint.Gates{"letters": {Send: own}, "notes": {Send: entrypoint.Allow}},
					ProfileGates: entrypoint.Gates{Send: profile},
				}
				if got := gateOf(t, policy); got != want {
					t.Errorf("send %q, of the bundle %q, of the profile %q: it is %s, want %s", top, own, profile, got, want)
				}
			}
		}
	}
}

// gateOf finds out by calls what happens to a letter.
func gateOf(t *testing.T, policy entrypoint.Policy) entrypoint.Gate {
	t.Helper()
	asked := false
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: policy, Approver: routertest.Approver(func(context.Context, entrypoint.Request) error { asked = true; return nil })})
	got, err := routertest.Call(t, r, "letters_send", `{"text": "hello"}`)
	switch {
	case err != nil && err.Code == metadata.Refused:
		return entrypoint.Refuse
	case strings.Contains(got, `"draft"`):
		return entrypoint.Draft
	case asked:
		return entrypoint.Ask
	case strings.Contains(got, `"sent"`):
		return entrypoint.Allow
	}
	t.Fatalf("got %s, %v", got, err)
	return ""
}

func TestDestructionHasGatesOfItsOwnAtEveryLevel(t *testing.T) {
	for name, c := range map[string]struct {
		policy entrypoint.Policy
		asked  bool
		code   metadata.Code
	}{
		"nothing is said":               {entrypoint.Policy{}, true, ""},
		"allowed":                       {entrypoint.Policy{Destroy: entrypoint.Allow}, false, ""},
		"the bundle refuses":            {entrypoint.Policy{Destroy: entrypoint.Allow, PerBundle: map[string]entrypoint.Gates{"notes": {Destroy: entrypoint.Refuse}}}, false, metadata.Refused},
		"the bundle allows":             {entrypoint.Policy{Destroy: entrypoint.Refuse, PerBundle: map[string]entrypoint.Gates{"notes": {Destroy: entrypoint.Allow}}}, false, ""},
		"the profile asks all the same": {entrypoint.Policy{Destroy: entrypoint.Allow, ProfileGates: entrypoint.Gates{Destroy: entrypoint.Ask}}, true, ""},
		"the profile cannot widen":      {entrypoint.Policy{Destroy: entrypoint.Refuse, ProfileGates: entrypoint.Gates{Destroy: entrypoint.Allow}}, false, metadata.Refused},
		"sends are another thing":       {entrypoint.Policy{Send: entrypoint.Refuse, Destroy: entrypoint.Allow}, false, ""},
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

func TestWhoMayBeReachedIsOnEveryListThatHolds(t *testing.T) {
	const none = "nobody"
	lists := map[string]entrypoint.Recipients{"": nil, none: {}, "ann": {"ann@example.com"}, "bob": {"bob@example.com"}, "all": {entrypoint.Everybody}}
	admits := func(list string) bool { return list == "ann" || list == "all" || list == "" }
	for top := range lists {
		for own := range lists {
			for profile := range lists {
				policy := entrypoint.Policy{
					Send: entrypoint.Allow, SendTo: lists[top], PerBundle: map[string]entrypoint.Gates{"letters": {SendTo: lists[own]}}, ProfileGates: entrypoint.Gates{SendTo: lists[profile]},
				}
				want := admits(profile) && (own != "" && admits(own) || own == "" && admits(top))
				r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: policy})
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

func TestARefusalNamesTheLineThatDecides(t *testing.T) {
	for want, policy := range map[string]entrypoint.Policy{
		"`send: ask` or `send: allow` in bundles.yaml":                           {Send: entrypoint.Refuse},
		"`send: ask` or `send: allow` of the bundle letters in bundles.yaml":     {PerBundle: map[string]entrypoint.Gates{"letters": {Send: entrypoint.Refuse}}},
		`of the profile "mine" in bundles.yaml`:                                  {Profile: "mine", ProfileGates: entrypoint.Gates{Send: entrypoint.Refuse}},
		"`send_to:` of the bundle letters in bundles.yaml":                       {PerBundle: map[string]entrypoint.Gates{"letters": {SendTo: entrypoint.Recipients{}}}},
		"With as_draft true it saves a draft, which is allowed. Leave them out,": {SendTo: entrypoint.Recipients{"example.org"}},
	} {
		_, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: policy}), "letters_release", `{"text": "hello"}`)
		if err == nil || err.Code != metadata.Refused || !strings.Contains(err.Hint, want) {
			t.Errorf("got %v with the hint %q, want %q", err, fmt.Sprint(err.Hint), want)
		}
	}
}

func TestWhoeverIsAskedIsShownWhatLeavesAndToldFromWhatElseItWouldBe(t *testing.T) {
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
		t.Error("the same letter, spelt otherwise, is told for another")
	}
	if first.Outgoing.Digest == other.Outgoing.Digest {
		t.Error("another letter is told for the same")
	}
}
