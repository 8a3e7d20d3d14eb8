package main

import (
	"strings"
	"testing"
)

func TestLimitsHoldAcrossRunsAndSayWhenThereIsRoomAgain(t *testing.T) {
	d := calendarDesk(t, "")
	d.bundles = "gmail: on, calendar: on"
	d.configure("send: allow\ntimezone: Europe/Amsterdam\nlimits: {sends_per_hour: 1}\n")
	send := func(at, subject string) (string, int) {
		d.clock = at
		_, stderr, status := d.run("call", "gmail_send_message", `{"to":["`+bob+`"],"subject":"`+subject+`","body":"At ten."}`)
		return stderr, status
	}
	// Clocks are put back at 03:00: the hour ends when it is 02:30 for the second time.
	if stderr, status := send("2026-10-25T02:30:00+02:00", "Rolls"); status != 0 {
		t.Fatal(stderr)
	}
	stderr, status := send("2026-10-25T02:29:59+01:00", "Loaves")
	if status != 1 || !strings.Contains(stderr, "RATE_LIMITED") || !strings.Contains(stderr, "from 2026-10-25T02:30:00+01:00 on") || !strings.Contains(stderr, "sends_per_hour") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if stderr, status := send("2026-10-25T02:30:00+01:00", "Loaves"); status != 0 {
		t.Errorf("at the time that was said: %s", stderr)
	}
	codes := ""
	for _, call := range d.audit() {
		codes += call.Code + " "
	}
	if codes != "OK RATE_LIMITED OK " {
		t.Errorf("the audit log has %s", codes)
	}
}
