package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/console/view"
	"kota/entrypoint"
	"kota/metadata"
)

// args are the arguments of a call.
type args map[string]any

// call calls an action and stores its answer in out, which may be nil.
func (q *request) call(tool string, in args, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	_, text, err := q.router.Answer(q.r.Context(), &entrypoint.Call{Channel: entrypoint.ByConsole, Tool: tool, Args: raw})
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(text, out)
}

// change calls an action that changes something, and then shows the next page, which offers to
// undo the change if it can be undone. If the user must approve the call, the next page shows
// the call and asks.
func (q *request) change(tool string, in args, next string) error {
	var done struct {
		Undo string `json:"undo_id"`
	}
	err := q.call(tool, in, &done)
	if approval := approvalOf(err); approval != "" {
		return q.redirect("approvals/" + approval)
	}
	if err != nil {
		return err
	}
	return q.redirectDone(next, done.Undo)
}

// approvalOf returns the id of the call that waits for the user because of the error, or "".
func approvalOf(err error) string {
	if failure := (*metadata.Error)(nil); errors.As(err, &failure) {
		return failure.Approval
	}
	return ""
}

// redirectDone shows the next page with the note that a change was made. The parameter undo is
// the id to undo it by; it is "" if the change cannot be undone.
func (q *request) redirectDone(next, undo string) error {
	if undo == "" {
		return q.redirect(next)
	}
	separator := "?"
	if strings.Contains(next, "?") {
		separator = "&"
	}
	return q.redirect(next + separator + "undo=" + url.QueryEscape(undo))
}

// next returns the page that a form wants to be shown after the change: a path in the console,
// escaped. Without one, it returns otherwise.
func (q *request) next(otherwise string) string {
	next := q.r.PostForm.Get("next")
	if next == "" && q.r.PostForm.Has("next") {
		return "" // the page Today
	}
	elements := strings.Split(next, "/")
	for i, element := range elements {
		text, err := url.PathUnescape(element)
		if err != nil || len(elements) > 2 || text == "" || text == "." || text == ".." {
			return otherwise
		}
		elements[i] = escape(text)
	}
	return strings.Join(elements, "/")
}

// showError answers with a page that says what went wrong and what to do.
func (q *request) showError(err error) {
	status := http.StatusInternalServerError
	switch metadata.CodeOf(err) {
	case metadata.NotFound, metadata.ToolNotFound:
		status = http.StatusNotFound
	case metadata.ValidationError:
		status = http.StatusUnprocessableEntity
	case metadata.Conflict:
		status = http.StatusConflict
	case metadata.Refused, metadata.WritesDisabled, metadata.SignInRequired, metadata.ScopeMissing:
		status = http.StatusForbidden
	case metadata.RateLimited:
		status = http.StatusTooManyRequests
	case metadata.Unavailable:
		status = http.StatusServiceUnavailable
	}
	if showErr := q.show(status, "That did not work", "-", func(p view.Page) templ.Component { return view.Failure(failureOf(err)) }); showErr != nil {
		q.app.Log.Error("the console cannot show a page", "error", errors.Join(err, showErr))
		http.Error(q.w, "KOTA cannot show this page.", http.StatusInternalServerError)
	}
}

// failureOf returns an error for a page.
func failureOf(err error) view.FailureText {
	failure := (*metadata.Error)(nil)
	if !errors.As(err, &failure) {
		return view.FailureText{Message: app.TextError(err).Error()}
	}
	text := view.FailureText{Message: failure.Message, Hint: failure.Hint}
	for _, problem := range failure.Problems {
		text.Problems = append(text.Problems, problem.Path+": expected "+problem.Expected)
	}
	return text
}
