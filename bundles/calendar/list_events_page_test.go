package calendar_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// The pages together are the whole list, for any calendars, zones and page sizes. No event
// is missing or listed twice.
func TestListEventsPagesEqualWholeList(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	zones := []string{"Europe/Amsterdam", "Asia/Tokyo", "Pacific/Honolulu", "Pacific/Kiritimati", "America/New_York"}
	for round := range 8 {
		d := newFixture(t)
		names := []string{"primary"}
		var made []map[string]any
		for i := range 3 {
			name := fmt.Sprint("Calendar ", i)
			id := d.ann.AddCalendar(fakecalendar.Calendar{Summary: name, Zone: zones[random.IntN(len(zones))]})
			names = append(names, name)
			for n := range random.IntN(25) {
				start := time.Date(2026, 11, 20+random.IntN(12), random.IntN(3)*8, 0, 0, 0, time.UTC)
				text := start.Format("2006-01-02T15:04Z07:00")
				if random.IntN(3) == 0 {
					text = start.Format(time.DateOnly)
				}
				made = append(made, eventAt(fmt.Sprintf("%d.%d", i, n), text, time.Duration(1+random.IntN(3))*day))
				d.ann.AddEvent(id, made[len(made)-1])
			}
		}
		search := args{"calendars": names, "from": "2026-11-22", "to": "2026-11-29", "timezone": zones[random.IntN(len(zones))], "limit": 100}
		whole := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", search)
		if want, got := titlesBetween(t, made, "2026-11-22", "2026-11-30", location(whole.Timezone)), slices.Sorted(slices.Values(whole.titles())); whole.Next != "" || !cmp.Equal(got, want) {
			t.Fatalf("round %d: with cursor %q (-want +got):\n%s", round, whole.Next, cmp.Diff(want, got))
		}
		var pages []row
		search["limit"] = 1 + random.IntN(6)
		for page := 0; ; page++ {
			got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", search)
			pages = append(pages, got.Events...)
			if got.Next == "" {
				break
			}
			if len(got.Events) != search["limit"] || page > 100 {
				t.Fatalf("round %d: a page of %d, with a cursor", round, len(got.Events))
			}
			search = args{"cursor": got.Next, "limit": 1 + random.IntN(6)}
		}
		if !cmp.Equal(pages, whole.Events) {
			t.Errorf("round %d: the pages differ (-whole +pages):\n%s", round, cmp.Diff(whole.Events, pages))
		}
	}
}

// titlesBetween returns the sorted titles of the events on the days from first until
// before last, in the zone.
func titlesBetween(t *testing.T, events []map[string]any, first, last string, zone *time.Location) []string {
	t.Helper()
	moment := func(side any) time.Time {
		of := side.(args)
		text, layout := of["dateTime"], time.RFC3339
		if text == nil {
			text, layout = of["date"], time.DateOnly
		}
		m, err := time.ParseInLocation(layout, text.(string), zone)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	titles := []string{}
	for _, e := range events {
		if moment(e["start"]).Before(moment(args{"date": last})) && moment(e["end"]).After(moment(args{"date": first})) {
			titles = append(titles, e["summary"].(string))
		}
	}
	slices.Sort(titles)
	return titles
}

func TestListEventsContinuesAfterEmptyPages(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", eventAt("Lunch", "2026-11-24T12:00+01:00", time.Hour))
	pages := 0
	d.wrapTransport = func(next http.RoundTripper) http.RoundTripper {
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
			if query := r.URL.Query(); strings.HasSuffix(r.URL.Path, "/events") {
				if pages++; pages < 4 {
					body := io.NopCloser(strings.NewReader(fmt.Sprintf(`{"kind": "calendar#events", "items": [], "nextPageToken": "%d"}`, pages)))
					return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: r}, nil
				} else if query.Get("pageToken") != "3" {
					t.Errorf("the page %q is asked for", query.Get("pageToken"))
				} else {
					r = r.Clone(r.Context())
					query.Del("pageToken")
					r.URL.RawQuery = query.Encode()
				}
			}
			return next.RoundTrip(r)
		})
	}
	if got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{}); !cmp.Equal(got.titles(), []string{"Lunch"}) {
		t.Errorf("got %v", got.titles())
	}
}

func TestListEventsFitsOutputLimit(t *testing.T) {
	d := newFixture(t)
	for i := range 100 {
		e := eventAt(strings.Repeat("会議", 30), "2026-11-24T10:00+01:00", time.Duration(i+1)*time.Hour)
		e["location"] = strings.Repeat("Raum ", 40)
		d.ann.AddEvent("primary", e)
	}
	seen := map[string]bool{}
	search := args{"limit": 100, "to": "2026-12-10"}
	for range 10 {
		got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", search)
		if size := len([]rune(jsonOf(t, got))); size > 25_000 {
			t.Errorf("the answer has %d characters", size)
		}
		for _, e := range got.Events {
			seen[e.ID] = true
		}
		if got.Next == "" {
			break
		}
		search = args{"limit": 100, "cursor": got.Next}
	}
	if len(seen) != 100 {
		t.Errorf("%d of 100 events were listed", len(seen))
	}
}
