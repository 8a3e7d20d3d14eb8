// Package filters lists, makes and deletes filters for incoming mail.
//
// It makes no filter that forwards mail, deletes none that it could not make
// again, and refuses one that would put nearly all mail into the trash. A filter
// that hides mail is asked about first.
//
// Start reading at Manage.
package filters
