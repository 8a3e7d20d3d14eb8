// Package mailbox is one Gmail account: its API client, labels, sender addresses,
// messages by id, and undo records.
//
// A Mailbox is created once per account, and many calls may use it concurrently. Its
// labels are at most one minute old, its addresses ten minutes. The other packages of the
// bundle share the Mailbox. This package contains nothing that is specific to one action.
//
// Start reading at Mailboxes.Open.
package mailbox
