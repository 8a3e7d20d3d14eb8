package main

import (
	"regexp"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// Advice to an owner is about that owner: followed literally, it changes
// nothing that belongs to the user who runs the server.
func TestAdvisedCommandsNameTheOwner(t *testing.T) {
	t.Parallel()
	d := newTestHome(t)
	d.clock, d.bundles = testTime, "gmail: on, calendar: on"
	named := "http: {oauth: {issuer: \"" + newIssuer(t).url + "\", audience: \"" + audience + "\", owners: {sub-1: ann}}}\n"
	d.configure("send: ask\n" + named)
	quoted := regexp.MustCompile("`kota [^`]*`")
	// advised returns what a command prints for her.
	advised := func(text string, args ...string) {
		t.Helper()
		stdout, stderr, _ := d.run(append(args, "--owner", "ann")...)
		output := stdout + stderr
		for _, part := range strings.Split(text, "|") {
			if !strings.Contains(output, part) {
				t.Errorf("%q says nothing of %q: %s", args, part, output)
			}
		}
		for _, command := range quoted.FindAllString(output, -1) {
			if strings.Count(command, "--owner ann") != 1 {
				t.Errorf("%q advises %s", args, command)
			}
		}
	}
	const login, client = "`kota auth login --owner ann`", "`kota auth client FILE --owner ann`"
	for _, args := range [][]string{{"doctor"}, {"doctor", "--json"}, {"auth", "status"}, {"auth", "login"}} {
		advised(client+"|"+login, args...)
	}
	d.storeClient()
	advised(login, "auth", "status")
	advised(login, "call", "gmail_get_message", `{"ids":["18f2a9c0d1e2f3a4"]}`)

	_, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann, Untick: []string{settingsScope}}, "--owner", "ann")
	const more = "`kota auth login --account " + ann + " --owner ann`"
	if status != 0 || !strings.Contains(stdout, more) {
		t.Errorf("signed in with %d: %s%s", status, stdout, stderr)
	}
	for _, args := range [][]string{{"doctor"}, {"auth", "status"}} {
		advised(more, args...)
	}

	advised("kota approve", "call", "gmail_send_message", `{"to":["`+bob+`"],"subject":"Lunch","body":"Run `+"`kota doctor`"+`."}`)
	advised("`kota approve ID --owner ann`", "pending")
	id := strings.Fields(d.must("pending", "--owner", "ann"))[0]
	if output := d.must("pending", id, "--owner", "ann"); !strings.Contains(output, "`kota approve "+id+" --owner ann`") || !strings.Contains(output, "Run `kota doctor`.") {
		t.Errorf("what waits is shown as %s", output)
	}

	d.configure("send: allow\n" + named)
	d.google.Fault(bundletest.GoogleFault{Method: "calendar.events.insert", Answer: bundletest.GoogleReset})
	d.google.Fault(bundletest.GoogleFault{Method: "calendar.events.get", Status: 403, Reason: "forbidden"})
	advised("OUTCOME_UNKNOWN", "call", "calendar_create_event", `{"title":"Tea","start":"`+someday+`T12:00","attendees":["`+bob+`"],"notify":"all"}`)
	id = strings.Fields(d.must("outbox", "--owner", "ann"))[0]
	const retry = "`kota outbox retry "
	advised(retry, "outbox", "show", id)
	advised(retry, "outbox", "list", "--json")
	advised(retry, "doctor")
	advised("`kota pending --owner ann`", "approve", "a_none")
}
