// Package attachment attaches files to mail, and fetches and saves the files of mail.
//
// A file is attached only from below the folders that the user configured, without links,
// and never from KOTA's own folder. A file is saved only below one folder, under a safe
// name, and never replaces another. A file that Gmail returns incompletely is an error.
//
// Start reading at Enclosures for outgoing files, and at Fetch for received files.
package attachment
