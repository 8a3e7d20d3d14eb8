// Package mailbody reads what Gmail gives of a message, and writes what KOTA
// puts into one.
//
// Read returns what a person would see of a message: it takes one of several
// forms of a text, decodes it, and counts the hidden text, trackers and quoted
// history that it leaves out. Attachments lists the files of a message. Whatever
// a sender wrote, the work is bounded in parts, depth and bytes, and every
// string for a list is one clean line. Words are the text and the HTML of a mail
// that is written; Original is the mail that an answer quotes.
//
// Nothing here asks Gmail for anything. Start reading at Read.
package mailbody
