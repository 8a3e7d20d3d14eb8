package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// examplesDay is a day before the dates of all examples.
const examplesDay = "2026-11-20T09:00:00Z"

// Every workflow in a description is run step by step, as a model would: by the
// names of its tools, over the whole program.
func TestEveryWorkflowCanBeFollowed(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles, d.clock = "memory: on, daily: on, gmail: on, calendar: on", examplesDay
	d.configure("send: allow\ntimezone: Europe/Amsterdam\n")
	d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, Subject: "Dinner", Text: "On Friday the 4th at seven?"})

	across := 0
	for _, key := range []string{"memory", "daily", "gmail", "calendar"} {
		var described struct {
			Examples []struct {
				Title, Scenario string
				Steps           []struct {
					Tool string
					Args json.RawMessage
				}
			}
		}
		if err := json.Unmarshal([]byte(d.must("describe", key, "--json")), &described); err != nil {
			t.Fatal(err)
		}
		if len(described.Examples) == 0 {
			t.Errorf("%s shows no workflow", key)
		}
		for _, flow := range described.Examples {
			var keys []string
			for _, step := range flow.Steps {
				key, _, _ := strings.Cut(step.Tool, "_")
				keys = append(keys, key)
				if _, stderr, status := d.run("call", step.Tool, string(step.Args)); status != 0 {
					t.Errorf("%s, %s: %s %s: %s", key, flow.Title, step.Tool, step.Args, stderr)
				}
			}
			slices.Sort(keys)
			if len(slices.Compact(keys)) > 1 {
				across++
			}
			if flow.Scenario == "" || len(flow.Steps) == 0 {
				t.Errorf("%s, %s: there is no scenario or no step", key, flow.Title)
			}
		}
	}
	if across < 3 {
		t.Errorf("%d workflows lead from one bundle to another, want 3 at least", across)
	}
}
