package attachment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
)

// An Enclosure is something to attach: a file that was read, or a part of a mail that is
// fetched later.
type Enclosure struct {
	path    string // the path of the argument: "attachments[1]"
	File    mailmsg.File
	Size    int64  // the size of a file, even if it is too large to be read; 0 for a part of a mail
	message string // the id of the mail that contains the part; "" for a file
	part    string // the part id or the file name in that mail
}

// ReadEnclosures reads the files to attach, up to Gmail's size limit. path is the name of
// the argument, and list is its value. For each element that cannot be attached,
// ReadEnclosures adds a problem.
func ReadEnclosures(folders Folders, p *mailbox.Problems, path string, list []string) []Enclosure {
	var all []Enclosure
	remaining := int64(mailbox.MaxContent)
	for i, text := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		if ref, ok := strings.CutPrefix(text, "mail:"); ok {
			message, part, _ := strings.Cut(ref, "/")
			if !mailbox.IDForm().MatchString(message) || part == "" || !mailmsg.IsLine(part) {
				p.Add(at, `a part of a mail such as "mail:18f2a9c0d1e2f3a4/1"`, text)
				continue
			}
			all = append(all, Enclosure{path: at, message: message, part: part})
			continue
		}
		file, size, err := readFile(folders, text, remaining)
		if err != nil {
			p.Add(at, err.Error(), text)
			continue
		}
		remaining -= size
		all = append(all, Enclosure{path: at, File: file, Size: size})
	}
	return all
}

// readFile reads a file that may be attached. The file must be a regular file below a
// folder that the user configured, and its path must not contain a link. It must not be in
// KOTA's own folder, under any name. For a file of more than limit bytes, readFile returns
// only the size. The error says what was expected. For a path outside the folders, it does
// not depend on whether the file exists.
func readFile(folders Folders, path string, limit int64) (file mailmsg.File, size int64, err error) {
	if !mailmsg.IsLine(path) || path == "" {
		return mailmsg.File{}, 0, errors.New("the path of a file")
	}
	if folders.Remote {
		return mailmsg.File{}, 0, errors.New("omitted: only the operator of this server may attach its files; attach a part of a mail, mail:ID/PART")
	}
	if len(folders.From) == 0 {
		return mailmsg.File{}, 0, errors.New("omitted: no folder is configured; the user can name folders under `attachments: from:` in bundles.yaml")
	}
	errOutside := errors.New("a file below " + strings.Join(folders.From, " or "))
	for _, folder := range folders.From {
		below, ok := pathWithin(folder, path)
		if !ok {
			continue
		}
		file, size, err := readInFolder(folder, below, folders.Excluded, limit)
		if errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(path) {
			continue // it may be in the next folder
		}
		return file, size, err
	}
	if !filepath.IsAbs(path) {
		return mailmsg.File{}, 0, errors.New("a file that exists below " + strings.Join(folders.From, " or "))
	}
	return mailmsg.File{}, 0, errOutside
}

// pathWithin returns a path relative to the folder. A path that is already relative starts
// in the folder. ok is false if the path is not below the folder.
func pathWithin(folder, path string) (below string, ok bool) {
	if filepath.IsAbs(path) {
		var err error
		if path, err = filepath.Rel(filepath.Clean(folder), filepath.Clean(path)); err != nil {
			return "", false
		}
	}
	path = filepath.Clean(path)
	return path, path != "." && filepath.IsLocal(path)
}

var (
	errLink       = errors.New("a file whose path has no symbolic link")
	errExcluded   = errors.New("a file outside of KOTA's own folder")
	errNotRegular = errors.New("a regular file")
)

func readInFolder(folder, below, excluded string, limit int64) (mailmsg.File, int64, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return mailmsg.File{}, 0, fmt.Errorf("a file in a folder that can be read (%w)", withoutPath(err))
	}
	defer root.Close()
	checked, err := checkPath(root, below, excluded)
	if err != nil {
		return mailmsg.File{}, 0, err
	}
	f, err := root.Open(below)
	if err != nil {
		return mailmsg.File{}, 0, fmt.Errorf("a file that can be read (%w)", withoutPath(err))
	}
	defer f.Close()
	// The opened file must be the checked file: a link may have replaced it meanwhile.
	if info, err := f.Stat(); err != nil || !os.SameFile(info, checked) {
		return mailmsg.File{}, 0, errNotRegular
	}
	if checked.Size() > limit {
		return mailmsg.File{}, checked.Size(), nil
	}
	content := make([]byte, checked.Size())
	if _, err := io.ReadFull(f, content); err != nil {
		return mailmsg.File{}, 0, fmt.Errorf("a file that can be read (%w)", withoutPath(err))
	}
	name := filepath.Base(below)
	if len(name) > 255 || !utf8.ValidString(name) {
		return mailmsg.File{}, 0, errors.New("a file whose name has at most 255 bytes of UTF-8")
	}
	return mailmsg.File{Name: name, Type: mediaTypeOf(name, content), Content: content}, checked.Size(), nil
}

// checkPath checks every element of the path below root. No element may be a link or the
// excluded folder. checkPath returns the last element, which must be a regular file.
func checkPath(root *os.Root, below, excluded string) (fs.FileInfo, error) {
	own, err := os.Stat(excluded)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a folder that does not exist contains no files
		return nil, errExcluded
	}
	if own != nil && isFolderOrBelow(root.Name(), own) {
		return nil, errExcluded
	}
	steps := strings.Split(filepath.ToSlash(below), "/")
	for i := range steps {
		info, err := root.Lstat(filepath.Join(steps[:i+1]...))
		switch {
		case err != nil:
			return nil, fmt.Errorf("a file that exists and can be read (%w)", withoutPath(err))
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, errLink
		case own != nil && os.SameFile(info, own):
			return nil, errExcluded
		case i == len(steps)-1 && !info.Mode().IsRegular(), i < len(steps)-1 && !info.IsDir():
			return nil, errNotRegular
		case i == len(steps)-1 && own != nil && isHardLinkInto(excluded, info):
			return nil, errExcluded
		case i == len(steps)-1:
			return info, nil
		}
	}
	return nil, errNotRegular
}

// isHardLinkInto reports whether the file is a hard link to a file below the folder. It
// also returns true if it cannot read the whole folder.
func isHardLinkInto(folder string, file fs.FileInfo) bool {
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return nil
		}
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) { // SQLite creates and deletes its files at any time
			return nil
		}
		if err == nil && os.SameFile(info, file) {
			err = errExcluded
		}
		return err
	})
	return err != nil
}

// isFolderOrBelow reports whether folder is KOTA's own folder or below it, however its path
// is spelt. It also returns true if the path cannot be resolved.
func isFolderOrBelow(folder string, own fs.FileInfo) bool {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return true // so that no file is read
	}
	for {
		if info, err := os.Stat(real); err == nil && os.SameFile(info, own) {
			return true
		}
		up := filepath.Dir(real)
		if up == real {
			return false
		}
		real = up
	}
}

// withoutPath returns the error without the path of the file.
func withoutPath(err error) error {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// mediaTypeOf returns the media type for the extension of a file's name, or "". For text it
// adds the charset if the content is UTF-8.
func mediaTypeOf(name string, content []byte) string {
	kind, _, err := mime.ParseMediaType(mime.TypeByExtension(strings.ToLower(filepath.Ext(name))))
	if err != nil {
		return ""
	}
	if strings.HasPrefix(kind, "text/") && utf8.Valid(content) {
		return kind + "; charset=utf-8"
	}
	return kind
}
