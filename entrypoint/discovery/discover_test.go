package discovery_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/discovery"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// notesAndAttic returns a router with one enabled and one disabled bundle.
func notesAndAttic(t *testing.T) *entrypoint.Router {
	_, on := routertest.NewNotes("notes")
	_, off := routertest.NewNotes("attic")
	off.Enabled, off.Category, off.Tags = false, metadata.Optional, []string{"dust"}
	on.Relationships = []metadata.Relationship{{Type: metadata.RelatedTo, Bundle: "attic", Description: "Old notes go there"}}
	return routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{on, off}})
}

func discover(t *testing.T, r *entrypoint.Router, args string) discovery.Findings {
	t.Helper()
	text, e := routertest.Call(t, r, "kota_discover_bundles", args)
	if e != nil {
		t.Fatalf("discover %s: %v", args, e)
	}
	var d discovery.Findings
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func keys(d discovery.Findings) []string {
	keys := []string{}
	for _, b := range d.Bundles {
		keys = append(keys, b.Key)
	}
	return keys
}

func tools(d discovery.Findings) []string {
	tools := []string{}
	for _, a := range d.Actions {
		tools = append(tools, a.Tool)
	}
	return tools
}

func TestBrowseCombinesFilters(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
	}{
		{`{}`, []string{"notes"}},
		{`{"enabled_only": false}`, []string{"notes", "attic"}},
		{`{"category": "core", "enabled_only": false}`, []string{"notes"}},
		{`{"tags": ["dust"], "enabled_only": false}`, []string{"attic"}},
		{`{"tags": ["DUST", "health"], "enabled_only": false}`, []string{"notes", "attic"}},
		{`{"tags": ["dust"], "category": "optional", "effect": "sends", "enabled_only": false}`, []string{"attic"}},
	} {
		d := discover(t, notesAndAttic(t), c.args)
		if got := keys(d); !slices.Equal(got, c.want) || d.TotalCount != len(c.want) {
			t.Errorf("%s: got %v and total_count %d, want %v", c.args, got, d.TotalCount, c.want)
		}
	}
}

func TestBrowseKeepsOriginalFields(t *testing.T) {
	text, e := routertest.Call(t, notesAndAttic(t), "kota_discover_bundles", `{}`)
	if e != nil {
		t.Fatal(e)
	}
	want := `{"bundles":[{"key":"notes","name":"Notes","description":"Short notes on paper","category":"core","tags":["paper","health"],"enabled":true,"action_count":6}],"total_count":1,"categories":{"core":1},`
	if !strings.HasPrefix(text, want) {
		t.Errorf("got  %s\nwant %s…", text, want)
	}
}

func TestSearchAppliesEveryFilter(t *testing.T) {
	r := notesAndAttic(t)
	for _, c := range []struct{ args, first string }{
		{`{"query": "list", "bundle": "ATTIC", "enabled_only": false}`, "attic_list"},
		{`{"query": "list", "bundle": "attic", "effect": "reads", "tags": ["dust"], "category": "optional", "enabled_only": false}`, "attic_list"},
		{`{"query": "jot something down"}`, "notes_add"},
		{`{"query": "notes.list"}`, "notes_list"},
		{`{"query": "send to a friend"}`, "notes_post"},
		{`{"query": "list", "tags": ["dust"], "enabled_only": false}`, "attic_list"},
		{`{"query": "post", "tags": ["post"]}`, "notes_post"}, // the words of a name count as tags
		{`{"q": "list", "tags": ["dust"], "enabled_only": false}`, "attic_list"},
		{`{"query": "notes", "effect": "sends"}`, "notes_post"},
	} {
		if got := tools(discover(t, r, c.args)); len(got) == 0 || got[0] != c.first {
			t.Errorf("%s: got %v, want %s first", c.args, got, c.first)
		}
	}
	for _, tool := range tools(discover(t, r, `{"query": "write a note", "effect": "reads", "limit": 50}`)) {
		if !slices.Contains([]string{"notes_list", "notes_burst", "notes_wait"}, tool) {
			t.Errorf("effect reads found %s", tool)
		}
	}
}

func TestSearchWithoutMatchListsBundles(t *testing.T) {
	for _, args := range []string{`{"query": "qqqq zzzz"}`, `{"query": "***"}`, `{"query": "note", "tags": ["no such tag"]}`, `{"tags": ["no such tag"]}`} {
		d := discover(t, notesAndAttic(t), args)
		if got := keys(d); !slices.Equal(got, []string{"notes"}) || d.Next == "" || len(d.Actions) > 0 {
			t.Errorf("%s: got %+v, want every bundle and what to do next", args, d)
		}
	}
}

func TestSearchNamesBestCallableActionWithoutFilters(t *testing.T) {
	readOnly := policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}
	for _, c := range []struct {
		policy     policy.Policy
		args, want string
	}{
		{policy.Policy{}, `{"query": "send to a friend", "bundle": "letters"}`, " Without bundle, notes_post would match."},
		{readOnly, `{"query": "send to a friend", "bundle": "letters"}`, ""},                                                               // the profile forbids it
		{policy.Policy{}, `{"query": "show the notes sent to a friend", "bundle": "letters"}`, " Without bundle, notes_list would match."}, // and not notes_post, which sends
	} {
		_, notes := routertest.NewNotes("notes")
		_, letters := routertest.NewNotes("letters")
		letters.Actions = letters.Actions[:1]
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{notes, letters}, Policy: c.policy})
		d := discover(t, r, c.args)
		if len(d.Actions) > 0 || d.Next != "Nothing matches; the index names the actions you can call."+c.want {
			t.Errorf("%s: got %v and %q, want %q", c.args, tools(d), d.Next, c.want)
		}
	}
}

func TestSearchPagesAreComplete(t *testing.T) {
	r := notesAndAttic(t)
	whole := tools(discover(t, r, `{"query": "notes", "limit": 50}`))
	var parts []string
	cursor := ""
	for range whole {
		d := discover(t, r, fmt.Sprintf(`{"query": "notes", "limit": 2, "cursor": %q}`, cursor))
		parts = append(parts, tools(d)...)
		if cursor = d.NextCursor; cursor == "" {
			break
		}
	}
	if len(whole) < 3 || !slices.Equal(parts, whole) {
		t.Errorf("pages give %v, want %v", parts, whole)
	}
}

func TestCursorOfOtherRequestIsRefused(t *testing.T) {
	other := discover(t, notesAndAttic(t), `{"query": "notes", "limit": 2}`).NextCursor
	if other == "" {
		t.Fatal("there is no cursor of another question")
	}
	for _, cursor := range []string{"x", "at-", "at--1", "at-1", "at-99999999999999999999", other} {
		_, e := routertest.Call(t, notesAndAttic(t), "kota_discover_bundles", fmt.Sprintf(`{"cursor": %q}`, cursor))
		if e == nil || e.Code != metadata.ValidationError || e.Problems[0].Path != "cursor" {
			t.Errorf("cursor %q: got %v, want %s at cursor", cursor, e, metadata.ValidationError)
		}
	}
}

func TestDescribeShowsBundleOrRequestedActions(t *testing.T) {
	r := notesAndAttic(t)
	describe := func(args string) metadata.Bundle {
		text, e := routertest.Call(t, r, "kota_describe_bundle", args)
		if e != nil {
			t.Fatalf("%s: %v", args, e)
		}
		var b metadata.Bundle
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	whole := describe(`{"bundle": "notes"}`)
	if len(whole.Actions) != 6 || len(whole.Actions[0].Examples) != 1 {
		t.Errorf("got %d actions, want 6 with the example of the first", len(whole.Actions))
	}
	if rel := whole.Relationships[0]; rel.Enabled == nil || *rel.Enabled {
		t.Errorf("the related bundle is off, and is not shown as such: %+v", rel)
	}
	if got := describe(`{"bundle": "notes", "include_examples": false}`).Actions[0].Examples; len(got) > 0 {
		t.Errorf("examples were not asked for: %v", got)
	}
	for _, args := range []string{`{"bundle": "notes", "actions": ["list"]}`, `{"bundle": "notes", "actions": "notes_list"}`, `{"bundle": "notes_list"}`} {
		if got := describe(args).Actions; len(got) != 1 || got[0].Tool != "notes_list" {
			t.Errorf("%s: got %d actions, want notes_list alone", args, len(got))
		}
	}
}

func TestSearchNamesDisabledBundleThatMatches(t *testing.T) {
	for _, args := range []string{`{"query": "attic list", "tags": ["dust"]}`, `{"tags": ["dust"]}`} {
		if d := discover(t, notesAndAttic(t), args); !strings.Contains(d.Hidden, "kota bundles enable attic") {
			t.Errorf("%s: hidden is %q, want the command that helps", args, d.Hidden)
		}
	}
}

func TestUnknownBundleSuggestsNearest(t *testing.T) {
	_, e := routertest.Call(t, notesAndAttic(t), "kota_discover_bundles", `{"query": "list", "bundle": "note"}`)
	if e == nil || e.Code != metadata.NotFound || e.Problems[0].Suggestion != "notes" {
		t.Errorf("got %+v, want %s and the nearest key", e, metadata.NotFound)
	}
}

func TestSearchWithoutMatchListsActionNames(t *testing.T) {
	d := discover(t, notesAndAttic(t), `{"query": "qqqq zzzz"}`)
	if got := strings.Split(d.Index["notes"], ", "); len(d.Index) != 1 || len(got) != 6 || got[0] != "add" {
		t.Errorf("got %v, want the six actions of what is on", d.Index)
	}
	if d = discover(t, notesAndAttic(t), `{"query": "qqqq zzzz", "enabled_only": false}`); d.Index["attic"] == "" {
		t.Errorf("got %v, want what is off as well", d.Index)
	}
}

func TestEveryDetailHasTheSameRanking(t *testing.T) {
	r := notesAndAttic(t)
	want := tools(discover(t, r, `{"query": "note", "limit": 50}`))
	for _, detail := range []string{"names", "signatures", "full"} {
		d := discover(t, r, fmt.Sprintf(`{"query": "note", "limit": 50, "detail": %q}`, detail))
		if got := tools(d); !slices.Equal(got, want) {
			t.Errorf("%s ranks %v, want %v", detail, got, want)
		}
		about, _ := r.Action(d.Actions[0].Tool)
		first := map[string]string{"names": about.Brief(), "signatures": about.Signature(), "full": about.Spec()}[detail]
		if a := d.Actions[0]; first == "" || a.Brief+a.Signature+a.Spec != first {
			t.Errorf("%s shows %+v, want %q", detail, a, first)
		}
	}
}

func TestBestThreeHitsHaveSignatures(t *testing.T) {
	r := notesAndAttic(t)
	found := discover(t, r, `{"query": "notes", "limit": 50}`).Actions
	if len(found) < 4 {
		t.Fatalf("only %d actions are found", len(found))
	}
	for i, a := range found {
		about, _ := r.Action(a.Tool)
		if i >= 3 {
			if a != (discovery.ActionLine{Tool: a.Tool}) {
				t.Errorf("%d: got %+v, want the name alone", i, a)
			}
			continue
		}
		for _, p := range about.Input.Params() {
			if !strings.Contains(a.Signature, p.Name) {
				t.Errorf("%s lacks %s", a.Signature, p.Name)
			}
		}
		if a.Signature == "" || a.Effect == "" || i == 0 && a.Summary == "" {
			t.Errorf("%d: got %+v, want its signature, effect and summary", i, a)
		}
	}
}

func TestCursorOnlyForCallersThatPage(t *testing.T) {
	r := notesAndAttic(t)
	for args, want := range map[string]bool{
		`{"query": "notes"}`:             false,
		`{"query": "notes", "limit": 1}`: false,
		`{"query": "notes", "limit": 2}`: true,
	} {
		if got := discover(t, r, args).NextCursor != ""; got != want {
			t.Errorf("%s: a cursor: %v, want %v", args, got, want)
		}
	}
	d := discover(t, r, `{"query": "notes", "limit": 2}`)
	if d = discover(t, r, fmt.Sprintf(`{"query": "notes", "limit": 1, "cursor": %q}`, d.NextCursor)); d.NextCursor == "" {
		t.Error("a page that was asked for has no next one")
	}
}

func TestHiddenCountsOnlyBetterActions(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Policy: policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}})
	if d := discover(t, r, `{"query": "list the notes"}`); len(d.Actions) == 0 || d.Actions[0].Tool != "notes_list" || d.Hidden != "" {
		t.Errorf("got %+v, want notes_list and nothing of what is hidden", d)
	}
	if d := discover(t, r, `{"query": "send the notes to a friend"}`); d.Hidden == "" {
		t.Errorf("got %+v, want what hides the best action", d)
	}
}

func TestExampleCallOfBestActionRuns(t *testing.T) {
	r := notesAndAttic(t)
	d := discover(t, r, `{"query": "jot something down"}`)
	if d.Call == nil || d.Call.Tool != "notes_add" {
		t.Fatalf("got the call %+v, want one of notes_add", d.Call)
	}
	args, err := json.Marshal(d.Call.Args)
	if err != nil {
		t.Fatal(err)
	}
	if _, e := routertest.Call(t, r, d.Call.Tool, string(args)); e != nil {
		t.Errorf("the call %s fails: %v", args, e)
	}
}

func TestHiddenCountsForbiddenNotInvisibleActions(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	hidden := func(rules policy.Policy, args string) string {
		return discover(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Policy: rules}), args).Hidden
	}
	readOnly := policy.Policy{Profile: "read-only", Effects: []metadata.Effect{metadata.Reads}}
	if got, want := hidden(readOnly, `{"query": "write a note"}`), "1 result hidden by profile read-only"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := hidden(policy.Policy{Profile: "lists", Actions: []string{"notes_list"}}, `{"query": "write a note"}`); got != "" {
		t.Errorf("got %q of what does not exist", got)
	}
	if got := hidden(readOnly, `{"effect": "reads"}`); got != "" {
		t.Errorf("got %q of what was not asked for", got)
	}
}
