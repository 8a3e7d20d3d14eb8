package attachment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kota/bundles/gmail/internal/mailbody"
	"kota/metadata"
)

// A Folder is the folder for saved attachments. It gives no access to files outside the
// folder, not even through links in it.
type Folder struct {
	*os.Root
	path string
}

// OpenFolder opens the folder that the user configured for attachments, and creates it if
// needed. It returns REFUSED if the caller may not save files or no folder is configured.
// It also returns REFUSED if the folder is KOTA's own folder or below it.
func OpenFolder(files Folders) (*Folder, error) {
	if files.Remote {
		return nil, metadata.Errorf(metadata.Refused, "only the operator of this server may save attachments on it").
			WithHint("as \"text\" reads a text file without saving it.")
	}
	if files.Into == "" {
		return nil, metadata.Errorf(metadata.Refused, "no folder for attachments is configured").
			WithHint("The user can name one in bundles.yaml: `attachments: {into: FOLDER}`. as \"text\" reads a text file without saving it.")
	}
	if err := os.MkdirAll(files.Into, 0o700); err != nil {
		return nil, saveError(files.Into, err)
	}
	if isExcludedFolder(files) {
		return nil, metadata.Errorf(metadata.Refused, "attachments must not be saved in KOTA's own folder").
			WithHint("The user can name another in bundles.yaml: `attachments: {into: FOLDER}`.")
	}
	root, err := os.OpenRoot(files.Into)
	if err != nil {
		return nil, saveError(files.Into, err)
	}
	return &Folder{Root: root, path: files.Into}, nil
}

// isExcludedFolder reports whether the folder for attachments is KOTA's own folder or below
// it. It also returns true if that is unknown, so that nothing is saved.
func isExcludedFolder(files Folders) bool {
	if files.Excluded == "" {
		return false
	}
	own, err := os.Stat(files.Excluded)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return isFolderOrBelow(files.Into, own)
}

// maxNameTries is how many names Save tries.
const maxNameTries = 1000

// Save writes the content to a new file that only the user can read (0600), and returns
// its path. The name is a safe form of the file's name, with a number if the name is
// taken.
func (f *Folder) Save(file mailbody.Attachment, content []byte) (string, error) {
	base, ending := mailbody.SplitFileName(mailbody.SafeFileName(file.Name))
	name := base + ending
	for try := 1; try <= maxNameTries; try++ {
		if try > 1 {
			name = fmt.Sprintf("%s (%d)%s", base, try, ending)
		}
		// O_EXCL creates a new file and does not follow links.
		out, err := f.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", saveError(f.path, err)
		}
		_, err = out.Write(content)
		if err = errors.Join(err, out.Close()); err != nil {
			return "", errors.Join(saveError(f.path, err), f.Remove(name))
		}
		return filepath.Join(f.path, name), nil
	}
	return "", metadata.Errorf(metadata.Conflict, "there are already %d files with names from %s to %s", maxNameTries, base+ending, name).WithHint("Remove some of them from %s, then repeat the call.", f.path)
}

func saveError(path string, err error) error {
	return &metadata.Error{
		Code: metadata.Unavailable, Message: "nothing can be saved in " + path + ": " + withoutPath(err).Error(), Cause: err,
		Hint: "Check the folder and its permissions, or name another in bundles.yaml: `attachments: {into: FOLDER}`.",
	}
}

// Folders are the local folders that attachments may use.
type Folders struct {
	From     []string // absolute; files below them may be attached
	Into     string   // absolute; where attachments are saved; "" if none is configured
	Excluded string   // absolute; KOTA's own folder, which is excluded even if it is below From or Into
	Remote   bool     // the tenant is not the operator of KOTA and owns no files on this machine; From and Into are empty
}
