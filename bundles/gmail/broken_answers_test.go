package gmail_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

// cannedResponses answers requests with these path suffixes in Google's place, with the
// given bodies.
type cannedResponses struct {
	http.RoundTripper
	bodies map[string]string
}

func (a cannedResponses) RoundTrip(r *http.Request) (*http.Response, error) {
	for end, body := range a.bodies {
		if strings.HasSuffix(r.URL.Path, end) {
			return &http.Response{
				StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
				Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
			}, nil
		}
	}
	return a.RoundTripper.RoundTrip(r)
}

// replaceAnswers makes requests with these path suffixes return the given bodies.
func (d *fixture) replaceAnswers(bodies map[string]string) {
	d.wrapTransport = func(next http.RoundTripper) http.RoundTripper { return cannedResponses{next, bodies} }
}

func TestNullsInGoogleListsAreSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		tool   string
		args   args
		bodies map[string]string
	}{
		"messages":        {"gmail_search_messages", args{"query": "x"}, map[string]string{"/messages": `{"messages":[null,{}]}`}},
		"labels":          {"gmail_list_labels", args{}, map[string]string{"/labels": `{"labels":[null]}`}},
		"drafts":          {"gmail_list_drafts", args{}, map[string]string{"/drafts": `{"drafts":[null]}`}},
		"addresses":       {"gmail_list_accounts", args{}, map[string]string{"/sendAs": `{"sendAs":[null]}`}},
		"of a thread":     {"gmail_get_thread", args{"thread_id": "1a"}, map[string]string{"/threads/1a": `{"id":"1a","messages":[null,{"id":"1b"},{"id":"1c","payload":{"headers":[null],"parts":[null]}}]}`}},
		"of a message":    {"gmail_get_message", args{"id": "1b"}, map[string]string{"/messages/1b": `{"id":"1b","payload":{"mimeType":"multipart/mixed","headers":[null],"parts":[null,{"parts":[null]}]}}`}},
		"of one of wants": {"gmail_find_followups", args{"direction": "i_owe_them"}, map[string]string{"/messages": `{"messages":[null]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.replaceAnswers(c.bodies)
			bundletest.Must[any](t, d.bundle, c.tool, c.args)
		})
	}
}

func TestListChangesSkipsEventsWithoutMessage(t *testing.T) {
	d := newFixture(t)
	d.replaceAnswers(map[string]string{"/history": `{"historyId":"99999","history":[null,{"id":"5","messages":[null],
		"labelsAdded":[{"labelIds":["INBOX"]},null],"labelsRemoved":[{"message":{}}],"messagesDeleted":[{"message":null}],"messagesAdded":[{}]}]}`})
	d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch"})
	begun := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{})
	for range 2 { // the first call finds an empty cache, so it does not ask for history
		if got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"query": "in:inbox"}); len(got.Messages) != 1 {
			t.Errorf("found %+v", got)
		}
	}
	if got := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": begun.Cursor}); len(got.Added)+len(got.Deleted)+len(got.Labels) != 0 {
		t.Errorf("got %+v", got)
	}
}

// panicTransport panics with Google's answer, which contains private mail.
type panicTransport struct {
	http.RoundTripper
	end string
}

func (p panicTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := p.RoundTripper.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.URL.Path, p.end) {
		return resp, err
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	panic(string(bytes.ToLower(body)))
}

func TestPanicFailsOnlyItsCall(t *testing.T) {
	d := newFixture(t)
	one := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Xylophone", Text: "xylophone"})
	for tool, c := range map[string]struct {
		end  string
		args args
	}{
		"gmail_search_messages": {"/messages", args{"query": "x"}},
		"gmail_get_message":     {"/messages/" + one.ID, args{"id": one.ID}},
		"gmail_list_labels":     {"/labels/INBOX", args{"counts": true}},
		"gmail_find_followups":  {"/messages", args{"direction": "i_owe_them"}},
		"gmail_list_accounts":   {"/sendAs", args{}},
		"gmail_reply_message":   {"/messages/" + one.ID, args{"message_id": one.ID, "body": "Yes"}},
	} {
		t.Run(tool, func(t *testing.T) {
			d := newFixture(t)
			d.wrapTransport = func(next http.RoundTripper) http.RoundTripper { return panicTransport{next, c.end} }
			_, err := bundletest.Answer[any](t, d.bundle, tool, c.args)
			if metadata.CodeOf(err) != metadata.Internal || strings.Contains(err.Error(), "xylophone") {
				t.Errorf("got %v", err)
			}
		})
	}
}
