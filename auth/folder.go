package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A folder is the path of a folder with secret files, such as the accounts' files.
type folder string

const maxName = 128

// nameForm matches account names of any length. With a limit, the regular expression would take
// longer to compile than all others of this package together.
var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9@._+'-]*$`)

// deviceForm matches names that Windows treats as devices, such as con and con.json.
var deviceForm = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// accountName returns text as the name of an account, in lower case, or ErrBadName. Some file
// systems ignore case, so names do too.
func accountName(text string) (string, error) {
	name := strings.ToLower(strings.TrimSpace(text))
	if len(name) > maxName || !nameForm.MatchString(name) || deviceForm.MatchString(name) {
		return "", fmt.Errorf("account %q: %w", text, ErrBadName)
	}
	return name, nil
}

func (f folder) file(name string) string { return filepath.Join(string(f), name+".json") }

// prepare creates the folder if it does not exist. It refuses a folder in which others could
// replace files.
func (f folder) prepare() error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	return f.check()
}

func (f folder) check() error {
	info, err := os.Stat(string(f))
	if err != nil {
		return err
	}
	return checkFolder(string(f), info)
}

// names returns the names of the accounts that have a file, or nil if the folder does not
// exist.
func (f folder) names() ([]string, error) {
	err := f.check()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		name, found := strings.CutSuffix(entry.Name(), ".json")
		if clean, err := accountName(name); found && err == nil && clean == name {
			names = append(names, name)
		}
	}
	return names, nil
}

// A fileVersion is the version of a file.
type fileVersion struct{ fs.FileInfo }

func (v fileVersion) equals(other version) bool {
	file, ok := other.(fileVersion)
	return ok && sameContent(v.FileInfo, file.FileInfo) // os.SameFile knows only its own type
}

// read returns the content and the version of the account's file. Its errors are fs.ErrNotExist,
// *UnsafeError, *CorruptError or errors of the operating system.
func (f folder) read(name string) (record, version, error) {
	if err := f.check(); err != nil {
		return record{}, nil, err
	}
	path := f.file(name)
	raw, info, err := readPrivate(path, maxRecord)
	if err != nil && !errors.Is(err, errTooLarge) {
		return record{}, nil, err
	}
	var r record
	if err == nil {
		r, err = parseRecord(name, raw)
	}
	if err != nil {
		return record{}, nil, &CorruptError{Account: name, Path: path, Why: err.Error()}
	}
	return r, fileVersion{info}, nil
}

// version returns the version of the account's file.
func (f folder) version(name string) (version, error) {
	info, err := os.Lstat(f.file(name))
	if err != nil {
		return nil, err
	}
	return fileVersion{info}, nil
}

// write stores the account, and removes the files of interrupted writes. The caller holds the
// account's lock, which no other process can take over.
func (f folder) write(r record, _ version) (version, error) {
	f.removeTempFiles(r.Name)
	raw, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = writeFile(f.file(r.Name), append(raw, '\n'))
	}
	if err != nil {
		return nil, err
	}
	return f.version(r.Name)
}

// removeTempFiles removes the files of interrupted writes of the account.
func (f folder) removeTempFiles(name string) {
	paths, _ := filepath.Glob(filepath.Join(globEscape(string(f)), "."+name+".json.*.tmp"))
	for _, path := range paths {
		os.Remove(path)
	}
}

// globEscape escapes the special characters of filepath.Glob in path. On Windows there are no
// escapes, but these characters are rare in paths.
func globEscape(path string) string {
	if runtime.GOOS == "windows" {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// setAside renames an account's file that KOTA cannot use, and returns the new path. If it is a
// regular file of this user, setAside denies others access.
func (f folder) setAside(name string, now time.Time) (string, error) {
	path := f.file(name)
	stem := path + ".bad-" + now.UTC().Format("20060102T150405Z")
	aside := stem
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s-%d", stem, n)
	}
	if err := os.Rename(path, aside); err != nil {
		return "", err
	}
	if info, err := os.Lstat(aside); err == nil && info.Mode().IsRegular() {
		_ = os.Chmod(aside, 0o600) // fails for a file of another user
	}
	_ = syncFolder(string(f)) // if this fails, the old name can return, but only after a crash of the system
	return aside, nil
}

// remove removes the account's file.
func (f folder) remove(name string) error {
	f.removeTempFiles(name)
	if err := os.Remove(f.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = syncFolder(string(f)) // if this fails, the file can return, but only after a crash of the system
	return nil
}

// lock waits, as long as ctx allows, until only this process may change the account. If the
// lock file that it locked was removed meanwhile, it tries again with the new lock file.
func (f folder) lock(ctx context.Context, name string) (unlock func(), err error) {
	path := filepath.Join(string(f), name+".lock")
	for {
		held := flock.New(path, flock.SetPermissions(0o600))
		if _, err := held.TryLockContext(ctx, 10*time.Millisecond); err != nil {
			return nil, err
		}
		locked, err := held.Stat()
		if err != nil {
			held.Close()
			return nil, err
		}
		if current, err := os.Lstat(path); err == nil && os.SameFile(locked, current) {
			return func() { held.Close() }, nil
		}
		held.Close()
	}
}

// removeLock removes the lock file. The caller holds the lock.
func (f folder) removeLock(name string) { os.Remove(filepath.Join(string(f), name+".lock")) }

// defaultName reads the name of the default account. The file needs no check: the name is not
// secret, and only the user can write to the folder.
func (f folder) defaultName() (name string, set bool, err error) {
	raw, err := os.ReadFile(f.defaultFile())
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil || len(raw) > 1<<10 {
		return "", true, nil
	}
	name, err = accountName(string(raw))
	if err != nil {
		return "", true, nil
	}
	return name, true, nil
}

func (f folder) defaultFile() string { return filepath.Join(string(f), "default") }

func (f folder) setDefault(name string) error { return writeFile(f.defaultFile(), []byte(name+"\n")) }

func (f folder) removeDefault() error {
	if err := os.Remove(f.defaultFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
