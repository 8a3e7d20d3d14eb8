package console

import (
	"encoding/json"

	"kota/cmd/kota/internal/undo"
	"kota/entrypoint"
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
