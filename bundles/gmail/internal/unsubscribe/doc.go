// Package unsubscribe leaves the mailing list that a message came from.
//
// One click is one POST over https to a public address (RFC 8058), only where
// the sender's valid DKIM signature covers the offer, and only after the user let
// it through. The click stands in the outbox before it leaves, so none is made
// twice. No redirect is followed. Otherwise the way out is a draft for the user
// to send, or a link for the user to open.
//
// Start reading at Leaver.Leave.
package unsubscribe
