package daily_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/bundles/daily/sources"
	"kota/bundles/staged"
)

func TestPlanAndReviewContinueEachOthersFlows(t *testing.T) {
	d := newFixture(t)
	begun := d.writeDocument(t, "daily_plan", args{"type": "day_review"})
	under := d.writeDocument(t, "daily_review", args{}).Unfinished
	if len(under) != 1 || under[0].Handle != begun.Handle {
		t.Errorf("under way are %+v, want %s", under, begun.Handle)
	}
	made := d.writeDocument(t, "daily_review", args{"handle": begun.Handle, "answers": args{"highlights": "It snowed"}})
	if made.Stage != "created" || made.Note != "" {
		t.Errorf("got %+v", made)
	}
}

// If the process dies after it saved the document and before it noted that, the client
// repeats the last call. More may be known by then.
func TestRepeatedCallCreatesOneDocument(t *testing.T) {
	d := newFixture(t)
	create := func(body string) staged.CreateResult {
		t.Helper()
		for _, a := range d.bundle.Actions {
			if a.Tool == "daily_review" {
				made, err := staged.FlowOf(a).Create(t.Context(), staged.Document{Type: "meeting_notes", Period: "2026-11-21", Title: "Roof", Answers: map[string]json.RawMessage{}, Body: body, Key: "s_0000000000"})
				if err != nil {
					t.Fatal(err)
				}
				return made
			}
		}
		panic("there is no daily_review")
	}
	first, second := create("one entry"), create("two entries")
	if first.Repeated || !second.Repeated || first.ID != second.ID {
		t.Errorf("got %+v and %+v", first, second)
	}
}

// A client that cancels while the document is made can change its answers and continue.
func TestCancelledCallKeepsHandleOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	giveUp := func() {}
	d := newFixture(t).withDeps(func(deps *daily.Deps) {
		deps.Sources.Events = func(context.Context, string, string) (sources.Found[sources.Event], error) {
			giveUp()
			return sources.Found[sources.Event]{}, nil
		}
	})
	handle := d.writeDocument(t, "daily_plan", args{"type": "day_plan"}).Handle
	i := slices.IndexFunc(d.bundle.Actions, func(a bundles.Action) bool { return a.Tool == "daily_plan" })
	call, err := d.bundle.Actions[i].Prepare(json.RawMessage(`{"handle": "` + handle + `", "answers": {"focus": "Rest"}}`))
	if err != nil {
		t.Fatal(err)
	}
	giveUp = cancel
	if _, err := call.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("given up: %v", err)
	}
	made := d.writeDocument(t, "daily_plan", args{"handle": handle, "answers": args{"focus": "Work"}})
	if kept, err := d.diary(t).Document(t.Context(), made.ID); err != nil || made.Note != "" || !strings.Contains(kept.Body, "Work") {
		t.Errorf("got %+v, %+v, %v", made, kept, err)
	}
}

// Two clients may share a handle. Neither loses its answers.
func TestTwoClientsFillInOneHandle(t *testing.T) {
	d := newFixture(t)
	other := daily.New(d.deps)
	handle := d.writeDocument(t, "daily_review", args{"type": "day_review"}).Handle
	hard := bundletest.Must[staged.Answer](t, other, "daily_review", args{"handle": handle, "answers": args{"hard": "Slept badly"}})
	made := d.writeDocument(t, "daily_plan", args{"handle": handle, "answers": args{"highlights": "It snowed"}})
	again := bundletest.Must[staged.Answer](t, other, "daily_review", args{"handle": handle, "answers": args{"learned": "Too late"}})
	kept, err := d.diary(t).Document(t.Context(), made.ID)
	if err != nil || hard.Stage != "instructions" || !strings.Contains(kept.Body, "Slept badly") || !strings.Contains(kept.Body, "It snowed") {
		t.Errorf("kept is %+v, %v", kept, err)
	}
	if again.ID != made.ID || !again.Repeated || !strings.Contains(again.Note, "learned") {
		t.Errorf("the late call answered %+v", again)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(kept.Fields, &fields); err != nil || len(fields) != 2 {
		t.Errorf("the fields are %s, %v", kept.Fields, err)
	}
}

func TestHandleExpiresAfterADay(t *testing.T) {
	d := newFixture(t)
	handle := d.writeDocument(t, "daily_review", args{"type": "day_review"}).Handle
	d.now = d.now.Add(24*time.Hour + time.Second)
	got := d.writeDocument(t, "daily_review", args{"handle": handle, "type": "day_review", "date": "2026-11-21", "answers": args{"highlights": "It snowed"}})
	if got.Stage != "instructions" || got.Handle == handle || got.Note == "" || string(got.Answers["highlights"]) != `["It snowed"]` {
		t.Errorf("got %+v", got)
	}
}
