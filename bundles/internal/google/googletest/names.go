package googletest

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// What tests say of any API, so that they need one package alone.
type (
	Option   = fakeapi.Option   // see there, and likewise for the others
	Fault    = fakeapi.Fault    // what goes wrong with a request
	Answer   = fakeapi.Answer   // how a fault spoils an answer
	Request  = fakeapi.Request  // what the server saw of a request
	Consent  = fakeapi.Consent  // what the user does on the page that asks for consent
	Lockstep = fakeapi.Lockstep // counts round trips
)

// The ways in which a Fault spoils an answer.
const (
	Reset     = fakeapi.Reset
	Hang      = fakeapi.Hang
	Truncated = fakeapi.Truncated
	Garbage   = fakeapi.Garbage
	HTML      = fakeapi.HTML
	Slow      = fakeapi.Slow
	BadGzip   = fakeapi.BadGzip
	Redirect  = fakeapi.Redirect
	Huge      = fakeapi.Huge
)

// What tests say of mail.
type (
	Mail       = fakegmail.Mail       // a mail that comes in
	Attachment = fakegmail.Attachment // of a Mail
	Message    = fakegmail.Message    // of a mailbox
	Draft      = fakegmail.Draft
	SendAs     = fakegmail.SendAs // an address to send from
)

// What tests say of calendars.
type (
	Calendar   = fakecalendar.Calendar   // a calendar that a user gets
	Invitation = fakecalendar.Invitation // a mail about an event
)
