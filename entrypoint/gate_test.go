package entrypoint_test

import (
	"context"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestWhatMayNotBeSentBecomesADraftOrNothing(t *testing.T) {
	yes := func(context.Context, entrypoint.Request) error { return nil }
	no := func(context.Context, entrypoint.Request) error { return metadata.Errorf(metadata.Refused, "no") }
	for name, c := range map[string]struct {
		policy  entrypoint.Policy
		confirm func(context.Context, entrypoint.Request) error
		tool    string
		want    string // the answer
		code    metadata.Code
	}{
		"draft saves a draft":                   {entrypoint.Policy{Send: entrypoint.Draft}, nil, "letters_send", `{"status":"draft","scopes":["compose"]}`, ""},
		"draft does so even where one can ask":  {entrypoint.Policy{Send: entrypoint.Draft}, yes, "letters_send", `{"status":"draft","scopes":["compose"]}`, ""},
		"draft sends no draft either":           {entrypoint.Policy{Send: entrypoint.Draft}, yes, "letters_release", "", metadata.ApprovalNeeded},
		"ask without anybody to ask does not":   {entrypoint.Policy{Send: entrypoint.Ask}, nil, "letters_send", "", metadata.ApprovalNeeded},
		"no word at all means ask":              {entrypoint.Policy{}, nil, "letters_send", "", metadata.ApprovalNeeded},
		"ask and a no does not":                 {entrypoint.Policy{Send: entrypoint.Ask}, no, "letters_send", "", metadata.Refused},
		"ask and a yes sends":                   {entrypoint.Policy{Send: entrypoint.Ask}, yes, "letters_send", `{"status":"sent","scopes":["compose"]}`, ""},
		"allow sends":                           {entrypoint.Policy{Send: entrypoint.Allow}, nil, "letters_send", `{"status":"sent","scopes":["compose"]}`, ""},
		"refuse does neither":                   {entrypoint.Policy{Send: entrypoint.Refuse}, yes, "letters_send", "", metadata.Refused},
		"a profile without sends goes first":    {entrypoint.Policy{Send: entrypoint.Draft, Effects: []metadata.Effect{metadata.Writes}}, nil, "letters_send", "", metadata.WritesDisabled},
		"a draft that sends is no draft at all": {entrypoint.Policy{Send: entrypoint.Draft}, nil, "letters_run_away", "", metadata.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: c.policy, Approver: routertest.Approver(c.confirm)})
			got, err := routertest.Call(t, r, c.tool, `{"text": "hello"}`)
			if got != c.want || err != nil && err.Code != c.code || err == nil && c.code != "" {
				t.Errorf("got %s, %v; want %s, %s", got, err, c.want, c.code)
			}
		})
	}
}

func TestWhatMayNotBeSentNamesTheWayThatIsLeft(t *testing.T) {
	noSend := entrypoint.Policy{Profile: "no-send", Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}
	readOnly := entrypoint.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}
	for name, c := range map[string]struct {
		policy entrypoint.Policy
		tool   string
		draft  bool // the hint speaks of one
	}{
		"a draft may be saved":      {noSend, "letters_release", true},
		"nothing may be saved":      {readOnly, "letters_release", false},
		"there is no such argument": {noSend, "letters_hand_over", false},
	} {
		_, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: c.policy}), c.tool, `{"text": "hello"}`)
		if err == nil || strings.Contains(err.Hint, "as_draft") != c.draft {
			t.Errorf("%s: got %+v", name, err)
		}
	}
	_, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: entrypoint.Policy{Send: entrypoint.Draft}}), "letters_release", `{"text": "hello"}`)
	if err == nil || !strings.Contains(err.Message, "would reach other people") || !strings.Contains(err.Hint, "settings") || !strings.Contains(err.Hint, "`send: ask`") {
		t.Errorf("got %+v", err)
	}
}

func TestScopesAreThoseOfWhatMayRun(t *testing.T) {
	all := []bundles.Bundle{routertest.Letters()}
	for name, c := range map[string]struct {
		policy entrypoint.Policy
		want   string
	}{
		"everything":                 {entrypoint.Policy{}, "compose"},
		"whatever the accounts lack": {entrypoint.Policy{MissingScopes: func([]string) bool { return true }}, "compose"},
		"a draft needs it too":       {entrypoint.Policy{Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}, "compose"},
		"reading alone does not":     {entrypoint.Policy{Effects: []metadata.Effect{metadata.Reads}}, ""},
		"nor another action":         {entrypoint.Policy{Actions: []string{"letters_release"}}, ""},
		"nor no bundle":              {entrypoint.Policy{Bundles: []string{"notes"}}, ""},
	} {
		if got := strings.Join(c.policy.Scopes(all), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestWhatTheAccountsLackIsNotOffered(t *testing.T) {
	policy := entrypoint.Policy{MissingScopes: func(scopes []string) bool { return scopes[0] == "compose" }}
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: policy})
	described, err := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "letters", "actions": ["send"]}`)
	if err == nil || err.Code != metadata.ScopeMissing {
		t.Errorf("describe: got %s, %v; want %s", described, err, metadata.ScopeMissing)
	}
	if _, err := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "letters", "actions": ["release"]}`); err != nil {
		t.Errorf("an action that needs no scope: %v", err)
	}
}
