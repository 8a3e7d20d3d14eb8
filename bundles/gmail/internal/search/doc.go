// Package search writes searches in Gmail's language and lists the ids of the
// messages that they find.
//
// Conditions turns arguments into a query. Dates are the user's days: Gmail
// would read them in its own zone. A value can never become an operator.
//
// Start reading at Conditions.Query, and at ListMessages for the ids.
package search
