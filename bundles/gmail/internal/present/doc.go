// Package present formats messages for answers: a Row of a list, or a Message with its
// BodyText, each with its provenance.
//
// The size of an answer is limited: Share divides the space among bodies, and Fit shortens
// rows. Bodies that the user did not write get a fence. Provenance marks every item that
// may contain the words of others.
//
// Start reading at Rows and NewMessage.
package present
