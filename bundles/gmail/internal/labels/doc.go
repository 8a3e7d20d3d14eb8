// Package labels changes the labels of messages, and labels themselves.
//
// KOTA saves the state before each change, so every change can be undone. An undo takes
// back only what the change did. If Gmail did not say whether a change happened, KOTA
// reads the labels again. In a session that has read untrusted content, KOTA asks the user
// before it moves mail out of sight.
//
// Start reading at Modify for messages, and at Manage for labels.
package labels
