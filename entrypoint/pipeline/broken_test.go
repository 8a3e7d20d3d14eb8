package pipeline_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// lampsBundle returns a bundle with arguments that cannot have a schema.
func lampsBundle() bundles.Bundle {
	return bundles.New(
		metadata.Bundle{Key: "lamps", Name: "Lamps", Description: "Lights", Category: metadata.Optional, Tags: []string{"home"}, Enabled: true},
		bundles.Bind(metadata.Action{Name: "dim", Effect: metadata.Writes, Summary: "Dim the light."}, func(context.Context, struct {
			Level int `json:"level" default:"11" max:"10"`
		}) (any, error) {
			return nil, nil
		}),
	)
}

func TestBrokenBundleLeavesOthersWorking(t *testing.T) {
	dependingOn := func(on string) bundles.Bundle {
		_, b := routertest.NewNotes("lamps")
		b.Relationships = []metadata.Relationship{{Type: metadata.DependsOn, Bundle: on, Description: "needs it"}}
		return b
	}
	_, off := routertest.NewNotes("other")
	off.Enabled = false
	for name, c := range map[string]struct {
		broken bundles.Bundle
		reason string
	}{
		"misdescribes itself":        {lampsBundle(), "KOTA's log has the cause (id "},
		"was never made":             {bundles.Broken(metadata.Bundle{Key: "lamps", Name: "lamps", Enabled: true}, "the bulbs are missing: buy some"), "buy some"},
		"depends on one that is off": {dependingOn("other"), "which is off: run `kota bundles enable other`"},
		"depends on one unknown":     {dependingOn("nowhere"), "does not exist: run `kota bundles disable lamps`"},
	} {
		t.Run(name, func(t *testing.T) {
			_, b := routertest.NewNotes("notes")
			var log bytes.Buffer
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b, c.broken, off}, Log: slog.New(slog.NewTextHandler(&log, nil))})
			for tool, args := range map[string]string{"kota_discover_bundles": "{}", "kota_describe_bundle": `{"bundle": "lamps"}`} {
				if got, err := routertest.Call(t, r, tool, args); err != nil || !strings.Contains(got, `"unavailable":"`) || !strings.Contains(got, c.reason) {
					t.Errorf("%s: got %s, %v", tool, got, err)
				}
			}
			for tool, args := range map[string]string{
				"lamps_dim": `{"level": 3}`, "lamps_list": "{}", "kota_entry_point": `{"bundle": "lamps", "action": "dim"}`, "kota_read": `{"bundle": "lamps", "action": "list"}`,
			} {
				if _, err := routertest.Call(t, r, tool, args); err == nil || err.Code != metadata.Unavailable || !strings.Contains(err.Message, c.reason) || err.Hint == "" {
					t.Errorf("%s: got %+v, want UNAVAILABLE with why", tool, err)
				}
			}
			for _, a := range r.Listable() {
				if strings.HasPrefix(a.Tool, "lamps_") {
					t.Errorf("%s is listed", a.Tool)
				}
			}
			if got, err := routertest.Call(t, r, "notes_list", "{}"); err != nil {
				t.Errorf("the other bundle: got %s, %v", got, err)
			}
			if strings.Contains(c.reason, "(id ") && !strings.Contains(log.String(), "lamps") {
				t.Errorf("the log does not name it: %s", log.String())
			}
		})
	}
}

func TestBrokenBundleDoesNotClaimToolsOfALongerKey(t *testing.T) {
	_, hall := routertest.NewNotes("lamps_hall")
	never := bundles.Broken(metadata.Bundle{Key: "lamps", Name: "lamps", Enabled: true}, "the bulbs are missing")
	_, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{never, hall}}), "lamps_hall_burn", "{}")
	if err == nil || err.Code != metadata.ToolNotFound || strings.Contains(err.Message, "bulbs") {
		t.Errorf("got %+v", err)
	}
}

func TestDisabledOrHiddenBundleIsNotReportedBroken(t *testing.T) {
	b := lampsBundle()
	b.Enabled = false
	off, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}}), "kota_discover_bundles", `{"enabled_only": false}`)
	if err != nil || strings.Contains(off, "unavailable") {
		t.Errorf("off: %s, %v", off, err)
	}
	_, b = routertest.NewNotes("notes")
	never := bundles.Broken(metadata.Bundle{Key: "lamps", Name: "lamps", Enabled: true}, "the bulbs are missing")
	hidden, err := routertest.Call(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b, never}, Policy: policy.Policy{Bundles: []string{"notes"}}}), "kota_discover_bundles", "{}")
	if err != nil || strings.Contains(hidden, "lamps") {
		t.Errorf("hidden: %s, %v", hidden, err)
	}
}

func TestProblemIsReadForEachAnswer(t *testing.T) {
	problem := "the disk is away: plug it in"
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Problem: func(string) string { return problem }})
	shown := func() string {
		all := ""
		for tool, args := range map[string]string{
			"kota_discover_bundles": "{}", "kota_describe_bundle": `{"bundle": "notes", "detail": "brief"}`,
		} {
			got, err := routertest.Call(t, r, tool, args)
			if err != nil {
				t.Fatal(err)
			}
			all += got
		}
		found, err := routertest.Call(t, r, "kota_discover_bundles", `{"query": "list the notes"}`)
		if err != nil {
			t.Fatal(err)
		}
		return all + found + r.EnabledBundles()[0].Unavailable
	}
	if got := strings.Count(shown(), problem); got != 4 {
		t.Errorf("the problem is shown %d times, want 4", got)
	}
	problem = ""
	if got := shown(); strings.Contains(got, "plug it in") {
		t.Errorf("the problem is gone, and still shown: %s", got)
	}
}
