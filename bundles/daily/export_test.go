package daily_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/bundles/daily/export"
	"kota/bundles/staged"
	"kota/store/tables/diary"
)

// export returns the exported text.
func (d *fixture) export(t *testing.T, format string, s export.Selection) string {
	t.Helper()
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := export.Write(t.Context(), diary.New(db, "local"), &out, format, s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestExportHasEveryEntryOnceInOrder(t *testing.T) {
	d := newFixture(t)
	want := []string{}
	for n := range 22 { // more than one page
		entries := make([]args, 50)
		for i := range entries {
			entries[i] = args{"text": fmt.Sprint(n, " ", i)}
			want = append(want, fmt.Sprint(n, " ", i))
		}
		bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"date": fmt.Sprintf("2026-10-%02d", n+1), "entries": entries, "tasks": []string{"One"}})
	}
	var out struct {
		Kota    string
		Format  int
		Entries []struct{ Text string }
		Tasks   []struct{ Text string }
	}
	if err := json.Unmarshal([]byte(d.export(t, export.JSON, export.Selection{})), &out); err != nil {
		t.Fatal(err)
	}
	texts := []string{}
	for _, e := range out.Entries {
		texts = append(texts, e.Text)
	}
	if !cmp.Equal(texts, want) || out.Kota != "daily" || out.Format != 1 || len(out.Tasks) != 22 {
		t.Errorf("%d entries, %d tasks: %s", len(texts), len(out.Tasks), cmp.Diff(want, texts))
	}
}

func TestExportOfDaysHasOnlyTheirEntries(t *testing.T) {
	d := newFixtureWithMonth(t)
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"tasks": []string{"Call Ann"}})
	days, err := daily.ParseSelection(d.deps, "2026-11-10", "this month")
	if err != nil || days != (export.Selection{From: "2026-11-10", To: "2026-11-30"}) {
		t.Fatalf("got %+v, %v", days, err)
	}
	want := `# Diary

## Tuesday 10 November 2026

- **activity** Ran in the park (km 4, rain true)

## Thursday 12 November 2026

- **note** Talked about the budget (mood 1) #money event:abc
`
	if page := d.export(t, export.Markdown, days); page != want {
		t.Error(cmp.Diff(want, page))
	}
}

func TestEntryWithoutTimeIsExportedWithoutTime(t *testing.T) {
	d := newFixture(t)
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "someday", "date": "yesterday"})
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "at noon", "date": "yesterday", "time": "12:00"})
	var out struct{ Entries []map[string]any }
	if err := json.Unmarshal([]byte(d.export(t, export.JSON, export.Selection{})), &out); err != nil {
		t.Fatal(err)
	}
	timed, untimed := out.Entries[0], out.Entries[1] // an entry without a time is the last of its day
	if untimed["at"] != nil || untimed["moment"] != nil || untimed["date"] != "2026-11-20" || timed["at"] != "2026-11-20T12:00:00+01:00" {
		t.Errorf("got %v and %v", timed, untimed)
	}
	lines, err := csv.NewReader(strings.NewReader(d.export(t, export.CSV, export.Selection{}))).ReadAll()
	if err != nil || lines[1][2] != "2026-11-20T12:00:00+01:00" || lines[2][2] != "" || lines[2][1] != "2026-11-20" {
		t.Errorf("got %q, %v", lines, err)
	}
	if page := d.export(t, export.Markdown, export.Selection{}); !strings.HasSuffix(page, "- 12:00 Europe/Amsterdam **note** at noon\n- **note** someday\n") {
		t.Errorf("got %s", page)
	}
	if starter := bundletest.Must[staged.Answer](t, d.bundle, "daily_review", args{"date": "yesterday"}).Starter; !strings.Contains(starter, "- 12:00 at noon [") || !strings.Contains(starter, "\n- someday [") {
		t.Errorf("a review begins with\n%s", starter)
	}
}

func TestMarkdownExportNamesZoneWhenItChanges(t *testing.T) {
	d := newFixture(t)
	for _, in := range []args{
		{"text": "Landed", "date": "2026-11-18", "time": "13:00", "timezone": "Asia/Tokyo"}, {"text": "Sushi", "date": "2026-11-18", "time": "20:00", "timezone": "Asia/Tokyo"},
		{"text": "Home", "date": "2026-11-20", "time": "20:00"},
	} {
		bundletest.Must[logAnswer](t, d.bundle, "daily_log", in)
	}
	page := d.export(t, export.Markdown, export.Selection{})
	for _, want := range []string{"- 13:00 Asia/Tokyo **note** Landed\n", "- 20:00 **note** Sushi\n", "- 20:00 Europe/Amsterdam **note** Home\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}

func TestExportedDocumentHasOneHeading(t *testing.T) {
	d := newFixture(t)
	d.writeDocument(t, "daily_plan", args{"period": "today", "answers": args{"focus": "Rest"}})
	if page := d.export(t, export.Markdown, export.Selection{}); page != "\n# Documents\n\n# Day plan, Saturday 21 November 2026\n\n## Focus\n\nRest\n\n## Calendar\n\nThe calendar is not connected.\n" {
		t.Errorf("got %q", page)
	}
}

func TestCSVExportHasNoFormulas(t *testing.T) {
	d := newFixture(t)
	text := "=HYPERLINK(\"https://example.com\")\nand, \"more\""
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": text, "mood": 3, "metrics": args{"km": -2.5, "rain": true}, "tags": []string{"@home", "b"}, "time": "09:30"}).IDs[0]
	lines, err := csv.NewReader(strings.NewReader(d.export(t, export.CSV, export.Selection{}))).ReadAll()
	if err != nil || len(lines) != 2 {
		t.Fatalf("got %q, %v", lines, err)
	}
	want := []string{id, "2026-11-21", "2026-11-21T09:30:00+01:00", amsterdam, "note", "", "'" + text, "3", "", `{"km":-2.5,"rain":true}`, "'@home, b", "", "false"}
	if !cmp.Equal(lines[1], want) {
		t.Error(cmp.Diff(want, lines[1]))
	}
}

func TestExportOfEmptyDiary(t *testing.T) {
	d := newFixture(t)
	var out map[string]any
	if err := json.Unmarshal([]byte(d.export(t, export.JSON, export.Selection{})), &out); err != nil || len(out["entries"].([]any)) != 0 {
		t.Errorf("got %v, %v", out, err)
	}
	if page := d.export(t, export.Markdown, export.Selection{}); page != "" {
		t.Errorf("got %q", page)
	}
}

var errDiskFull = errors.New("the disk is full")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errDiskFull }

func TestExportReturnsWriteError(t *testing.T) {
	d := newFixtureWithMonth(t)
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range export.Formats {
		if _, err := export.Write(t.Context(), diary.New(db, "local"), failingWriter{}, format, export.Selection{}, func(int) {}); !errors.Is(err, errDiskFull) {
			t.Errorf("%s: got %v", format, err)
		}
	}
	if _, err := export.Write(t.Context(), diary.New(db, "local"), failingWriter{}, "docx", export.Selection{}, func(int) {}); err == nil || !strings.Contains(err.Error(), "csv") {
		t.Errorf("an unknown format: got %v", err)
	}
}
