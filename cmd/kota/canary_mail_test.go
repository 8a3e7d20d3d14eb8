package main

import (
	"cmp"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// The texts in the mail that the test below reads, searches for and sends.
var mailCanaries = map[string]string{
	"subject of a mail":      "canarysubject",
	"text of a mail":         "canarytext",
	"search":                 "canarysearch",
	"subject that is sent":   "canarysentsubject",
	"text that is sent":      "canarysenttext",
	"recipient of what went": "canaryrecipient@example.com",
}

// Requests and answers concern only the client and Google. The log, even at
// debug level, has only what was called and what went wrong.
func TestLogContainsNoMailText(t *testing.T) {
	t.Parallel()
	d := newTestHome(t)
	d.configure("log: debug\nsend: allow\ntaint: off\n")
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	mail := d.google.User(ann).Deliver(bundletest.GoogleMail{Subject: mailCanaries["subject of a mail"], Text: mailCanaries["text of a mail"]})
	canaries := d.homeSecrets()
	for name, canary := range mailCanaries {
		canaries[name] = canary
	}
	calls := map[string]object{
		"gmail_search_messages": {"query": mailCanaries["search"] + " OR subject:" + mailCanaries["subject of a mail"]},
		"gmail_get_message":     {"id": mail.ID},
		"gmail_send_message": {
			"to": []string{mailCanaries["recipient of what went"]}, "subject": mailCanaries["subject that is sent"], "body": mailCanaries["text that is sent"],
		},
		"gmail_list_drafts": {"query": mailCanaries["search"]},
	}
	all := toolCall("outbox", "kota_discover_bundles", object{"query": mailCanaries["search"]})
	for tool, args := range calls {
		all += toolCall(tool, tool, args)
	}
	quoted := strings.Join([]string{mailCanaries["search"], mailCanaries["text of a mail"], mailCanaries["text that is sent"]}, " ")

	output := ""
	serve := func(fault string) {
		t.Helper()
		stdout, stderr, status := d.runWith(strings.NewReader(initializeLine+all), nil, "serve")
		if status != 0 || !strings.Contains(stdout, `"gmail_get_message"`) {
			t.Errorf("%s: status %d, %s", fault, status, stderr)
		}
		if !strings.Contains(stderr, "gmail_search_messages") {
			t.Errorf("%s: the log says nothing of a call: %s", fault, stderr)
		}
		if fault == "" && !strings.Contains(stdout, mailCanaries["text of a mail"]) {
			t.Errorf("the mail was not read: %s", stdout)
		}
		output += stderr
	}
	serve("")
	if n := len(d.google.User(ann).Sent()); n != 1 {
		t.Errorf("%d mails were sent", n)
	}
	for _, method := range []string{"messages.list", "messages.get", "drafts.list", "drafts.create", "drafts.send", "history.list"} {
		faults := []bundletest.GoogleFault{{Status: 400, Message: quoted}, {Status: 403, Reason: quoted, Message: quoted}}
		if method == "messages.get" || method == "drafts.list" {
			faults = append(faults, bundletest.GoogleFault{Nth: 1, Answer: bundletest.GoogleGarbage}, bundletest.GoogleFault{Answer: bundletest.GoogleHTML})
		}
		for _, fault := range faults {
			fault.Method = "gmail.users." + method
			withdraw := d.google.Fault(fault)
			serve(fault.Method + " " + cmp.Or(fault.Message, "no JSON"))
			withdraw()
		}
	}
	outbox, stderr, status := d.run("outbox", "list")
	if status != 0 || !strings.Contains(outbox, mailCanaries["recipient of what went"]) {
		t.Errorf("the outbox is %s", outbox)
	}
	output += stderr
	for name, canary := range d.homeSecrets() {
		canaries["new "+name] = canary
	}
	for name, canary := range canaries {
		if strings.Contains(output, canary) {
			i := strings.Index(output, canary)
			t.Errorf("the %s is in the log: …%s", name, output[max(0, i-200):i+len(canary)])
		}
	}
}
