package console

import (
	"net/http"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
)

// showWaiting shows the conversations that wait for an answer. It asks Google, so Today only leads to
// it.
func (q *request) showWaiting() error {
	var lists [2]view.WaitingMail
	for i, direction := range []string{"i_owe_them", "they_owe_me"} {
		if err := q.call("gmail_find_followups", args{"direction": direction, "account": "*", "limit": 20}, &lists[i]); err != nil {
			return err
		}
	}
	return q.show(http.StatusOK, "Mail that waits for an answer", "", func(p view.Page) templ.Component { return view.Waiting(p, lists[0], lists[1]) })
}
