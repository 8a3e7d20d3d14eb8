package sqlite

import (
	"context"
	"fmt"
	"strings"
)

// networkTypes are the file systems that reach over a network, by the name
// the operating system gives their type. WAL needs memory shared by all users
// of the file, which these do not give across machines, and often not on one
// (https://sqlite.org/wal.html: "WAL does not work over a network filesystem").
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

// networkName returns how to call a type of file system that reaches over a
// network, and "" for every other type.
func networkName(fstype string) string { return networkTypes[strings.ToLower(fstype)] }

// Filesystem names the network file system the database is on, and is "" on a
// local one. With a name, the journal is TRUNCATE instead of WAL.
func (db *DB) Filesystem() string { return db.filesystem }

// FreeSpace returns how many bytes its user may still write to the disk that
// dir is on; false when that cannot be told.
func FreeSpace(dir string) (uint64, bool) { return freeSpace(dir) }

// Writable returns why the file cannot be written, and nil when it can. It
// changes no memory, but waits for other writes as a write does.
func (db *DB) Writable(ctx context.Context) error {
	err := db.Write(ctx, func(t *Tx) error {
		_, err := t.Exec("DELETE FROM meta WHERE name = ''") // BEGIN alone succeeds on a read-only file
		return err
	})
	if err != nil {
		return fmt.Errorf("write to %s: %w", db.path, err)
	}
	return nil
}
