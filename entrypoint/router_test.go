package entrypoint_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestEveryChannelGivesTheSameAnswer(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	for _, args := range []string{`{}`, `{"tags": ["a"]}`, `{"tags": "a"}`, `{"tagz": []}`, `{"tags": 7, "x": 1}`, `[]`, `null`, ``} {
		direct, directErr := routertest.Call(t, r, "notes_list", args)
		if args == "" {
			args = "null"
		}
		for _, tool := range []string{"kota_entry_point", "kota_read"} {
			got, gotErr := routertest.Call(t, r, tool, fmt.Sprintf(`{"bundle": "notes", "action": "list", "args": %s}`, args))
			if args == "[]" {
				continue // the entry point's own schema refuses it first
			}
			if got != direct || fmt.Sprint(gotErr) != fmt.Sprint(directErr) {
				t.Errorf("%s %s: got %s %v, directly %s %v", tool, args, got, gotErr, direct, directErr)
			}
		}
	}
}

func TestKotaReadRunsOnlyReads(t *testing.T) {
	n, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	for _, a := range b.Actions {
		for _, action := range []string{a.Name, a.Tool} {
			_, err := routertest.Call(t, r, "kota_read", fmt.Sprintf(`{"bundle": "notes", "action": %q, "args": {"text": "x"}}`, action))
			if a.Effect != metadata.Reads && (err == nil || err.Code != metadata.Refused) {
				t.Errorf("kota_read %s: got %v, want %s", action, err, metadata.Refused)
			}
		}
	}
	for _, name := range []string{"add", "shred", "post"} {
		if n.Ran[name] > 0 {
			t.Errorf("%s ran %d times through kota_read", name, n.Ran[name])
		}
	}
}

func TestUnknownNamesSuggestNearest(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	for _, c := range []struct {
		tool, args, path, suggestion string
		code                         metadata.Code
	}{
		{"notes_lisstt", `{}`, "name", "notes_list", metadata.ToolNotFound},
		{"notes_pst", `{}`, "name", "notes_post", metadata.ToolNotFound},
		{"", `{}`, "name", "", metadata.ToolNotFound},
		{"kota_entry_point", `{"bundle": "note", "action": "post"}`, "bundle", "notes", metadata.ToolNotFound},
		{"kota_entry_point", `{"bundle": "notes", "action": "psot"}`, "action", "post", metadata.ToolNotFound},
		{"kota_entry_point", `{"bundle": "letters", "action": "notes_list"}`, "bundle", "notes", metadata.ToolNotFound},
		{"kota_entry_point", `{"bundle": "kota", "action": "entry_point"}`, "action", "", metadata.ToolNotFound},
		{"kota_describe_bundle", `{"bundle": "notse"}`, "bundle", "notes", metadata.NotFound},
		{"kota_describe_bundle", `{"bundle": "notes", "actions": ["lits"]}`, "actions", "list", metadata.NotFound},
	} {
		_, err := routertest.Call(t, r, c.tool, c.args)
		if err == nil || err.Code != c.code || len(err.Problems) != 1 {
			t.Errorf("%s %s: got %+v, want one problem and %s", c.tool, c.args, err, c.code)
			continue
		}
		if p := err.Problems[0]; p.Path != c.path || p.Suggestion != c.suggestion {
			t.Errorf("%s %s: got %+v, want path %q and suggestion %q", c.tool, c.args, p, c.path, c.suggestion)
		}
		if err.Hint == "" {
			t.Errorf("%s %s: there is no hint", c.tool, c.args)
		}
	}
}

func TestProfileDecidesWhatRuns(t *testing.T) {
	readOnly := policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}
	noSend := policy.Policy{Profile: "no-send", Effects: []metadata.Effect{metadata.Reads, metadata.Writes, metadata.Destroys}}
	writing := policy.Policy{Profile: "writing", Effects: []metadata.Effect{metadata.Reads, metadata.Writes}}
	for _, c := range []struct {
		policy policy.Policy
		tool   string
		args   string
		want   metadata.Code
	}{
		{readOnly, "notes_list", `{}`, ""},
		{readOnly, "notes_add", `{"text": "x"}`, metadata.WritesDisabled},
		{readOnly, "notes_shred", `{}`, metadata.WritesDisabled},
		{readOnly, "kota_entry_point", `{"bundle": "notes", "action": "add", "args": {"text": "x"}}`, metadata.WritesDisabled},
		{readOnly, "kota_entry_point", `{"bundle": "notes", "action": "list"}`, ""},
		{noSend, "notes_add", `{"text": "x"}`, ""},
		{noSend, "notes_post", `{}`, metadata.WritesDisabled},
		{writing, "notes_shred", `{}`, ""},
		{writing, "notes_shred", `{"forever": true}`, metadata.WritesDisabled},
		{policy.Policy{Destroy: policy.Refuse}, "notes_shred", `{}`, ""},
		{policy.Policy{Destroy: policy.Refuse}, "notes_shred", `{"forever": true}`, metadata.Refused},
		{policy.Policy{Send: policy.Refuse}, "notes_post", `{}`, metadata.Refused},
		{policy.Policy{Send: policy.Allow}, "notes_post", `{}`, ""},
		{policy.Policy{Actions: []string{"notes_list"}}, "notes_add", `{"text": "x"}`, metadata.ToolNotFound},
		{policy.Policy{Bundles: []string{"other"}}, "notes_list", `{}`, metadata.ToolNotFound},
	} {
		n, b := routertest.NewNotes("notes")
		_, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Policy: c.policy}), c.tool, c.args)
		var got metadata.Code
		if err != nil {
			got = err.Code
		}
		if got != c.want {
			t.Errorf("%+v: %s %s: got %v, want code %q", c.policy, c.tool, c.args, err, c.want)
		}
		if c.want != "" && len(n.Ran) > 0 {
			t.Errorf("%+v: %s %s was forbidden and ran: %v", c.policy, c.tool, c.args, n.Ran)
		}
		if got == metadata.WritesDisabled && !strings.Contains(err.Hint, "profile:") {
			t.Errorf("the hint %q names no line to change", err.Hint)
		}
	}
}

func TestHiddenActionsLookNonexistent(t *testing.T) {
	_, secret := routertest.NewNotes("secret")
	_, b := routertest.NewNotes("notes")
	with := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b, secret}, Policy: policy.Policy{Bundles: []string{"notes"}}})
	without := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	for tool, args := range map[string]string{
		"secret_list":           `{}`,
		"kota_discover_bundles": `{"query": "secret list", "enabled_only": false}`,
		"kota_describe_bundle":  `{"bundle": "secret"}`,
		"kota_entry_point":      `{"bundle": "secret", "action": "list"}`,
		"kota_read":             `{"bundle": "secret", "action": "list"}`,
	} {
		a, aErr := routertest.Call(t, with, tool, args)
		b, bErr := routertest.Call(t, without, tool, args)
		if a != b || fmt.Sprintf("%+v", aErr) != fmt.Sprintf("%+v", bErr) {
			t.Errorf("%s tells hidden from absent:\n%s %+v\n%s %+v", tool, a, aErr, b, bErr)
		}
	}
}

func TestPanicIsLoggedOnceWithoutItsValue(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	var log bytes.Buffer
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for tool, args := range map[string]string{"notes_burst": `{}`, "kota_read": `{"bundle": "notes", "action": "burst"}`} {
		_, err := routertest.Call(t, r, tool, args)
		if err == nil || err.Code != metadata.Internal {
			t.Fatalf("%s: got %v, want %s", tool, err, metadata.Internal)
		}
		if strings.Contains(err.Message+err.Hint+err.Cause.Error()+log.String(), "sesame") {
			t.Errorf("%s: the panic's value is shown:\n%+v\n%s", tool, err, log.String())
		}
	}
	if got := strings.Count(log.String(), "level=ERROR"); got != 2 {
		t.Errorf("two panics were logged %d times:\n%s", got, log.String())
	}
}

func TestCallTimesOut(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Timeout: time.Millisecond})
	_, err := routertest.Call(t, r, "notes_wait", `{}`)
	if err == nil || err.Code != metadata.Unavailable || !err.Retryable {
		t.Errorf("got %v, want a retryable %s", err, metadata.Unavailable)
	}
}

func TestUserIsAskedBeforeDestructionsAndSends(t *testing.T) {
	for _, c := range []struct {
		policy     policy.Policy
		tool, args string
		asked      bool
	}{
		{policy.Policy{}, "notes_shred", `{"forever": true}`, true},
		{policy.Policy{Destroy: policy.Ask}, "kota_entry_point", `{"bundle": "notes", "action": "shred", "args": {"forever": true}}`, true},
		{policy.Policy{Destroy: policy.Allow}, "notes_shred", `{"forever": true}`, false},
		{policy.Policy{}, "notes_shred", `{}`, false},
		{policy.Policy{}, "notes_post", `{}`, true},
		{policy.Policy{Send: policy.Allow}, "notes_post", `{}`, false},
		{policy.Policy{}, "notes_add", `{"text": "x"}`, false},
	} {
		n, b := routertest.NewNotes("notes")
		asked := 0
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Policy: c.policy,
			Approver: routertest.Approver(func(context.Context, entrypoint.Request) error {
				asked++
				return metadata.Errorf(metadata.Refused, "no")
			})})
		_, err := routertest.Call(t, r, c.tool, c.args)
		if c.asked && (asked != 1 || err == nil || err.Code != metadata.Refused || len(n.Ran) > 0) {
			t.Errorf("%+v: %s %s: asked %d times, answered %v, ran %v; want one question and its no", c.policy, c.tool, c.args, asked, err, n.Ran)
		}
		if !c.asked && (asked != 0 || err != nil) {
			t.Errorf("%+v: %s %s: asked %d times, answered %v; want it to run", c.policy, c.tool, c.args, asked, err)
		}
	}
}

func TestToolOfDisabledBundleNamesCommand(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	b.Enabled = false
	_, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}}), "notes_list", `{}`)
	if err == nil || err.Code != metadata.ToolNotFound || !strings.Contains(err.Hint, "kota bundles enable notes") {
		t.Errorf("got %+v, want the command that switches it on", err)
	}
}
