package bundletest

import (
	"testing"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// The fake Google, for the tests and programs that are not below bundles/.
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

// Answers that are spoilt, for a GoogleFault.
const (
	GoogleReset     = fakeapi.Reset
	GoogleHang      = fakeapi.Hang
	GoogleTruncated = fakeapi.Truncated
	GoogleGarbage   = fakeapi.Garbage
	GoogleHTML      = fakeapi.HTML
)

// NewGoogle starts a fake Google that lives as long as the test. What breaks
// Google's discovery documents is an error of the test.
func NewGoogle(tb testing.TB, options ...GoogleOption) *Google {
	tb.Helper()
	return googletest.New(tb, options...)
}

// GoogleExplicitUpdates makes a change of an event that has guests a violation
// when it does not say in sendUpdates who is told.
func GoogleExplicitUpdates() GoogleOption { return googletest.ExplicitUpdates() }

// StartGoogle starts a fake Google for a program, which is told of violations.
func StartGoogle(addr string, report func(violation string), options ...GoogleOption) (*Google, error) {
	return googletest.Start(addr, report, options...)
}
