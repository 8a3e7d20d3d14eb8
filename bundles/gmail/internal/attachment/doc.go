// Package attachment attaches files to mail, fetches those of mail and saves
// them.
//
// A file is attached only from below the folders that the user named, through no
// link, and never from KOTA's own folder. A file is saved only below one folder,
// under a safe name, and replaces nothing. A file that Gmail does not give whole
// is an error.
//
// Start reading at Enclosures for what is sent, at Fetch for what came.
package attachment
