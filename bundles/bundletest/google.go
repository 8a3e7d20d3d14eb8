package bundletest

import (
	"testing"

	"kota/bundles/internal/google/googletest"
)

// The fake Google, for the tests and programs that are not below bundles/.
type (
	Google           = googletest.Server
	GoogleFault      = googletest.Fault
	GoogleConsent    = googletest.Consent
	GoogleMail       = googletest.Mail
	GoogleAttachment = googletest.Attachment
	GoogleSendAs     = googletest.SendAs
	GoogleCalendar   = googletest.Calendar
	GoogleOption     = googletest.Option
)

// Answers that are spoilt, for a GoogleFault.
const (
	GoogleReset     = googletest.Reset
	GoogleHang      = googletest.Hang
	GoogleTruncated = googletest.Truncated
	GoogleGarbage   = googletest.Garbage
	GoogleHTML      = googletest.HTML
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
