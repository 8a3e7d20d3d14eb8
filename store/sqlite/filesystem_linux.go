package sqlite

import "golang.org/x/sys/unix"

// typeOfMagic maps the f_type numbers of statfs(2) to the types in networkTypes.
var typeOfMagic = map[uint32]string{
	unix.NFS_SUPER_MAGIC:   "nfs",
	unix.SMB_SUPER_MAGIC:   "smb",
	unix.SMB2_SUPER_MAGIC:  "smb2",
	unix.CIFS_SUPER_MAGIC:  "cifs",
	unix.FUSE_SUPER_MAGIC:  "fuse", // sshfs, rclone, and virtiofs, which shares the number
	unix.V9FS_MAGIC:        "9p",
	unix.AFS_SUPER_MAGIC:   "afs",
	unix.AFS_FS_MAGIC:      "afs",
	unix.NCP_SUPER_MAGIC:   "ncp",
	unix.CODA_SUPER_MAGIC:  "coda",
	unix.CEPH_SUPER_MAGIC:  "ceph",
	0x0bd00bd0:             "lustre",
	0x47504653:             "gpfs",
	0x01161970:             "gfs2",
	unix.OCFS2_SUPER_MAGIC: "ocfs2",
	0x786f4256:             "vboxsf",
	0xbacbacbc:             "vmhgfs",
	0x7c7c6673:             "prl_fs",
	0x53464846:             "drvfs",
}

// filesystemOf returns the type of the file system of dir, or "" if it is unknown or not in
// typeOfMagic.
func filesystemOf(dir string) string {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return ""
	}
	return typeOfMagic[uint32(stat.Type)]
}

func freeSpace(dir string) (uint64, bool) {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0, false
	}
	return stat.Bavail * uint64(stat.Bsize), true
}
