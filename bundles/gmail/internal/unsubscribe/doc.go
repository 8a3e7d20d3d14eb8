// Package unsubscribe leaves the mailing list that a message came from.
//
// A one-click unsubscription is one POST over https to a public address (RFC 8058). It
// needs the sender's valid DKIM signature of the offer, and the consent of
// bundles.ConfirmSend. The request is in the outbox before it is sent, so a request that
// may have arrived is never repeated. KOTA follows no redirects. If one-click is not
// possible, the result is a draft for the user to send, or a link for the user to open.
//
// Start reading at Unsubscriber.Unsubscribe.
package unsubscribe
