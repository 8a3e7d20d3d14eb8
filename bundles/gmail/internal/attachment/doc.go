// Package attachment attaches files to mail, and fetches and saves the files of mail.
//
// KOTA attaches only files below the folders that the user configured. No part of the path
// below such a folder may be a link, and KOTA never attaches files of its own folder. It
// saves files only in one folder, under a safe name, and never replaces a file. If Gmail
// returns only a part of a file, that is an error.
//
// Start reading at ReadEnclosures for outgoing files, and at Fetch for received files.
package attachment
