// Package filters lists, creates and deletes filters for incoming mail.
//
// It creates no filter that forwards mail. It deletes no filter that it could not create
// again. It refuses a filter that would move nearly all mail to the trash. If the session
// has read untrusted content, the user must approve a new filter that moves mail to the
// trash or out of the inbox.
//
// Start reading at Manage.
package filters
