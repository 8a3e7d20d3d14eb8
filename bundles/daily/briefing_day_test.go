package daily_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tiktoken-go/tokenizer/codec"

	"kota/bundles/bundletest"
	"kota/bundles/daily/sources"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/diary"
)

func TestBriefingChoosesItsDay(t *testing.T) {
	asked := ""
	d := newFixtureWithSources(t, sources.Set{Events: func(_ context.Context, date, zone string) (sources.Found[sources.Event], error) {
		asked = date + " " + zone
		return sources.Found[sources.Event]{}, nil
	}})
	for _, c := range []struct {
		now, date, want, why string
	}{
		{"2026-11-21T12:00:00", "", "2026-11-21", ""},
		{"2026-11-21T02:10:00", "", "2026-11-20", "02:10, the day starts at 04:00"},
		{"2026-11-21T02:10:00", "today", "2026-11-20", ""},
		{"2026-11-21T12:00:00", "tomorrow", "2026-11-22", ""},
		{"2028-02-28T12:00:00", "tomorrow", "2028-02-29", ""},
		{"2026-11-21T12:00:00", "2026-03-29", "2026-03-29", ""}, // 23 hours long
	} {
		now, err := time.ParseInLocation("2006-01-02T15:04:05", c.now, d.zone)
		if err != nil {
			t.Fatal(err)
		}
		d.now = now
		given := args{}
		if c.date != "" {
			given["date"] = c.date
		}
		if got := bundletest.Must[briefingAnswer](t, d.bundle, "daily_briefing", given); got.Date != c.want || got.Why != c.why || asked != c.want+" Europe/Amsterdam" {
			t.Errorf("%q at %s: got %s, %q, and the calendar was asked for %s", c.date, c.now, got.Date, got.Why, asked)
		}
	}
	for _, wrong := range []string{"2026-02-30", "next week", "15:00", "soon", "\x00"} {
		if _, err := bundletest.Answer[briefingAnswer](t, d.bundle, "daily_briefing", args{"date": wrong}); metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%q: got %v", wrong, err)
		}
	}
}

func TestBriefingListsOpenItemsOfDayBefore(t *testing.T) {
	d := newFixture(t)
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	diary := diary.New(db, "local")
	entry := func(date, text string, tags ...string) store.DayEntry {
		return store.DayEntry{Date: date, Moment: d.now, Zone: "Europe/Amsterdam", Type: "note", Text: text, Tags: tags}
	}
	_, err = diary.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{
		entry("2026-11-20", "The landlord calls back", "waiting", "open"), entry("2026-11-20", "Soup"), entry("2026-11-19", "Too old", "open"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	bundletest.Must[briefingAnswer](t, d.bundle, "daily_plan", args{"type": "week_review"})
	var got []string
	part := bundletest.Must[briefingAnswer](t, d.bundle, "daily_briefing", args{}).Yesterday
	for _, item := range part.Items {
		got = append(got, fmt.Sprint(item["what"]))
	}
	want := []string{"week_review of 2026-W47 was begun 12:00 and not finished", "The landlord calls back", "no review of the day (entries: 2)"}
	if !cmp.Equal(got, want) || part.Status != "ok" {
		t.Error(part.Status, cmp.Diff(want, got))
	}
	for _, item := range bundletest.Must[briefingAnswer](t, d.bundle, "daily_briefing", args{"date": "tomorrow"}).Yesterday.Items {
		if strings.Contains(fmt.Sprint(item["what"]), "was begun") {
			t.Errorf("tomorrow's briefing tells what is begun now: %v", item)
		}
	}
	if _, err := diary.SaveDocument(t.Context(), store.DocumentSave{Document: store.Document{Type: "day_review", Period: "2026-11-20", Unique: true, Title: "Friday", Fields: []byte(`{"highlights":[],"next":"Call the plumber"}`)}}); err != nil {
		t.Fatal(err)
	}
	if got := bundletest.Must[briefingAnswer](t, d.bundle, "daily_briefing", args{}).Yesterday; len(got.Items) != 3 || got.Items[2]["what"] != "for today: Call the plumber" {
		t.Errorf("after the review: got %+v", got)
	}
}

// A full day fits into 1,500 tokens in any script. It shows the first items of each part
// and counts the items that it leaves out.
func TestBriefingOfFullDayFitsTokenLimit(t *testing.T) {
	for name, word := range map[string]string{
		"english": "Quarterly planning with the whole team about ", "chinese": "季度规划会议与整个团队讨论预算", "emoji": "🧗‍♀️🎉🥖👩‍🍳", "arabic": "اجتماع التخطيط الفصلي مع الفريق ",
		"links": "https://x.example/?q=aZ9_-", "short": "Tea", "hex": "c0ffee-9f8E7d6C5 ", "mixed": "Ünïcödé Ωmega ж ₿ 5% — ", "quotes": `"\"'{}[]`,
	} {
		t.Run(name, func(t *testing.T) {
			text := func(i int) string { return fmt.Sprint(i, " ", strings.Repeat(word, 4)) }
			d := newFixtureWithFullDay(t, text)
			raw, err := bundletest.Call(t, d.bundle, "daily_briefing", args{})
			if err != nil {
				t.Fatal(err)
			}
			n := tokens(t, string(raw))
			t.Logf("%d tokens", n)
			if n > 1500 {
				t.Errorf("%d tokens: %s", n, raw)
			}
			got := bundletest.Must[briefingAnswer](t, d.bundle, "daily_briefing", args{})
			for _, p := range []struct {
				name  string
				part  briefingPart
				total int
				see   string
			}{
				{"calendar", got.Calendar, 30, "calendar_list_events {"}, {"tasks", got.Tasks, 40, "daily_task {"},
				{"mail", got.Mail, 57, "gmail_search_messages {"}, {"memories", got.Memories, 10, "memory"},
			} {
				left := 0
				if len(p.part.Items) < p.total {
					if _, err := fmt.Sscanf(p.part.More, "%d more: ", &left); err != nil || !strings.Contains(p.part.More, p.see) {
						t.Errorf("%s: more is %q", p.name, p.part.More)
					}
				}
				if len(p.part.Items) == 0 || len(p.part.Items)+left != p.total || len(p.part.Unread) > 4 {
					t.Errorf("%s: %d shown and %d left out of %d", p.name, len(p.part.Items), left, p.total)
				}
			}
			if first := fmt.Sprint(got.Calendar.Items[0]["when"]); first != "14:00–14:20" {
				t.Errorf("of the day that is half over it shows %s first", first)
			}
			if got.Tasks.Items[0]["overdue_days"] == nil {
				t.Errorf("the first task is %v, and others are overdue", got.Tasks.Items[0])
			}
		})
	}
}

// newFixtureWithFullDay returns a fixture with 30 events, 50 of 57 mails, 40 tasks and 10 memories.
func newFixtureWithFullDay(t *testing.T, text func(i int) string) *fixture {
	t.Helper()
	var d *fixture
	d = newFixtureWithSources(t, sources.Set{
		Events: func(context.Context, string, string) (sources.Found[sources.Event], error) {
			found := sources.Found[sources.Event]{Unread: []string{text(1), text(2), text(3), text(4), text(5)}}
			for i := range 30 {
				at := time.Date(2026, 11, 21, 8, i*20, 0, 0, d.zone)
				found.Items = append(found.Items, sources.Event{
					When: at.Format("15:04–") + at.Add(20*time.Minute).Format("15:04"), Title: text(i), Location: text(i), Calendar: text(i), MyAnswer: "not yet", Ends: at.Add(20 * time.Minute),
				})
			}
			return found, nil
		},
		Mail: func(context.Context) (sources.Found[sources.Mail], error) {
			found := sources.Found[sources.Mail]{More: 7}
			for i := range 50 {
				found.Items = append(found.Items, sources.Mail{ID: fmt.Sprintf("18f0a00000%06x", i*7919), From: text(i), Subject: text(i), Account: text(i), At: d.now.Add(-time.Hour)})
			}
			return found, nil
		},
		Memories: func(context.Context, time.Time) (sources.Found[sources.Memory], error) {
			found := sources.Found[sources.Memory]{}
			for i := range 10 {
				found.Items = append(found.Items, sources.Memory{Key: text(i), Text: text(i), Ends: d.now.Add(time.Hour)})
			}
			return found, nil
		},
	})
	d.now = d.now.Add(2 * time.Hour)
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var tasks []store.Task
	for i := range 40 {
		task := store.Task{Text: text(i), Added: "2026-11-01"}
		if i%10 == 9 {
			task.Due = "2026-11-19"
		}
		tasks = append(tasks, task)
	}
	if _, err := diary.New(db, "local").AddTasks(t.Context(), tasks, ""); err != nil {
		t.Fatal(err)
	}
	return d
}

var o200k = sync.OnceValue(codec.NewO200kBase)

func tokens(t *testing.T, text string) int {
	t.Helper()
	n, err := o200k().Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
