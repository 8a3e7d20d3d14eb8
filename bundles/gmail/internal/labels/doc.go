// Package labels changes the labels of messages, and labels themselves.
//
// The state before a change is kept first, so every change can be undone, and an undo
// takes back no more than the change did. Where Gmail did not say whether a change
// happened, that is looked up. Mail that moves out of sight is asked about first, in a
// session that has read untrusted content.
//
// Start reading at Modify for messages, at Manage for labels.
package labels
