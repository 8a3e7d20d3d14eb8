package bundletest

import (
	"testing"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// These are the types of the fake Google, for tests and programs that are not below
// bundles/.
type (
	Google           = googletest.Server
	GoogleFault      = fakeapi.Fault
	GoogleConsent    = fakeapi.Consent
	GoogleMail       = fakegmail.Mail
	GoogleAttachment = fakegmail.Attachment
	GoogleSendAs     = fakegmail.SendAs
	GoogleCalendar   = fakecalendar.Calendar
	GoogleOption     = fakeapi.Option
)

// These are broken answers for a GoogleFault.
const (
	GoogleReset     = fakeapi.Reset
	GoogleHang      = fakeapi.Hang
	GoogleTruncated = fakeapi.Truncated
	GoogleGarbage   = fakeapi.Garbage
	GoogleHTML      = fakeapi.HTML
)

// NewGoogle starts a fake Google that runs until the test ends. A request that violates
// Google's discovery documents is a test error.
func NewGoogle(tb testing.TB, options ...GoogleOption) *Google {
	tb.Helper()
	return googletest.New(tb, options...)
}

// GoogleExplicitUpdates requires sendUpdates in each change of an event with guests. A
// change without it is a violation.
func GoogleExplicitUpdates() GoogleOption { return googletest.ExplicitUpdates() }

// StartGoogle starts a fake Google for a program. It calls report for each violation.
func StartGoogle(addr string, report func(violation string), options ...GoogleOption) (*Google, error) {
	return googletest.Start(addr, report, options...)
}
