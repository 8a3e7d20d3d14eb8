package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/gmail"
	"kota/entrypoint"
	"kota/metadata"
)

func TestWhoeverIsAskedSeesWhatIsToBeDone(t *testing.T) {
	all := gmail.New(gmail.Deps{}).Actions
	send := all[slices.IndexFunc(all, func(a bundles.Action) bool { return a.Name == "send_message" })]
	for name, c := range map[string]struct{ args, want string }{
		"in the declared order": {`{"subject": "Lunch", "to": ["bob@example.com", "eve@example.com"], "body": "At noon?\nAnn"}`,
			"  to: [\"bob@example.com\", \"eve@example.com\"]\n  subject: Lunch\n  body: At noon?\n    Ann\n"},
		"without what a terminal obeys": {`{"subject": "a\u001b[2Jb\u202ec\rd"}`, "  subject: a\ufffd[2Jb\ufffdc\ufffdd\n"},
		"shortened":                     {`{"body": "` + strings.Repeat("x", 500) + `"}`, "  body: " + strings.Repeat("x", 400) + "… (500 characters)\n"},
		"nothing":                       {``, ""},
	} {
		var shown bytes.Buffer
		showArguments(&shown, send.Action, json.RawMessage(c.args))
		if shown.String() != c.want {
			t.Errorf("%s: got\n%q, want\n%q", name, shown.String(), c.want)
		}
	}
}

func TestWhoeverIsAskedHearsWhomItReaches(t *testing.T) {
	for name, c := range map[string]struct {
		q    entrypoint.Request
		want string
	}{
		"for good":      {entrypoint.Request{Effect: metadata.Destroys}, "cannot be undone"},
		"to people":     {entrypoint.Request{Effect: metadata.Sends}, "reaches other people"},
		"to known ones": {entrypoint.Request{Effect: metadata.Sends, Outgoing: bundles.Outgoing{People: []string{"bob@example.org", "eve\u001b[2J@example.com"}}}, "reaches bob@example.org, eve\ufffd[2J@example.com"},
	} {
		if got := consequence(c.q); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
