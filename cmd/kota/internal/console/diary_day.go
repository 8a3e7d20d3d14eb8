package console

import (
	"net/http"
	"time"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/metadata"
)

// showDay shows a day of the diary, or one of its documents.
func (q *request) showDay() error {
	name := q.path[1]
	if name == "go" { // the form for any day
		return q.redirect("diary/" + escape(q.r.URL.Query().Get("date")))
	}
	date, err := time.Parse(time.DateOnly, name)
	if err != nil {
		return q.showDocument(name)
	}
	day := view.DiaryDay{Date: name, Today: q.app.LocalNow().Format(time.DateOnly), Edit: q.r.URL.Query().Get("edit")}
	day.Before, day.After = date.AddDate(0, 0, -1).Format(time.DateOnly), date.AddDate(0, 0, 1).Format(time.DateOnly)
	if err := q.call("daily_get", args{"date": name, "detail": "full", "limit": 200}, &day.Period); err != nil {
		return err
	}
	return q.show(http.StatusOK, date.Format("Monday 2 January 2006"), "diary", func(p view.Page) templ.Component { return view.OneDay(p, day) })
}

// showDocument shows a plan, a review or another document.
func (q *request) showDocument(id string) error {
	var answer struct {
		Document *view.DiaryDocument `json:"document"`
	}
	if err := q.call("daily_get", args{"id": id}, &answer); err != nil {
		return err
	}
	if answer.Document == nil {
		return metadata.Errorf(metadata.NotFound, "the diary has no day and no document %.40q", id)
	}
	return q.show(http.StatusOK, answer.Document.Title, "diary", func(p view.Page) templ.Component { return view.OneDocument(p, *answer.Document) })
}
