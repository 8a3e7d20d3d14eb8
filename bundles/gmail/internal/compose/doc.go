// Package compose writes mail. It checks the arguments of the actions that send, answer,
// forward and change drafts, and creates a complete message.
//
// It sends no request to Gmail while an argument is wrong or a file is missing. It
// refuses a mail above Gmail's size limit before it fetches parts of other mails. An
// answer never goes to one of the user's own addresses. Package outgoing sends complete
// messages.
//
// Start reading at Letter and Deliver. Answer addresses an answer, ForwardFiles adds the
// files of the original mail, and DraftChange changes a draft.
package compose
