package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/app"
)

// callsWithAdvice are calls whose answers mention other tools if these are available.
var callsWithAdvice = []struct {
	tool string
	args object
}{
	{"gmail_unsubscribe", object{"message_id": "PLAIN"}},
	{"calendar_create_event", object{"title": "Bakery", "start": someday + "T14:00:00Z"}},
	{"calendar_create_event", object{"title": "Bakery", "start": someday + "T14:00:00Z", "idempotency_key": "again"}},
	{"calendar_update_event", object{"event_id": "EVENT", "remove_attendees": []string{ann}}},
	{"calendar_quick_add", object{"text": "Lunch with ann@example.com tomorrow at noon"}},
	{"calendar_find_slots", object{"duration": "30m", "from": someday, "to": someday}},
	{"calendar_find_slots", object{"duration": "30m", "attendees": []string{bob}, "from": someday, "to": someday}},
	{"calendar_list_changes", object{}},
	{"calendar_respond_event", object{"answer": "yes", "ics": "BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:u1\nDTSTART:20270115T140000Z\nSUMMARY:Tea\nEND:VEVENT\nEND:VCALENDAR"}},
	{"memory_get", object{"query": "nothing of the kind at all"}},
	{"memory_restore", object{"key": "baker", "version": 99}},
	{"memory_set", object{"key": "bakers", "value": "Rye bread from the corner"}},
	{"daily_plan", object{"type": "day_plan"}},
	{"daily_review", object{"type": "day_review"}},
	{"daily_review", object{"type": "meeting_notes", "period": "the bakery"}},
	{"daily_edit", object{"id": "d_1", "delete": true}},
	{"daily_task", object{"op": "done", "ids": []string{"t_404"}}},
}

// Under a profile of one action, no answer or error names another action. The
// seed is fixed, so that a failure can be repeated.
func TestCallAnswersNameNoHiddenTool(t *testing.T) {
	t.Parallel()
	const seed, rounds = 20261122, 3
	d := newUsedHome(t)
	plain := d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, To: ann, Subject: "Rolls", Text: "Ten."}).ID
	event := d.mustCall("calendar_create_event", object{"title": "Oven", "start": someday + " 18:00"}).Event.ID
	a := &app.App{Env: d.env}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	tools, profiles := []string{}, "profiles:\n"
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			tools = append(tools, action.Tool)
			profiles += "  " + action.Tool + ": {actions: [" + action.Tool + "]}\n"
		}
	}
	anyTool := regexp.MustCompile(`\b(` + strings.Join(tools, "|") + `)\b`)
	words := slices.DeleteFunc(append(d.answerTexts(usedHomeCalls...), plain, event, "bread", someday, "all", "*"), anyTool.MatchString)
	d.configure("send: allow\ndestroy: allow\n" + profiles)

	c := callGenerator{rand.New(rand.NewPCG(seed, 0)), words}
	named := strings.NewReplacer("PLAIN", plain, "EVENT", event)
	done := 0
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			asked := []any{}
			for _, e := range action.Examples {
				asked = append(asked, e.Args)
			}
			for range rounds {
				asked = append(asked, c.args(action.Action))
			}
			for _, call := range callsWithAdvice {
				if call.tool == action.Tool {
					asked = append(asked, call.args)
				}
			}
			var lines strings.Builder
			for i, args := range asked {
				lines.WriteString(named.Replace(toolCall(i, action.Tool, args)))
			}
			stdout, stderr, status := d.runWith(strings.NewReader(initializeLine+lines.String()), nil, "serve", "--profile", action.Tool)
			if status != 0 {
				t.Fatal(stderr)
			}
			done += strings.Count(stdout, `"structuredContent"`)
			for _, at := range anyTool.FindAllStringIndex(stdout, -1) {
				if stdout[at[0]:at[1]] != action.Tool {
					t.Errorf("%s alone is offered, and an answer says …%s…", action.Tool, stdout[max(0, at[0]-200):min(len(stdout), at[1]+60)])
				}
			}
		}
	}
	if done < len(tools) {
		t.Errorf("only %d calls went well", done)
	}
}
