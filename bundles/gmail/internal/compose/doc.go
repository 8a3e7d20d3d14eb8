// Package compose writes mail. It checks the arguments of the actions that send, reply,
// forward and change drafts, and creates a complete message.
//
// It checks the form of the arguments and reads local files before it sends a request to
// Gmail. It checks the total size of attachments before it fetches parts of other mails, and
// the size of the whole mail before the send. A reply goes to one of the user's own
// addresses only if the original mail names no other address. Package outgoing sends
// complete messages.
//
// Start reading at Composition and Deliver. Reply addresses a reply, ForwardFiles adds the
// files of the original mail, and DraftChange changes a draft.
package compose
