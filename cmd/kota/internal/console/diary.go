package console

import (
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/metadata"
	"kota/store"
)

// showDiary shows a year of the diary, or what a search in it found.
func (q *request) showDiary() error {
	form := q.r.URL.Query()
	today := q.app.LocalNow()
	year := today.Year()
	if text := form.Get("year"); text != "" {
		asked, err := strconv.Atoi(text)
		if err != nil || asked < 1900 || asked > year+1 {
			return metadata.Errorf(metadata.ValidationError, "the diary has no year %.20q", text)
		}
		year = asked
	}
	diary := view.Diary{Query: form.Get("q"), Year: year, Today: today.Format(time.DateOnly), Metric: form.Get("metric")}
	if diary.Query != "" {
		if err := q.call("daily_search", args{"query": diary.Query, "limit": 30}, &diary.Found); err != nil {
			return err
		}
	}
	if err := q.readYear(&diary); err != nil {
		return err
	}
	return q.show(http.StatusOK, "Diary", "diary", func(p view.Page) templ.Component { return view.DiaryYear(p, diary) })
}

// readYear reads the statistics, the days and the documents of the diary's year.
func (q *request) readYear(diary *view.Diary) error {
	first, last := time.Date(diary.Year, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(diary.Year, 12, 31, 0, 0, 0, 0, time.UTC)
	from, to := first.Format(time.DateOnly), min(last.Format(time.DateOnly), diary.Today)
	if from > to {
		to = from
	}
	if err := q.call("daily_stats", args{"from": from, "to": to}, &diary.Stats); err != nil {
		return err
	}
	if diary.Metric == "" && len(diary.Stats.Metrics) > 0 {
		diary.Metric = diary.Stats.Metrics[0].Name
	}
	if diary.Metric != "" {
		var measured view.DiaryStats
		half := from // half a year has a value for each week
		if end, err := time.Parse(time.DateOnly, to); err == nil {
			half = max(from, end.AddDate(0, 0, -180).Format(time.DateOnly))
		}
		if err := q.call("daily_stats", args{"from": half, "to": to, "metric": diary.Metric}, &measured); err != nil {
			return err
		}
		diary.Course = measured.Course
	}
	var documents view.DiaryPeriod
	if err := q.call("daily_get", args{"from": from, "to": to, "include": []string{"documents"}, "detail": "ids", "limit": 1}, &documents); err != nil {
		return err
	}
	diary.Documents = documents.Documents
	stored, err := q.app.DailyDeps().Diary(q.r.Context())
	if err != nil {
		return err
	}
	days, err := stored.Days(q.r.Context(), store.EntryFilter{From: from, To: last.Format(time.DateOnly)})
	if err != nil {
		return err
	}
	diary.Entries = map[string]int{}
	for _, day := range days {
		diary.Entries[day.Date] = day.Entries
	}
	return nil
}
