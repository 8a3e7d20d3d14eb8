package console

import (
	"net/http"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
)

// showToday shows the briefing.
func (q *request) showToday() error {
	var today view.Briefing
	if err := q.call("daily_briefing", args{}, &today); err != nil {
		return err
	}
	return q.show(http.StatusOK, today.Day, "", func(p view.Page) templ.Component { return view.Today(p, today) })
}
