// Package outgoing sends each mail at most once, or saves it as a draft.
//
// A mail is in the outbox before anything is sent. KOTA sends it through a draft, which
// Gmail sends only once. One process at a time does the work and holds a lease. The method
// sendDraft makes the only request that sends: a change of sendDraft can change how often a
// mail is sent. If the outcome is unknown, sendDraft returns OUTCOME_UNKNOWN, and a
// later call looks for the outcome. KOTA sends a mail again only if it is proven unsent.
//
// KOTA sends only mail that bundles.ConfirmSend allows. An approval shows exactly what is
// sent, including unknown headers. A draft that changed after the approval is not sent.
//
// Start reading at Sender.Deliver. It takes the item from the outbox (sender.go),
// prepares the draft (prepare.go), sends it (attempt.go) and finds out the outcome of an
// earlier attempt (outcome.go). Outbox serves the user's own outbox commands.
package outgoing
