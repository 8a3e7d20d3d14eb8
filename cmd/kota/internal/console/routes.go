package console

import (
	"net/http"
	"net/url"
	"strings"

	"kota/metadata"
)

// route answers the request with the page at its path. A path has at most two elements: the
// page and what it shows.
func (q *request) route() error {
	pages := map[string]func(*request) error{
		"GET ":             (*request).showToday,
		"GET approvals":    (*request).showApprovals,
		"GET approvals/*":  (*request).showApproval,
		"POST approvals/*": (*request).decideApproval,
		"GET memory":       (*request).showMemories,
		"GET memory/*":     (*request).showMemory,
		"GET remember":     (*request).showRemember,
		"POST remember":    (*request).remember,
		"POST memory/*":    (*request).changeMemory,
		"GET diary":        (*request).showDiary,
		"POST diary":       (*request).changeDiary,
		"GET diary/*":      (*request).showDay,
		"POST diary/*":     (*request).changeDiary,
		"POST tasks":       (*request).changeTask,
		"POST undo":        (*request).undoChange,
		"GET undo/*":       (*request).showUndo,
		"GET sent":         (*request).showSent,
		"GET sent/*":       (*request).showSentItem,
		"POST sent/*":      (*request).changeSentItem,
		"GET use":          (*request).showUse,
		"GET try":          (*request).showTools,
		"GET try/*":        (*request).showTool,
		"POST try/*":       (*request).tryTool,
		"GET live":         (*request).stream,
		"GET import":       (*request).showImport,
		"POST import":      (*request).importMemories,
		"GET export/*":     (*request).export,
		"GET duplicates":   (*request).showDuplicates,
		"POST duplicates":  (*request).merge,
		"GET waiting":      (*request).showWaiting,
		"GET job":          (*request).showJob,
		"POST job":         (*request).changeJob,
	}
	method, path := q.r.Method, q.path[0]
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if len(q.path) > 1 {
		path += "/*"
	}
	page, ok := pages[method+" "+path]
	if !ok || len(q.path) > 2 || len(q.path) == 2 && q.path[1] == "" || strings.Contains(q.path[0], "/") {
		return metadata.Errorf(metadata.NotFound, "the console has no page at this address").WithHint("The links above lead to all pages.")
	}
	return page(q)
}

// escape makes an element of a path of text.
func escape(text string) string { return url.PathEscape(text) }
