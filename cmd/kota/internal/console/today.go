package console

import (
	"net/http"
	"time"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/metadata"
)

// showToday shows the briefing and what was logged the day before. Without the diary there is
// no briefing, and the page says how to have one.
func (q *request) showToday() error {
	var today view.Briefing
	if err := q.call("daily_briefing", args{}, &today); err != nil {
		if code := metadata.CodeOf(err); code != metadata.ToolNotFound {
			return err
		}
		return q.show(http.StatusOK, "Today", "", func(view.Page) templ.Component { return view.NoDiary(failureOf(err)) })
	}
	date, err := time.Parse(time.DateOnly, today.Date)
	if err != nil {
		return err
	}
	var before view.DiaryPeriod
	today.DayBefore = date.AddDate(0, 0, -1).Format(time.DateOnly)
	if err := q.call("daily_get", args{"date": today.DayBefore, "limit": 8}, &before); err != nil {
		return err
	}
	for _, day := range before.Days {
		today.Log = append(today.Log, day.Entries...)
	}
	now := q.app.LocalNow()
	today.Now = 60*now.Hour() + now.Minute()
	return q.show(http.StatusOK, today.Day, "", func(p view.Page) templ.Component { return view.Today(p, today) })
}
