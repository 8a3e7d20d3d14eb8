package gmail_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

// readActions returns the read actions, each with a Gmail method that it requires.
func readActions(id, thread, cursor string) map[string]struct {
	method string
	args   args
} {
	return map[string]struct {
		method string
		args   args
	}{
		"gmail_search_messages": {"gmail.users.messages.list", args{"query": "report"}},
		"gmail_get_message":     {"gmail.users.messages.get", args{"id": id}},
		"gmail_get_thread":      {"gmail.users.threads.get", args{"thread_id": thread}},
		"gmail_get_attachment":  {"gmail.users.messages.get", args{"message_id": id, "as": "text"}},
		"gmail_list_changes":    {"gmail.users.history.list", args{"cursor": cursor}},
		"gmail_find_followups":  {"gmail.users.messages.list", args{"direction": "i_owe_them"}},
	}
}

// TestFailedReadHasCodeAndHint runs the reads with each kind of failure of Google.
func TestFailedReadHasCodeAndHint(t *testing.T) {
	for name, c := range map[string]struct {
		fault fakeapi.Fault
		code  metadata.Code
		hint  string
	}{
		"401":                        {fakeapi.Fault{Status: 401}, metadata.SignInRequired, "kota auth login"},
		"403 for a missing scope":    {fakeapi.Fault{Status: 403, Reason: "insufficientPermissions"}, metadata.ScopeMissing, "kota auth login"},
		"403 for the day's limit":    {fakeapi.Fault{Status: 403, Reason: "dailyLimitExceeded"}, metadata.RateLimited, "tomorrow"},
		"403 by the domain":          {fakeapi.Fault{Status: 403, Reason: "domainPolicy"}, metadata.Refused, "administrator"},
		"403 for an API that is off": {fakeapi.Fault{Status: 403, Reason: "accessNotConfigured"}, metadata.Unavailable, "Enable the API"},
		"400":                        {fakeapi.Fault{Status: 400}, metadata.ValidationError, ""},
		"404":                        {fakeapi.Fault{Status: 404}, metadata.NotFound, ""},
		"410":                        {fakeapi.Fault{Status: 410}, metadata.NotFound, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			id, thread, cursor := deliverReport(t, d)
			for tool, read := range readActions(id, thread, cursor) {
				fault := c.fault
				fault.Method = read.method
				withdraw := d.google.Fault(fault)
				_, err := bundletest.Answer[any](t, d.bundle, tool, read.args)
				withdraw()
				if tool == "gmail_list_changes" && c.code == metadata.NotFound {
					if err != nil {
						t.Errorf("%s: a history that is gone is no error: %v", tool, err)
					}
					continue
				}
				if e := bundletest.AsError(t, err); e.Code != c.code || e.Hint == "" || !strings.Contains(e.Hint, c.hint) {
					t.Errorf("%s: got %s %q with the hint %q, want %s with %q", tool, e.Code, e.Message, e.Hint, c.code, c.hint)
				}
			}
		})
	}
}

// deliverReport delivers a message with a text file. It returns the message's ids and a
// cursor from before the delivery.
func deliverReport(t *testing.T, d *fixture) (id, thread, cursor string) {
	cursor = bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{}).Cursor
	m := d.ann.Deliver(fakegmail.Mail{
		From: bob, Subject: "Report", Text: "See below.", Date: daysAgo(5),
		Attachments: []fakegmail.Attachment{{Name: "report.csv", Type: "text/csv", Data: []byte("a,b")}},
	})
	return m.ID, m.ThreadID, cursor
}

func TestReadIsRetriedOnce(t *testing.T) {
	for name, fault := range map[string]fakeapi.Fault{
		"429": {Status: 429, Nth: 1}, "403 for the rate": {Status: 403, Reason: "userRateLimitExceeded", Nth: 1}, "500": {Status: 500, Nth: 1}, "503": {Status: 503, Nth: 1},
		"a reset": {Answer: fakeapi.Reset, Nth: 1}, "a cut answer": {Answer: fakeapi.Truncated, Nth: 1}, "bad gzip": {Answer: fakeapi.BadGzip, Nth: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the client pauses before the second try
			d := newFixture(t)
			id, thread, cursor := deliverReport(t, d)
			for _, tool := range []string{"gmail_search_messages", "gmail_get_thread"} {
				read, fault := readActions(id, thread, cursor)[tool], fault
				fault.Method = read.method
				withdraw := d.google.Fault(fault)
				if _, err := bundletest.Answer[any](t, d.bundle, tool, read.args); err != nil {
					t.Errorf("%s: %v", tool, err)
				}
				withdraw()
			}
		})
	}
}

// TestReadEndsWithItsCall runs reads while Google never answers, answers slowly, or
// answers with HTML.
func TestReadEndsWithItsCall(t *testing.T) {
	for name, answer := range map[string]fakeapi.Answer{"hang": fakeapi.Hang, "one byte a second": fakeapi.Slow, "html": fakeapi.HTML} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFixture(t)
			id, thread, cursor := deliverReport(t, d)
			for tool, read := range readActions(id, thread, cursor) {
				withdraw := d.google.Fault(fakeapi.Fault{Method: read.method, Answer: answer})
				err := callWithin(t, d.bundle, tool, read.args, 100*time.Millisecond)
				withdraw()
				if metadata.CodeOf(err) != metadata.Unavailable && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s: got %v", tool, err)
				}
			}
		})
	}
}

// callWithin runs an action with a time limit.
func callWithin(t *testing.T, b bundles.Bundle, tool string, a args, limit time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(bundletest.WithUserConsent(t.Context()), limit)
	defer cancel()
	for _, action := range b.Actions {
		if action.Tool != tool {
			continue
		}
		call, err := action.Prepare([]byte(jsonOf(t, a)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = call.Do(ctx)
		return err
	}
	t.Fatal(fmt.Sprint("there is no ", tool))
	return nil
}

func TestReadsRequireSignIn(t *testing.T) {
	d := newFixture(t)
	d.accounts = nil
	d.clientErr = metadata.Errorf(metadata.SignInRequired, "nobody is signed in").WithHint("Run `kota auth login`.")
	for tool, read := range readActions("18f000000000dead", "18f000000000dead", "") {
		if tool == "gmail_list_changes" {
			read.args = args{}
		}
		_, err := bundletest.Answer[any](t, d.bundle, tool, read.args)
		if e := bundletest.AsError(t, err); e.Code != metadata.SignInRequired {
			t.Errorf("%s: got %v", tool, err)
		}
	}
}
