package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"kota/bundles"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
)

// maxFileBytes is the size limit, in bytes, for a configuration file of another
// program.
const maxFileBytes = 32 << 20

// EditFile changes the file of another program, prints what it did, and reports
// whether there was anything to change. It replaces the file atomically and
// keeps a copy of the old text beside it. It creates an absent file. It returns
// an error if the file is read-only, is not a regular file, or has changed
// meanwhile. A dry run only prints what would change.
func EditFile(report io.Writer, now time.Time, file string, dryRun bool, change func([]byte) ([]byte, error)) (bool, error) {
	text, edited, mode, err := Plan(file, change)
	if err != nil {
		return false, err
	}
	if bytes.Equal(edited, text) {
		return false, nil
	}
	if dryRun {
		fmt.Fprintf(report, "%s would change:\n%s", bundles.Visible(file), changedLines(text, edited))
		return true, nil
	}
	if mode == 0 {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return false, fmt.Errorf("make the folder of %s: %w", file, err)
		}
		if err := safefile.Create(file, func(w io.Writer) error { _, err := w.Write(edited); return err }); err != nil {
			return false, err // it may have been created meanwhile
		}
		fmt.Fprintf(report, "made %s\n", bundles.Visible(file))
		return true, nil
	}
	backupPath, forget, err := backUp(now, file, text, mode)
	if err != nil {
		return false, err
	}
	if since, _, err := ReadFile(file); err != nil || !bytes.Equal(since, text) {
		return false, errors.Join(fmt.Errorf("%s was changed by another program at the same time; nothing was written, try again", file), err, forget())
	}
	if err := safefile.Replace(file, edited); err != nil {
		return false, errors.Join(err, forget())
	}
	fmt.Fprintf(report, "changed %s; the previous version is kept as %s\n", bundles.Visible(file), bundles.Visible(filepath.Base(backupPath)))
	return true, nil
}

// Plan returns the text of a file, the edited text, and the file's mode, which
// is 0 if the file is absent. It writes nothing.
func Plan(file string, change func([]byte) ([]byte, error)) (text, edited []byte, mode fs.FileMode, err error) {
	text, mode, err = ReadFile(file)
	if err != nil {
		return nil, nil, 0, err
	}
	if mode != 0 && mode&0o200 == 0 {
		return nil, nil, 0, mistake.Errorf("%s is read-only (mode %04o), and is left as it is; make it writable with `chmod u+w`, or name another with --file", file, mode)
	}
	if edited, err = change(text); err != nil {
		return nil, nil, 0, mistake.Errorf("%s: %v; it was not changed", file, err)
	}
	return text, edited, mode, nil
}

// ReadFile reads a file of another program and its mode. The mode is 0 if the
// file is absent. ReadFile never blocks on a pipe.
func ReadFile(file string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(file); err == nil {
			return nil, 0, mistake.Errorf("%s is a link to a file that does not exist; make that file, or remove the link", file)
		}
		return nil, 0, nil
	}
	if errors.Is(err, syscall.ELOOP) {
		return nil, 0, mistake.Errorf("%s is a link that points to itself; remove it", file)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("look at %s: %w", file, err)
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, 0, mistake.Errorf("%s is not a file", file)
	case info.Size() > maxFileBytes:
		return nil, 0, mistake.Errorf("%s has %d MB, which is too large for a configuration", file, info.Size()>>20)
	}
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a pipe by now
	if err != nil {
		return nil, 0, fmt.Errorf("read: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes))
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", file, err)
	}
	return text, info.Mode().Perm(), nil
}

// backUp copies the text of a file to a new file beside it, unless such a copy
// exists already. It returns the path of the copy, and a function that removes
// the copy if backUp made it.
func backUp(now time.Time, file string, text []byte, mode fs.FileMode) (path string, forget func() error, err error) {
	if path := existingBackup(file, text); path != "" {
		return path, func() error { return nil }, nil
	}
	path = file + backupInfix + now.UTC().Format("20060102T150405.000")
	backup, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", nil, fmt.Errorf("back up %s: %w", file, err)
	}
	_, err = backup.Write(text)
	if err := errors.Join(err, backup.Sync(), backup.Close()); err != nil {
		return "", nil, errors.Join(fmt.Errorf("back up %s: %w", file, err), os.Remove(path))
	}
	return path, func() error { return os.Remove(path) }, nil
}

// backupInfix is between the name of a file and the time of its copy.
const backupInfix = ".before-kota-"

// existingBackup returns the path of an existing copy of the text beside the
// file, or "" if there is none. It ignores copies that cannot be read, so that
// the text is copied again.
func existingBackup(file string, text []byte) string {
	candidates, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return ""
	}
	for _, candidate := range candidates {
		if !candidate.Type().IsRegular() || !strings.HasPrefix(candidate.Name(), filepath.Base(file)+backupInfix) {
			continue
		}
		path := filepath.Join(filepath.Dir(file), candidate.Name())
		if copied, _, err := ReadFile(path); err == nil && bytes.Equal(copied, text) {
			return path
		}
	}
	return ""
}

// changedLines returns the old and new lines between the first and the last
// difference, marked with - and +.
func changedLines(before, after []byte) string {
	old, new := linesOf(before), linesOf(after)
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		old, new = old[1:], new[1:]
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	var out strings.Builder
	for _, line := range old {
		fmt.Fprintf(&out, "- %s\n", bundles.Visible(strings.ReplaceAll(line, "\t", "    ")))
	}
	for _, line := range new {
		fmt.Fprintf(&out, "+ %s\n", bundles.Visible(strings.ReplaceAll(line, "\t", "    ")))
	}
	return out.String()
}

func linesOf(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// ThisMachine returns the machine that KOTA runs on, with these environment
// variables.
func ThisMachine(env func(string) string) (Machine, error) {
	home := env("HOME")
	if runtime.GOOS == "windows" {
		home = env("USERPROFILE")
	}
	if home == "" {
		return Machine{}, mistake.Errorf("the home folder is unknown: set HOME, or name the file with --file")
	}
	return Machine{OS: runtime.GOOS, Home: home, Env: env, Exists: exists, Names: namesIn}, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// namesIn returns the names in the folder, or nil if it cannot be read.
func namesIn(folder string) (names []string) {
	all, _ := os.ReadDir(folder)
	for _, entry := range all {
		names = append(names, entry.Name())
	}
	return names
}
