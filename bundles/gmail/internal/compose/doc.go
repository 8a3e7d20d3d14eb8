// Package compose writes mail. It checks the arguments of the actions that send, reply,
// forward and change drafts, and creates a complete message.
//
// It sends no request to Gmail while an argument is wrong or a file is missing. It
// refuses a mail above Gmail's size limit before it fetches parts of other mails. A reply
// goes to one of the user's own addresses only if the mail has no other. Package outgoing
// sends complete messages.
//
// Start reading at Composition and Deliver. Reply addresses a reply, ForwardFiles adds the
// files of the original mail, and DraftChange changes a draft.
package compose
