package console

import (
	"errors"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/cmd/kota/internal/pending"
	"kota/entrypoint"
	"kota/metadata"
	"kota/store"
)

// showApprovals lists the calls that wait for an approval.
func (q *request) showApprovals() error {
	calls, err := q.app.Pending(q.r.Context())
	if err != nil {
		return err
	}
	var rows []view.Approval
	for _, call := range calls {
		row, err := approvalRow(call)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	return q.show(http.StatusOK, "Approvals", "approvals", func(p view.Page) templ.Component { return view.Approvals(p, rows) })
}

func approvalRow(call store.Approval) (view.Approval, error) {
	row := view.Approval{
		ID: call.ID, Tool: call.Tool, Effect: call.Effect, Status: string(call.Status), Reason: call.Reason,
		Created: call.Created, Updated: call.Updated, Expires: call.Expires, ReplacedBy: call.ReplacedBy,
	}
	if call.Shown == nil { // the call has ended, and its text was removed
		return row, nil
	}
	shown, err := pending.Shown(call)
	row.Title, row.About, row.Text = shown.Title, shown.About, shown.Text
	return row, err
}

// showApproval shows a call in full, or what happened to it.
func (q *request) showApproval() error {
	call, err := q.approval()
	if err != nil {
		return err
	}
	row, err := approvalRow(call)
	if err != nil {
		return err
	}
	if call.Status != store.ApprovalPending {
		row.Outcome = pending.NotPendingError(q.app, call).Message
	}
	if row.Before, err = q.shownBefore(call); err != nil {
		return err
	}
	texts := pending.Editable(call)
	row.Subject, row.Body, row.HasSubject, row.HasBody = texts["subject"], texts["body"], has(texts, "subject"), has(texts, "body")
	return q.show(http.StatusOK, "Approval", "approvals", func(p view.Page) templ.Component { return view.OneApproval(p, row) })
}

// shownBefore returns what the user was shown of the call before it changed, or "".
func (q *request) shownBefore(call store.Approval) (string, error) {
	if call.Status != store.ApprovalPending {
		return "", nil
	}
	rows, err := q.app.Approvals(q.r.Context())
	if err != nil {
		return "", err
	}
	before, err := rows.Replaced(q.r.Context(), call.ID)
	if errors.Is(err, store.ErrNotFound) || err == nil && before.Shown == nil {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	shown, err := pending.Shown(before)
	return shown.Text, err
}

// approval returns the call that the path names.
func (q *request) approval() (store.Approval, error) {
	if !q.app.HasDatabase() {
		return store.Approval{}, pending.UnknownError(q.path[1])
	}
	rows, err := q.app.Approvals(q.r.Context())
	if err != nil {
		return store.Approval{}, err
	}
	call, err := rows.Get(q.r.Context(), q.path[1])
	if errors.Is(err, store.ErrNotFound) {
		err = pending.UnknownError(q.path[1])
	}
	return call, err
}

// decideApproval approves, changes or rejects a call. An id always means what was shown under
// it: a call that would now do something else gets another id, and the page shows that.
func (q *request) decideApproval() error {
	call, err := q.approval()
	if err != nil {
		return err
	}
	rows, err := q.app.Approvals(q.r.Context())
	if err != nil {
		return err
	}
	if call.Status != store.ApprovalPending {
		return pending.NotPendingError(q.app, call)
	}
	var outcome pending.Outcome
	switch q.r.PostForm.Get("act") {
	case "approve":
		outcome, err = pending.Run(q.r.Context(), q.app, q.router, rows, call, entrypoint.ByConsole, "console "+call.ID)
	case "edit":
		outcome, err = pending.RunEdited(q.r.Context(), q.app, q.router, rows, call, q.editedTexts(call), entrypoint.ByConsole, "console "+call.ID+" with changes")
	case "reject":
		if err = q.app.Policy().Permit("kota reject", metadata.Writes); err == nil {
			err = pending.ExplainError(q.app, rows.Reject(q.r.Context(), call.ID), call.ID)
		}
	default:
		err = metadata.Errorf(metadata.ValidationError, "the form says neither approve nor reject, so nothing was done")
	}
	switch {
	case outcome.Changed != nil:
		return q.redirect("approvals/" + outcome.Changed.ID)
	case err != nil:
		return err
	}
	return q.redirect("approvals/" + call.ID)
}

// editedTexts returns the texts of the form. Browsers send the end of a line as CR LF.
func (q *request) editedTexts(call store.Approval) map[string]string {
	texts := map[string]string{}
	for name := range pending.Editable(call) {
		texts[name] = strings.ReplaceAll(q.r.PostForm.Get("text-"+name), "\r\n", "\n")
	}
	return texts
}

func has(texts map[string]string, name string) bool {
	_, ok := texts[name]
	return ok
}
