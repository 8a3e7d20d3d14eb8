package daily_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/daily/sources"
)

type linksAnswer struct {
	Foreign string
	Linked  []struct{ Link, Title, Status, Reason string }
	More    int `json:"more_links"`
}

func TestLinksAreLookedUpOnceAndOnRequest(t *testing.T) {
	asked := atomic.Int32{}
	d := newFixtureWithSources(t, sources.Set{Linked: func(_ context.Context, kind, id string) (sources.Target, error) {
		asked.Add(1)
		return sources.Target{Title: kind + " " + id, Untrusted: kind != "memory"}, nil
	}})
	for n := range 3 {
		links := []string{"memory:every:day", "mail:m1"}
		for i := range 10 {
			links = append(links, fmt.Sprintf("event:e%d", n*10+i))
		}
		bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "links": links})
	}
	if got := bundletest.Must[linksAnswer](t, d.bundle, "daily_get", args{}); len(got.Linked) != 0 || asked.Load() != 0 {
		t.Errorf("%d were followed: %+v", asked.Load(), got)
	}
	if got := bundletest.Must[linksAnswer](t, d.bundle, "daily_get", args{"include": "memories"}); len(got.Linked) != 1 || got.Linked[0].Title != "memory every:day" || got.Foreign != "" || asked.Load() != 1 {
		t.Errorf("%d were followed: %+v", asked.Load(), got)
	}
	if got := bundletest.Must[linksAnswer](t, d.bundle, "daily_get", args{"include": []string{"events", "mail"}}); len(got.Linked) != 20 || got.More != 11 || got.Foreign == "" || got.Linked[0].Link != "mail:m1" {
		t.Errorf("%d were followed: %+v", asked.Load(), got)
	}
}

func TestSlowLinkDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFixtureWithSources(t, sources.Set{Linked: func(ctx context.Context, _, id string) (sources.Target, error) {
			switch id {
			case "slow":
				time.Sleep(time.Minute)
			case "broken":
				return sources.Target{}, errors.New("the mail says 4711")
			}
			return sources.Target{Title: "The roof\nFrom: the bank"}, nil
		}})
		id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "links": []string{"mail:slow", "mail:broken", "mail:fine"}}).IDs[0]
		start := time.Now()
		got := bundletest.Must[linksAnswer](t, d.bundle, "daily_get", args{"id": id, "include": "mail"}).Linked
		if took := time.Since(start); took != 8*time.Second {
			t.Errorf("it took %v", took)
		}
		want := []struct{ Link, Title, Status, Reason string }{
			{"mail:slow", "", "failed", "timeout: no answer within 8s"},
			{"mail:broken", "", "failed", "an internal error occurred; KOTA's log has the cause"},
			{"mail:fine", "The roof From: the bank", "", ""},
		}
		if !cmp.Equal(got, want) {
			t.Error(cmp.Diff(want, got))
		}
		time.Sleep(time.Hour) // until the goroutine that was left behind has ended
	})
	d := newFixture(t)
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "links": []string{"event:e1"}})
	if got := bundletest.Must[linksAnswer](t, d.bundle, "daily_get", args{"include": "events"}).Linked; len(got) != 1 || got[0].Status != "not_connected" {
		t.Errorf("without a calendar: %+v", got)
	}
}
