// Package fakegmail models Gmail for fakeapi: messages and threads, labels,
// drafts, search, history and settings.
//
// Where Google's documents are silent it follows the guides
// (developers.google.com/workspace/gmail/api/guides).
//
// Start reading at gmailHandlers, which names a function for each method, and at
// MailUser for what a test can do by hand.
package fakegmail
