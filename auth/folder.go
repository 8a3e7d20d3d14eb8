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

// A folder is where the accounts' files are.
type folder string

const maxName = 128

// nameForm leaves the length aside: an expression that counts so far takes
// longer to compile than all the others of this package.
var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9@._+'-]*$`)

// deviceForm is what Windows takes for a device, whatever follows the dot.
var deviceForm = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// accountName returns the name under which an account is kept, or ErrBadName.
// Upper and lower case are one: file systems differ about them.
func accountName(text string) (string, error) {
	name := strings.ToLower(strings.TrimSpace(text))
	if len(name) > maxName || !nameForm.MatchString(name) || deviceForm.MatchString(name) {
		return "", fmt.Errorf("account %q: %w", text, ErrBadName)
	}
	return name, nil
}

func (f folder) file(name string) string { return filepath.Join(string(f), name+".json") }

// prepare makes the folder. It refuses one in which others could replace files.
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

// names lists the accounts that have a file; none when there is no folder.
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

// read returns the account's file and which file it was. It returns
// fs.ErrNotExist, *UnsafeError or *CorruptError.
func (f folder) read(name string) (record, fs.FileInfo, error) {
	if err := f.check(); err != nil {
		return record{}, nil, err
	}
	path := f.file(name)
	raw, info, err := readPrivate(path, maxRecord)
	if err != nil && !errors.Is(err, errTooLarge) {
		return record{}, info, err
	}
	var r record
	if err == nil {
		r, err = parseRecord(name, raw)
	}
	if err != nil {
		return record{}, info, &CorruptError{Account: name, Path: path, Why: err.Error()}
	}
	return r, info, nil
}

// write stores the account. The caller has its lock, so that what a write
// left behind that did not end can be swept up.
func (f folder) write(r record) error {
	f.sweep(r.Name)
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(f.file(r.Name), append(raw, '\n'))
}

// sweep removes what writes of the account left behind that were killed.
func (f folder) sweep(name string) {
	left, _ := filepath.Glob(filepath.Join(globEscape(string(f)), "."+name+".json.*.tmp"))
	for _, path := range left {
		os.Remove(path)
	}
}

// globEscape makes every character of path stand for itself. On Windows that
// cannot be written, and the characters are rare in paths.
func globEscape(path string) string {
	if runtime.GOOS == "windows" {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// setAside keeps an account's file, which cannot be used, under a name of its
// own, and returns that. A plain file of this user's is closed to others.
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
		_ = os.Chmod(aside, 0o600) // not possible for what belongs to another user
	}
	return aside, syncFolder(string(f))
}

// remove forgets the account's file.
func (f folder) remove(name string) error {
	f.sweep(name)
	if err := os.Remove(f.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncFolder(string(f))
}

// lock waits, as long as ctx allows, until this process alone may change the account.
// Whoever got the lock file of a removed account tries again with the new one.
func (f folder) lock(ctx context.Context, name string) (unlock func(), err error) {
	path := filepath.Join(string(f), name+".lock")
	for {
		held := flock.New(path, flock.SetPermissions(0o600))
		if _, err := held.TryLockContext(ctx, 10*time.Millisecond); err != nil {
			return nil, err
		}
		mine, err := held.Stat()
		if err != nil {
			held.Close()
			return nil, err
		}
		if there, err := os.Lstat(path); err == nil && os.SameFile(mine, there) {
			return func() { held.Close() }, nil
		}
		held.Close()
	}
}

// forgetLock removes the file of a lock that the caller holds.
func (f folder) forgetLock(name string) { os.Remove(filepath.Join(string(f), name+".lock")) }

// chosen returns the name of the default account and whether one was chosen; "" is an
// unreadable one. It is no secret, in a folder that only the user can write.
func (f folder) chosen() (name string, set bool) {
	raw, err := os.ReadFile(f.choice())
	if errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	if err != nil || len(raw) > 1<<10 {
		return "", true
	}
	name, err = accountName(string(raw))
	if err != nil {
		return "", true
	}
	return name, true
}

func (f folder) choice() string { return filepath.Join(string(f), "default") }

func (f folder) choose(name string) error { return writeFile(f.choice(), []byte(name+"\n")) }
