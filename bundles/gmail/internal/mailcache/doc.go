// Package mailcache reads the summaries of messages for lists, each message once.
//
// Only the labels of a message can change, so the database stores its summary. The
// mailbox's history updates the labels, so a list of known messages costs one round trip.
// The package never returns a message that Gmail no longer has. If the history does not
// reach back far enough, the package fetches everything again. If the database fails, the
// package is only slower.
//
// Start reading at Summaries. EventsSince and Changes are for callers that ask what
// happened since a position in the history.
package mailcache
