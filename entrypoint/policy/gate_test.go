package policy_test

import (
	"context"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestForbiddenSendBecomesDraftOrNothing(t *testing.T) {
	yes := func(context.Context, entrypoint.Request) error { return nil }
	no := func(context.Context, entrypoint.Request) error { return metadata.Errorf(metadata.Refused, "no") }
	for name, c := range map[string]struct {
		policy  policy.Policy
		confirm func(context.Context, entrypoint.Request) error
		tool    string
		want    string // the answer
		code    metadata.Code
	}{
		"draft saves a draft":                   {policy.Policy{Send: policy.Draft}, nil, "letters_send", `{"status":"draft","scopes":["compose"]}`, ""},
		"draft does so even where one can ask":  {policy.Policy{Send: policy.Draft}, yes, "letters_send", `{"status":"draft","scopes":["compose"]}`, ""},
		"draft sends no draft either":           {policy.Policy{Send: policy.Draft}, yes, "letters_release", "", metadata.ApprovalNeeded},
		"ask without anybody to ask does not":   {policy.Policy{Send: policy.Ask}, nil, "letters_send", "", metadata.ApprovalNeeded},
		"no word at all means ask":              {policy.Policy{}, nil, "letters_send", "", metadata.ApprovalNeeded},
		"ask and a no does not":                 {policy.Policy{Send: policy.Ask}, no, "letters_send", "", metadata.Refused},
		"ask and a yes sends":                   {policy.Policy{Send: policy.Ask}, yes, "letters_send", `{"status":"sent","scopes":["compose"]}`, ""},
		"allow sends":                           {policy.Policy{Send: policy.Allow}, nil, "letters_send", `{"status":"sent","scopes":["compose"]}`, ""},
		"refuse does neither":                   {policy.Policy{Send: policy.Refuse}, yes, "letters_send", "", metadata.Refused},
		"a profile without sends goes first":    {policy.Policy{Send: policy.Draft, Effects: []metadata.Effect{metadata.Writes}}, nil, "letters_send", "", metadata.WritesDisabled},
		"a draft that sends is no draft at all": {policy.Policy{Send: policy.Draft}, nil, "letters_run_away", "", metadata.Internal},
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

func TestForbiddenSendHintsAtAlternatives(t *testing.T) {
	noSend := policy.Policy{Profile: "no-send", Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}
	readOnly := policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}
	for name, c := range map[string]struct {
		policy policy.Policy
		tool   string
		draft  bool // whether the hint names a draft
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
	_, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: policy.Policy{Send: policy.Draft}}), "letters_release", `{"text": "hello"}`)
	if err == nil || !strings.Contains(err.Message, "would reach other people") || !strings.Contains(err.Hint, "in Gmail or Google Calendar") || !strings.Contains(err.Hint, "`send: ask`") {
		t.Errorf("got %+v", err)
	}
}

func TestScopesOfOfferedActions(t *testing.T) {
	all := []bundles.Bundle{routertest.Letters()}
	for name, c := range map[string]struct {
		policy policy.Policy
		want   string
	}{
		"everything":                 {policy.Policy{}, "compose"},
		"whatever the accounts lack": {policy.Policy{MissingScopes: func([]string) bool { return true }}, "compose"},
		"a draft needs it too":       {policy.Policy{Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}, "compose"},
		"reading alone does not":     {policy.Policy{Effects: []metadata.Effect{metadata.Reads}}, ""},
		"nor another action":         {policy.Policy{Actions: []string{"letters_release"}}, ""},
		"nor no bundle":              {policy.Policy{Bundles: []string{"notes"}}, ""},
	} {
		if got := strings.Join(c.policy.Scopes(all), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestActionsWithMissingScopesAreNotOffered(t *testing.T) {
	rules := policy.Policy{MissingScopes: func(scopes []string) bool { return scopes[0] == "compose" }}
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}, Policy: rules})
	described, err := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "letters", "actions": ["send"]}`)
	if err == nil || err.Code != metadata.ScopeMissing {
		t.Errorf("describe: got %s, %v; want %s", described, err, metadata.ScopeMissing)
	}
	if _, err := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "letters", "actions": ["release"]}`); err != nil {
		t.Errorf("an action that needs no scope: %v", err)
	}
}
