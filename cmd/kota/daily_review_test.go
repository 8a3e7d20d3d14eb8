package main

import (
	"path/filepath"
	"strings"
	"testing"

	"kota/bundles/staged"
)

// newDailyHome returns a home with the daily bundle.
func newDailyHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte("timezone: Europe/Amsterdam\nbundles: {daily: true}\n"))
	return home
}

// review calls daily_review.
func (p *process) review(args string) staged.Answer { return p.callStaged("daily_review", args) }

func TestReviewContinuesAfterKill9(t *testing.T) {
	home := newDailyHome(t)
	first := serveIn(t, home)
	handle := first.review(`{"type": "week_review"}`).Handle
	first.review(`{"handle": "` + handle + `", "answers": {"hard": ["Slept badly"]}}`)
	first.kill()

	second := serveIn(t, home)
	under := second.review(`{}`).Unfinished
	if len(under) != 1 || under[0].Handle != handle || under[0].Type != "week_review" {
		t.Fatalf("under way are %+v, want %s", under, handle)
	}
	if look := second.review(`{"handle": "` + handle + `"}`); !strings.Contains(look.Starter, "## Hard\n\n- Slept badly") {
		t.Errorf("looking at it shows\n%s", look.Starter)
	}
	last := `{"handle": "` + handle + `", "answers": {"highlights": ["It snowed"]}}`
	made := second.review(last)
	second.kill()

	third := serveIn(t, home)
	again := third.review(last)
	if made.Stage != "created" || made.Repeated || !again.Repeated || made.ID == "" || again.ID != made.ID {
		t.Errorf("made %+v, and repeated %+v", made, again)
	}
	third.end()
}
