package storetest

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/store"
)

var stagesContract = Contract{
	"one of several concurrent saves succeeds":    oneConcurrentSaveSucceeds,
	"a flow continues after a restart":            flowsSurviveARestart,
	"a flow ends a day after its last step":       flowsEndAfterADay,
	"a finished flow does not change":             finishedFlowsDoNotChange,
	"flows are listed last saved first":           flowsAreListed,
	"a flow belongs to one tenant":                flowsBelongToOneTenant,
	"a state is JSON of limited size":             statesAreBounded,
	"flows with equal times are listed by handle": flowsWithEqualTimesAreListedByHandle,
}

func openFlow(t testing.TB, s Stages, flow string) *store.Stage {
	t.Helper()
	opened, err := s.Open(t.Context(), flow, "choose", json.RawMessage(`{"date":"2026-11-20"}`))
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// Several clients continue a flow from the same step.
func oneConcurrentSaveSucceeds(t *testing.T, open Opener) {
	opened := openFlow(t, open(time.Now).Stages("ann"), "daily_review")
	var all sync.WaitGroup
	outcomes := make(chan error, 8)
	for range cap(outcomes) {
		s := open(time.Now).Stages("ann")
		all.Go(func() {
			_, err := s.Save(t.Context(), opened.Handle, "answer", json.RawMessage(`{}`), opened.Version)
			outcomes <- err
		})
	}
	all.Wait()
	close(outcomes)
	succeeded := 0
	for err := range outcomes {
		changed := (*store.ChangedError)(nil)
		switch {
		case err == nil:
			succeeded++
		case !errors.Is(err, store.ErrConflict) || !errors.As(err, &changed) || changed.Version != 2:
			t.Errorf("the other clients get %v", err)
		}
	}
	if succeeded != 1 {
		t.Errorf("%d saves succeeded", succeeded)
	}
}

func flowsSurviveARestart(t *testing.T, open Opener) {
	c := NewClock()
	db := open(c.Now)
	opened := openFlow(t, db.Stages("ann"), "daily_review")
	c.Set(c.Now().Add(time.Hour))
	saved, err := db.Stages("ann").Save(t.Context(), opened.Handle, "answer", json.RawMessage(`{"mood": [4]}`), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := open(c.Now).Stages("ann").Get(t.Context(), opened.Handle)
	want := &store.Stage{
		Handle: opened.Handle, Flow: "daily_review", Step: "answer", State: json.RawMessage(`{"mood":[4]}`), Version: 2,
		Created: opened.Created, Updated: c.Now(), Expires: c.Now().Add(store.StageTTL),
	}
	if err != nil || !reflect.DeepEqual(saved, want) || !reflect.DeepEqual(got, want) {
		t.Errorf("saved %+v, got %+v, want %+v, %v", saved, got, want, err)
	}
}

func flowsEndAfterADay(t *testing.T, open Opener) {
	c := NewClock()
	db := open(c.Now)
	s := db.Stages("ann")
	opened := openFlow(t, s, "daily_review")
	c.Set(c.Now().Add(24*time.Hour - time.Millisecond))
	if _, err := s.Save(t.Context(), opened.Handle, "answer", json.RawMessage(`{}`), 1); err != nil {
		t.Fatalf("just before it expires: %v", err)
	}
	c.Set(c.Now().Add(24 * time.Hour))
	if got, err := s.Get(t.Context(), opened.Handle); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after it expired: %+v, %v", got, err)
	}
	if _, err := s.Save(t.Context(), opened.Handle, "answer", json.RawMessage(`{}`), 2); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("saving it after it expired: %v", err)
	}
	if pending, err := s.Pending(t.Context(), ""); err != nil || len(pending) != 0 {
		t.Errorf("pending after it expired: %v, %v", pending, err)
	}
	c.Set(c.Now().Add(-time.Hour)) // the clock was wrong
	if _, err := s.Get(t.Context(), opened.Handle); err != nil {
		t.Errorf("when the clock is set back: %v", err)
	}
	c.Set(c.Now().Add(time.Hour))
	openFlow(t, s, "daily_plan")
	c.Set(c.Now().Add(-time.Hour))
	if _, err := s.Get(t.Context(), opened.Handle); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("it is still stored after another flow was opened: %v", err)
	}
}

func finishedFlowsDoNotChange(t *testing.T, open Opener) {
	db := open(NewClock().Now)
	s := db.Stages("ann")
	opened := openFlow(t, s, "daily_review")
	if _, err := s.Finish(t.Context(), opened.Handle, "created", json.RawMessage(`{"id":"d1"}`), 1); err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(t.Context(), opened.Handle)
	if err != nil || string(got.State) != `{"id":"d1"}` || got.Finished.IsZero() {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Save(t.Context(), opened.Handle, "choose", json.RawMessage(`{}`), 2); !errors.Is(err, store.ErrConflict) {
		t.Errorf("saving it again: %v", err)
	}
	if pending, err := s.Pending(t.Context(), "daily_review"); err != nil || len(pending) != 0 {
		t.Errorf("pending: %v, %v", pending, err)
	}
}

func flowsAreListed(t *testing.T, open Opener) {
	c := NewClock()
	db := open(c.Now)
	s := db.Stages("ann")
	first := openFlow(t, s, "daily_review")
	c.Set(c.Now().Add(time.Minute))
	second := openFlow(t, s, "daily_review")
	plan := openFlow(t, s, "daily_plan")
	openFlow(t, db.Stages("bob"), "daily_review")
	c.Set(c.Now().Add(time.Minute))
	if _, err := s.Save(t.Context(), first.Handle, "answer", json.RawMessage(`{}`), 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Cancel(t.Context(), plan.Handle); err != nil {
		t.Fatal(err)
	}
	pending, err := s.Pending(t.Context(), "")
	got := []string{}
	for _, one := range pending {
		got = append(got, one.Handle)
	}
	if want := []string{first.Handle, second.Handle}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func flowsBelongToOneTenant(t *testing.T, open Opener) {
	db := open(time.Now)
	opened := openFlow(t, db.Stages("ann"), "daily_review")
	bob := db.Stages("bob")
	_, got := bob.Get(t.Context(), opened.Handle)
	_, saved := bob.Save(t.Context(), opened.Handle, "answer", json.RawMessage(`{}`), 1)
	for _, err := range []error{got, saved, bob.Cancel(t.Context(), opened.Handle), bob.Cancel(t.Context(), "s_unknown")} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("bob gets %v", err)
		}
	}
}

func statesAreBounded(t *testing.T, open Opener) {
	s := open(time.Now).Stages("ann")
	opened := openFlow(t, s, "daily_review")
	if _, err := s.Save(t.Context(), opened.Handle, "answer", json.RawMessage(`{`), 1); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("no JSON: %v", err)
	}
	if _, err := s.Open(t.Context(), "f", "s", JSONText(strings.Repeat("x", store.MaxValue))); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
}
