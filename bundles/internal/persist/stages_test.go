package persist_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store/enginetest"
	"kota/store/tables/stages"
)

func TestStages(t *testing.T) {
	now := noon
	place := enginetest.New(t)
	open := func(owner string) func(context.Context) (persist.StageStore, error) {
		db := place.Open(t, owner, func() time.Time { return now })
		return func(ctx context.Context) (persist.StageStore, error) { return stages.New(db, owner), ctx.Err() }
	}
	daily := persist.Stages{Store: open("ann"), Bundle: "daily"}
	begin := func(flow string) string {
		handle, err := daily.Open(t.Context(), flow, "instructions", json.RawMessage(`{"type":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		return handle
	}
	plan, review := begin("plan"), begin("review")

	t.Run("tell a flow by its action in its own bundle, by its tool in others", func(t *testing.T) {
		for bundle, want := range map[string]string{"daily": "review", "gmail": "daily_review"} {
			flow, stage, state, version, err := persist.Stages{Store: open("ann"), Bundle: bundle}.Get(t.Context(), review)
			if flow != want || stage != "instructions" || string(state) != `{"type":"x"}` || version != 1 || err != nil {
				t.Errorf("%s: got %s at %s, %s, version %d, %v", bundle, flow, stage, state, version, err)
			}
		}
	})
	t.Run("let one of two go on", func(t *testing.T) {
		if version, err := daily.Save(t.Context(), plan, "instructions", json.RawMessage(`{}`), 1, false); version != 2 || err != nil {
			t.Errorf("got version %d, %v", version, err)
		}
		_, err := daily.Save(t.Context(), plan, "instructions", json.RawMessage(`{}`), 1, false)
		if codeOf(t, err) != metadata.Conflict {
			t.Errorf("the other got %v", err)
		}
	})
	t.Run("list what has not ended", func(t *testing.T) {
		if _, err := daily.Save(t.Context(), plan, "created", json.RawMessage(`{}`), 2, true); err != nil {
			t.Fatal(err)
		}
		plans, err := daily.Pending(t.Context(), "plan")
		reviews, err2 := daily.Pending(t.Context(), "review")
		if len(plans) != 0 || !slices.Equal(reviews, []string{review}) || err != nil || err2 != nil {
			t.Errorf("got %q and %q, %v, %v", plans, reviews, err, err2)
		}
		if _, stage, _, _, err := daily.Get(t.Context(), plan); stage != "created" || err != nil {
			t.Errorf("what has ended is at %q, %v", stage, err)
		}
	})
	t.Run("know nobody else's handles, nor those of the day before", func(t *testing.T) {
		bob := persist.Stages{Store: open("bob"), Bundle: "daily"}
		_, _, _, _, foreign := bob.Get(t.Context(), review)
		now = now.Add(24 * time.Hour)
		_, _, _, _, old := daily.Get(t.Context(), review)
		_, save := daily.Save(t.Context(), review, "instructions", json.RawMessage(`{}`), 1, false)
		for _, err := range []error{foreign, old, save} {
			if codeOf(t, err) != metadata.NotFound {
				t.Errorf("got %v", err)
			}
		}
	})
}
