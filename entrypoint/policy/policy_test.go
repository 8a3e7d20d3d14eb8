package policy_test

import (
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestDescribeReportsForbiddenAction(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Policy: policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}})
	_, described := routertest.Call(t, r, "kota_describe_bundle", `{"bundle": "notes", "actions": ["add"]}`)
	_, called := routertest.Call(t, r, "notes_add", `{"text": "x"}`)
	if described == nil || called == nil || described.Code != metadata.WritesDisabled || described.Hint != called.Hint {
		t.Errorf("describe says %+v, a call %+v; want the same", described, called)
	}
}

func TestDiscoveryKeyIsReserved(t *testing.T) {
	for _, key := range []string{"kota", "kota_x"} {
		_, b := routertest.NewNotes(key)
		if _, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{b}}); err == nil || !strings.Contains(err.Error(), "reserved") {
			t.Errorf("bundle %q: got %v, want it refused", key, err)
		}
	}
}
