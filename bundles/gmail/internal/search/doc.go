// Package search writes searches in Gmail's language and lists the ids of matching
// messages.
//
// Conditions turns arguments into a query. Dates are days in the user's time zone, while
// Gmail would read them in Pacific time. A value can never become an operator.
//
// Start reading at Conditions.Query, and at ListMessages for the ids.
package search
