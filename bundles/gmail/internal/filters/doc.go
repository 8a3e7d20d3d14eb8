// Package filters lists, creates and deletes filters for incoming mail.
//
// It creates no filter that forwards mail. It deletes no filter that it could not create
// again. It refuses a filter that would put nearly all mail into the trash. It asks
// before it creates a filter that hides mail.
//
// Start reading at Manage.
package filters
