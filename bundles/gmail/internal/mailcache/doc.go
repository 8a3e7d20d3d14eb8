// Package mailcache reads what lists show of messages, each message once.
//
// Everything but the labels of a message never changes, so its summary is kept in the
// database. The mailbox's history brings the labels up to date, so a list of known
// messages costs one round trip. The cache never shows what Gmail would not: if the
// history does not reach back far enough, everything is fetched again. A database that
// cannot be used only makes it slower.
//
// Start reading at Summaries. History and Changes serve those who ask what
// happened since a point of the history.
package mailcache
