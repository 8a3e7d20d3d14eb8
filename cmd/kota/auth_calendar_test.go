package main

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

func TestCalendarOnlySignInLearnsAddress(t *testing.T) {
	d := newTestHome(t)
	d.bundles = "calendar: on"
	d.configure("profile: read-only\n")
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if got := d.must("auth", "status"); !strings.Contains(got, ann) || !strings.Contains(got, "read calendars") || strings.Contains(got, "mail") {
		t.Errorf("the account is %s", got)
	}
	if got := d.must("call", "calendar_list_calendars"); !strings.Contains(got, `"calendar": "`+ann+`"`) && !strings.Contains(got, `"calendar":"`+ann+`"`) {
		t.Errorf("its calendars are %s", got)
	}
}
