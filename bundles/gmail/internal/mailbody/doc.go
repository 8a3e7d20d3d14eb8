// Package mailbody reads Gmail's representation of a message, and writes the text of new
// mail.
//
// Read returns what a person would see of a message. It chooses one of several forms of a
// text, decodes it, and counts the hidden text, trackers and quoted history that it
// omits. Attachments lists the files of a message. Limits on parts, depth and bytes bound
// the work for any message. Every string for a list of messages is one line without
// invisible characters. Content is the text of a new mail in two forms. Original is the mail
// that a reply quotes.
//
// The package sends no requests to Gmail. Start reading at Read.
package mailbody
