package console

import (
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/auditlog"
	"kota/cmd/kota/internal/console/view"
	"kota/cmd/kota/internal/outbox"
	"kota/cmd/kota/internal/undo"
	"kota/entrypoint"
	"kota/metadata"
)

// The page Sent shows the last shownCalls calls that a filter selects among the last readCalls.
const (
	readCalls  = 1000
	shownCalls = 50
	shownItems = 25
)

// showSent shows the outbox, what can be undone, and what KOTA has done.
func (q *request) showSent() error {
	ctx, form := q.r.Context(), q.r.URL.Query()
	page := view.Sent{Bundle: form.Get("bundle"), Effect: form.Get("effect"), Channel: form.Get("channel")}
	items, err := outbox.List(ctx, q.app)
	if err != nil {
		return err
	}
	page.MoreItems = max(0, len(items)-shownItems)
	for _, item := range items[:min(len(items), shownItems)] {
		page.Items = append(page.Items, view.SentItem{OutboxItem: item})
	}
	if page.Undoable, err = undo.List(ctx, q.app, 15); err != nil {
		return err
	}
	calls, err := auditlog.Calls(ctx, q.app, auditlog.Query{Limit: readCalls})
	if err != nil {
		return err
	}
	slices.Reverse(calls)
	for _, call := range calls {
		bundle, _, _ := strings.Cut(call.Tool, "_")
		if strings.HasPrefix(call.Tool, "kota ") {
			bundle = "kota"
		}
		page.Bundles, page.Effects, page.Channels = addOnce(page.Bundles, bundle), addOnce(page.Effects, call.Effect), addOnce(page.Channels, call.Channel)
		if fits(page.Bundle, bundle) && fits(page.Effect, call.Effect) && fits(page.Channel, call.Channel) {
			page.Calls = append(page.Calls, view.SentCall{At: call.At, Tool: call.Tool, Effect: call.Effect, Channel: call.Channel, Args: shorten(string(call.Args), 500) /* the command line shows a call in full */, Code: call.Code, Approval: call.Approval})
		}
	}
	page.MoreCalls = max(0, len(page.Calls)-shownCalls)
	page.Calls = page.Calls[:min(len(page.Calls), shownCalls)]
	return q.show(http.StatusOK, "Sent and changed", "sent", func(p view.Page) templ.Component { return view.SentPage(p, page) })
}

// shorten keeps a page small. It returns at most that many bytes of a text.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func fits(filter, value string) bool { return filter == "" || filter == value }

func addOnce(all []string, value string) []string {
	if value == "" || slices.Contains(all, value) {
		return all
	}
	return append(all, value)
}

// showSentItem shows an item of the outbox with its text, or whether the audit log is intact.
func (q *request) showSentItem() error {
	if q.path[1] == "chain" {
		text, intact, err := auditlog.Check(q.r.Context(), q.app)
		if err != nil {
			return err
		}
		return q.show(http.StatusOK, "The audit log", "sent", func(p view.Page) templ.Component { return view.Chain(p, text, intact) })
	}
	item, err := outbox.Show(q.r.Context(), q.app, q.path[1])
	if err != nil {
		return err
	}
	return q.show(http.StatusOK, "Sent", "sent", func(p view.Page) templ.Component { return view.OneSent(p, view.SentItem{OutboxItem: item}) })
}

// changeSentItem finds out whether an item was sent and sends it if not, or drops it.
func (q *request) changeSentItem() error {
	id, err := q.path[1], error(nil)
	switch q.r.PostForm.Get("act") {
	case "retry":
		_, err = outbox.Retry(q.r.Context(), q.app, entrypoint.ByConsole, id)
	case "drop":
		_, err = outbox.Drop(q.r.Context(), q.app, entrypoint.ByConsole, id)
	default:
		err = metadata.Errorf(metadata.ValidationError, "the form says neither retry nor drop, so nothing was done")
	}
	if err != nil {
		return err
	}
	return q.redirect("sent/" + escape(id))
}
