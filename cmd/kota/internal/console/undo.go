package console

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/cmd/kota/internal/undo"
	"kota/entrypoint"
	"kota/metadata"
)

// undoChange undoes a change and shows the page that asked for it.
func (q *request) undoChange() error {
	form := q.r.PostForm
	var undos []string
	for id := range strings.SplitSeq(form.Get("undo_id"), ",") { // a merge makes two changes
		_, text, err := undo.Do(q.r.Context(), q.app, q.router, entrypoint.ByConsole, id, form.Has("overwrite"))
		if approval := approvalOf(err); approval != "" {
			return q.redirect("approvals/" + approval)
		}
		if err != nil {
			return err
		}
		var done struct {
			Undo string `json:"undo_id"`
		}
		if json.Unmarshal(text, &done) == nil && done.Undo != "" { // another answer cannot be undone
			undos = slices.Insert(undos, 0, done.Undo)
		}
	}
	return q.redirectDone(q.next(""), strings.Join(undos, ","))
}

const (
	shownDifferences = 20     // things that the page of an undo shows
	mostCompared     = 20_000 // bytes of two texts whose difference is shown
)

// showUndo shows what an undo would do, and asks.
func (q *request) showUndo() error {
	changes, err := undo.List(q.r.Context(), q.app, 1000)
	if err != nil {
		return err
	}
	for _, change := range changes {
		if change.ID == q.path[1] {
			differences, err := undo.Preview(q.r.Context(), q.app, change.ID)
			if err != nil {
				return err
			}
			var shown []view.UndoDifference
			for _, one := range differences[:min(len(differences), shownDifferences)] {
				shown = append(shown, view.UndoDifference{Now: shorten(one.Now, mostCompared), Then: shorten(one.Then, mostCompared)})
			}
			more := len(differences) - len(shown)
			return q.show(http.StatusOK, "Undo a change", "sent", func(p view.Page) templ.Component { return view.Undo(p, change, shown, more) })
		}
	}
	return metadata.Errorf(metadata.NotFound, "there is no change %.60q to undo", q.path[1]).WithHint("It was undone already, or it is older than 30 days. The page Sent lists what can be undone.")
}
