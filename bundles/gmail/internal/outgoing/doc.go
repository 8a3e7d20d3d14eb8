// Package outgoing sends mail, each at most once, and saves it as a draft.
//
// A mail stands in the outbox before anything leaves. It is sent by way of a draft,
// which Gmail sends once only, by one process at a time that holds a lease. The
// function post makes the only request that sends: whoever changes it changes how often
// a mail can leave. If the outcome is unknown, it returns OUTCOME_UNKNOWN and looks it
// up later. It sends again only what was proven unsent.
//
// Nothing leaves that the user did not let through: what is asked about is what
// leaves, down to unknown headers, and a draft that changed meanwhile stays.
//
// Start reading at Sender.Deliver: it takes the item from the outbox (sender.go),
// makes the draft ready (prepare.go), sends it (post.go) and finds out what
// became of an earlier attempt (settle.go). Outbox is the same in the user's own
// hands.
package outgoing
