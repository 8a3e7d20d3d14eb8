package daily_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
)

// concurrentChanges returns changes that another client overwrites before they are undone.
func concurrentChanges(d **fixture) []bundletest.ConcurrentChange {
	given := func(a args) func(*testing.T, bundles.Bundle) any {
		return func(*testing.T, bundles.Bundle) any { return a }
	}
	state := func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) string { return (*d).dump(t) }
	edit := func(t *testing.T, b bundles.Bundle, answer json.RawMessage) {
		var made struct{ IDs []string }
		if err := json.Unmarshal(answer, &made); err != nil {
			t.Fatal(err)
		}
		bundletest.Must[args](t, b, "daily_edit", args{"id": made.IDs[0], "text": "Of another client"})
	}
	plan := func(tool string, doc args) func(*testing.T, bundles.Bundle, json.RawMessage) {
		return func(t *testing.T, b bundles.Bundle, _ json.RawMessage) { bundletest.Must[args](t, b, tool, doc) }
	}
	day := func(focus string) args {
		return args{"type": "day_plan", "period": "2026-11-24", "answers": args{"focus": focus}}
	}
	review := func(highlight string) args {
		return args{"type": "day_review", "period": "2026-11-20", "answers": args{"highlights": []string{highlight}}}
	}
	return []bundletest.ConcurrentChange{
		{Title: "an entry that was logged, then edited", Tool: "daily_log", Args: given(args{"text": "Swam"}), Change: edit, State: state},
		{Title: "an entry that was edited, and again", Tool: "daily_edit", Args: given(args{"id": "ejmbx4h", "text": "Slept well"}), Change: edit, State: state},
		{Title: "a plan that was made, then changed", Tool: "daily_plan", Args: given(day("Report")), Change: plan("daily_plan", day("Garden")), State: state},
		{Title: "a review that was made, then changed", Tool: "daily_review", Args: given(review("It snowed")), Change: plan("daily_review", review("It rained")), State: state},
		{
			Title: "a task that was added, then put off", Tool: "daily_task", Args: given(args{"op": "add", "text": "Call Bob"}), State: state,
			Change: func(t *testing.T, b bundles.Bundle, answer json.RawMessage) {
				var made struct {
					Tasks []struct{ ID string }
				}
				if err := json.Unmarshal(answer, &made); err != nil || len(made.Tasks) == 0 {
					t.Fatal(fmt.Errorf("%w: %s", err, answer))
				}
				bundletest.Must[args](t, b, "daily_task", args{"op": "defer", "ids": []string{made.Tasks[0].ID}, "until": "next week"})
			},
		},
	}
}
