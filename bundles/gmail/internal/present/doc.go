// Package present is what answers show of messages: a Row of a list, a Message
// with its BodyText, and whose words each of them has.
//
// An answer keeps to its budget: Share gives every body its part of the space,
// Fit shortens rows. Bodies that the user did not write stand in a fence, and
// Provenance marks every item that may have the words of others.
//
// Start reading at Rows and NewMessage.
package present
