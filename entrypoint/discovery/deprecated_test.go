package discovery_test

import (
	"slices"
	"strings"
	"testing"

	"kota/entrypoint/routertest"
	"kota/metadata/docs"
)

func TestDeprecatedActionRanksLast(t *testing.T) {
	d := discover(t, routertest.WithDeprecatedAction(t), `{"query": "list notes", "limit": 10}`)
	found := tools(d)
	if i := slices.Index(found, "notes_all"); i < 0 || i < slices.Index(found, "notes_list") || i != len(found)-1 {
		t.Errorf("found %v, want notes_all last", found)
	}
	if last := d.Actions[len(d.Actions)-1]; last.Deprecated != "notes_list" {
		t.Errorf("got %+v, want it to name what to call instead", last)
	}
}

func TestDescribeNamesReplacementOfDeprecatedAction(t *testing.T) {
	r := routertest.WithDeprecatedAction(t)
	for _, args := range []string{`{"bundle": "notes", "actions": ["all"]}`, `{"bundle": "notes", "actions": ["all"], "detail": "spec"}`} {
		if got, err := routertest.Call(t, r, "kota_describe_bundle", args); err != nil || !strings.Contains(got, "notes_list") || !strings.Contains(got, "deprecated") {
			t.Errorf("%s: got %s %v", args, got, err)
		}
	}
	if page := docs.Markdown(r.EnabledBundles(), docs.Full); !strings.Contains(page, "Deprecated: notes_list.") {
		t.Errorf("the page does not say it:\n%s", page)
	}
}
