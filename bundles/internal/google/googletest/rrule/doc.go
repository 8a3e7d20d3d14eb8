// Package rrule yields the instances of a recurring event (RFC 5545), for the
// fake Calendar.
//
// It walks day by day and asks of each day whether the rule takes it, so that it
// shares no shortcut with the code that it tests.
//
// Start reading at Parse and Recurrence.Starts.
package rrule
