// Package compose writes mail: it checks the arguments of the actions that send,
// answer, forward and change drafts, and makes a complete message of them.
//
// It asks Gmail for nothing while an argument is wrong or a file is missing, and does
// not begin a mail that Gmail would refuse for its size. An answer never goes to an
// address of the user's. Package outgoing sends what is complete.
//
// Start reading at Letter and Deliver; Answer addresses an answer, ForwardFiles
// takes the files of a mail along, and DraftChange changes a draft.
package compose
