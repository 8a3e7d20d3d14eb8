// Package rrule yields the instances of a recurring event (RFC 5545), for the
// fake Calendar.
//
// It checks every single day against the rule, so that it shares no shortcut
// with the code that it tests.
//
// Start reading at Parse and Recurrence.Starts.
package rrule
