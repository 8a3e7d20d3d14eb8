// Package mailbox is one account at Gmail: its API client, its labels, the
// addresses that it sends from, its messages by id, and the book of changes that
// can be undone in it.
//
// A Mailbox is made once for an account and may be used by many calls at once.
// What it knows of labels is at most a minute old, and of addresses ten. It is
// what the engines of the bundle have in common: none of them knows another
// mailbox, and the package knows no action.
//
// Start reading at Mailboxes.Open.
package mailbox
