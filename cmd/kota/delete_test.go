package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kota/cmd/kota/internal/app"
)

// permanentMethods are Google's methods after which mail or events cannot be restored.
// KOTA deletes other things too, but keeps a copy: drafts, labels, filters and
// calendars without events.
var permanentMethods = []string{
	"gmail.users.messages.delete", "gmail.users.messages.batchDelete", "gmail.users.threads.delete", "calendar.calendars.clear",
}

// TestNoActionPermanentlyDeletesMailOrEvents generates calls of every action at a
// home that permits everything. The seed is fixed, so that a failure can be
// repeated.
func TestNoActionPermanentlyDeletesMailOrEvents(t *testing.T) {
	t.Parallel()
	const seed, rounds = 20261122, 6
	d := newUsedHome(t)
	words := append(d.answerTexts(usedHomeCalls...), "bread", someday, "primary", "Bakery", "in:anywhere", "")
	d.configure("send: allow\ndestroy: allow\ntaint: off\n")
	events := len(d.google.User(ann).Events("primary"))
	a := &app.App{Env: d.env}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	d.google.ClearLog()
	c := callGenerator{rand.New(rand.NewPCG(seed, 0)), words}
	var lines strings.Builder
	for round := range rounds {
		for _, b := range a.Bundles() {
			for _, action := range b.Actions {
				lines.WriteString(toolCall(action.Tool+string(rune('a'+round)), action.Tool, c.args(action.Action)))
			}
		}
	}
	lines.WriteString(toolCall("trash", "gmail_modify_messages", object{"query": "in:anywhere", "trash": true}))
	lines.WriteString(toolCall("calendar", "calendar_manage_calendar", object{"operation": "delete", "calendar": "primary"}))
	stdout, stderr, status := d.runWith(strings.NewReader(initializeLine+lines.String()), nil, "serve")
	if status != 0 {
		t.Fatal(stderr)
	}
	asked := map[string]int{}
	for _, r := range d.google.Requests() {
		asked[r.Method]++
		if slices.Contains(permanentMethods, r.Method) || r.Method == "calendar.calendars.delete" && strings.Contains(r.Path, "primary") {
			t.Errorf("%s %s was asked for", r.Verb, r.Path)
		}
	}
	if changing := len(d.changingRequests()); changing < 10 || len(asked) < 20 || events == 0 {
		t.Errorf("%d requests changed something, of %d kinds: the test has lost its object\n%s", changing, len(asked), regexp.MustCompile(`"error\\*":\\*"\w+`).FindString(stdout))
	}
}
