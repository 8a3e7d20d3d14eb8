package sqlite

import (
	"context"
	"fmt"
	"strings"

	"kota/store/engine"
)

// networkTypes names network file systems by the type that the operating system reports. WAL
// needs memory shared by all users of the file. These file systems do not share memory across
// machines, and often not on one machine (https://sqlite.org/wal.html: "WAL does not work over a
// network filesystem").
var networkTypes = map[string]string{
	"nfs":        "NFS",
	"nfs4":       "NFS",
	"smb":        "SMB",
	"smb2":       "SMB",
	"smbfs":      "SMB",
	"cifs":       "SMB",
	"fuse":       "FUSE",
	"fuseblk":    "FUSE",
	"macfuse":    "FUSE",
	"osxfuse":    "FUSE",
	"9p":         "9P",
	"afs":        "AFS",
	"afpfs":      "AFP",
	"webdav":     "WebDAV",
	"ncp":        "NCP",
	"coda":       "Coda",
	"ceph":       "Ceph",
	"lustre":     "Lustre",
	"gpfs":       "GPFS",
	"gfs2":       "GFS2",
	"ocfs2":      "OCFS2",
	"virtiofs":   "virtiofs",
	"vboxsf":     "VirtualBox shared folder",
	"vmhgfs":     "VMware shared folder",
	"prl_fs":     "Parallels shared folder",
	"drvfs":      "Windows folder in WSL",
	"unc_remote": "Windows share",
}

// networkName returns the name of a network file system, or "" for any other type.
func networkName(fstype string) string { return networkTypes[strings.ToLower(fstype)] }

// Filesystem returns the name of the network file system of the database, or "" for a local file
// system. On a network file system the journal mode is TRUNCATE instead of WAL.
func (db *DB) Filesystem() string { return db.filesystem }

// FreeSpace returns how many bytes the user can still write to the disk of dir. It returns 0 and
// false if that is unknown.
func FreeSpace(dir string) (uint64, bool) { return freeSpace(dir) }

// Writable returns nil if the file can be written, or else the reason. It changes no row, but
// like any write it waits for other writes.
func (db *DB) Writable(ctx context.Context) error {
	err := db.Write(ctx, func(t engine.Tx) error {
		return t.Exec("DELETE FROM meta WHERE name = ''") // BEGIN alone succeeds on a read-only file
	})
	if err != nil {
		return fmt.Errorf("write to %s: %w", db.path, err)
	}
	return nil
}
