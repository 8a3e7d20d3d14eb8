// Package compose writes mail: it checks the arguments of the actions that send,
// answer, forward and change drafts, and makes a complete message of them.
//
// Nothing is asked of Gmail while an argument is wrong or a file is missing, and
// a mail that Gmail would refuse for its size is not begun. An answer never goes
// to an address of the user's. Package outgoing sends what is complete.
//
// Start reading at Letter and Deliver; Answer addresses an answer, ForwardFiles
// takes the files of a mail along, and DraftChange changes a draft.
package compose
