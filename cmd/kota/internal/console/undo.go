package console

import (
	"encoding/json"
	"net/http"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/cmd/kota/internal/undo"
	"kota/entrypoint"
	"kota/metadata"
)

// undoChange undoes a change and shows the page that asked for it.
func (q *request) undoChange() error {
	form := q.r.PostForm
	_, text, err := undo.Do(q.r.Context(), q.app, q.router, entrypoint.ByConsole, form.Get("undo_id"), form.Has("overwrite"))
	if approval := approvalOf(err); approval != "" {
		return q.redirect("approvals/" + approval)
	}
	if err != nil {
		return err
	}
	var done struct {
		Undo string `json:"undo_id"`
	}
	_ = json.Unmarshal(text, &done) // an answer without an undo id cannot be undone
	return q.redirectDone(q.next(""), done.Undo)
}

// showUndo shows what an undo would do, and asks.
func (q *request) showUndo() error {
	changes, err := undo.List(q.r.Context(), q.app, 1000)
	if err != nil {
		return err
	}
	for _, change := range changes {
		if change.ID == q.path[1] {
			return q.show(http.StatusOK, "Undo a change", "sent", func(p view.Page) templ.Component { return view.Undo(p, change) })
		}
	}
	return metadata.Errorf(metadata.NotFound, "there is no change %.60q to undo", q.path[1]).WithHint("It was undone already, or it is older than 30 days. The page Sent lists what can be undone.")
}
