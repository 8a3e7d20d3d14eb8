package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/auth"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
)

// maxConfigBytes is the size limit for bundles.yaml. The built-in file, which
// shows every key, has four kilobytes. The YAML parser takes quadratic time for
// some inputs. With this limit and maxConfigTokens, the parser always needs well
// under a second.
const maxConfigBytes = 64 << 10

// readConfig returns the bytes of a bundles.yaml. A missing file gives
// fs.ErrNotExist; every other error is a *mistake.Error. A file does not
// count as missing if it is a dangling link, or exists with the other extension.
// readConfig does not block on a pipe, and refuses a file above the limit.
func readConfig(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		if mistaken := misplacedConfig(file); mistaken != nil {
			return nil, mistaken
		}
		return nil, err
	}
	if err != nil {
		return nil, readError(file, err)
	}
	if err := checkConfigMode(file); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		kind := "not a regular file"
		if info.IsDir() {
			kind = "a folder"
		}
		return nil, mistake.Errorf("%s is %s; name a YAML file", file, kind)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, readError(file, err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxConfigBytes+1))
	if err != nil {
		return nil, readError(file, err)
	}
	if len(raw) > maxConfigBytes {
		return nil, mistake.Errorf("%s:1: the file is too large; allowed: at most %d KiB", file, maxConfigBytes>>10)
	}
	return raw, nil
}

// misplacedConfig returns an error if an absent file is a dangling link, or
// exists with the other extension. The defaults must not apply then, because
// they may allow what the user's file refuses.
func misplacedConfig(file string) error {
	if link := danglingLink(file); link != "" {
		return mistake.Errorf("%s is a link to a file that does not exist; restore that file (for example, connect its disk) or remove the link", link)
	}
	if other := OtherExtension(file); other != "" {
		return mistake.Errorf("KOTA does not read %s; rename it to %s", other, filepath.Base(file))
	}
	return nil
}

// danglingLink returns the path of the dangling link at path or above it, or ""
// if there is none.
func danglingLink(path string) string {
	for {
		above := filepath.Dir(path)
		if _, err := os.Lstat(path); err == nil || above == path {
			break
		}
		path = above
	}
	if safefile.IsDanglingLink(path) {
		return path
	}
	return ""
}

// OtherExtension returns the file that differs from file only in the extension:
// .yml instead of .yaml, or .yaml instead of .yml. It returns "" if there is none.
func OtherExtension(file string) string {
	plain, found := strings.CutSuffix(file, ".yaml")
	other := plain + ".yml"
	if !found {
		if plain, found = strings.CutSuffix(file, ".yml"); !found {
			return ""
		}
		other = plain + ".yaml"
	}
	if _, err := os.Lstat(other); err != nil {
		return ""
	}
	return other
}

// checkConfigMode refuses a bundles.yaml that others may write or replace,
// because it says what may be sent without a question. Others may read it.
func checkConfigMode(file string) error {
	paths := []string{filepath.Dir(file), file}
	if target, err := filepath.EvalSymlinks(file); err == nil && target != file {
		paths = append(paths, filepath.Dir(target))
	}
	for _, path := range paths {
		if err := auth.CheckProtected(path); err != nil {
			return mistake.Errorf("%v", err)
		}
	}
	return nil
}

func readError(file string, err error) error {
	return mistake.Errorf("%s; KOTA needs a YAML file that you may read", mistake.FileProblem(err, file))
}

const byteOrderMark = "\uFEFF"

// configText returns raw without a byte order mark and with plain line ends.
func configText(raw []byte) string {
	text := strings.TrimPrefix(string(raw), byteOrderMark)
	return strings.ReplaceAll(text, "\r\n", "\n")
}

var blockText = regexp.MustCompile(`(^|[\s:-])[|>][-+0-9]*\s*$`)

// textProblems returns the problems that can be found before the YAML is
// parsed. It refuses merge keys and block text although they are valid YAML. No
// setting needs them, and the parser takes seconds for some of them.
func textProblems(raw []byte) []problem {
	if bytes.HasPrefix(raw, []byte("\xFF\xFE")) || bytes.HasPrefix(raw, []byte("\xFE\xFF")) {
		return []problem{{1, "the text is UTF-16; allowed: UTF-8"}}
	}
	var found []problem
	for i, line := range strings.Split(configText(raw), "\n") {
		bare := strings.TrimRight(beforeComment(line), " \t")
		control := strings.IndexFunc(line, isControl)
		switch {
		case !utf8.ValidString(line):
			found = append(found, problem{i + 1, "the text is not UTF-8; allowed: UTF-8"})
		case control >= 0:
			r, _ := utf8.DecodeRuneInString(line[control:])
			found = append(found, problem{i + 1, fmt.Sprintf("there is the control character %U; allowed: printable text", r)})
		case strings.Contains(bare, "\t"):
			found = append(found, problem{i + 1, "there is a tab; allowed: spaces"})
		case strings.Contains(bare, "<<"):
			found = append(found, problem{i + 1, "merge keys (<<) are not used here; allowed: the values written out"})
		case strings.ContainsAny(bare, "|>") && blockText.MatchString(bare):
			found = append(found, problem{i + 1, "block text (| or >) is not used here; allowed: the value on one line"})
		}
	}
	return found
}

// beforeComment returns the line without its comment.
func beforeComment(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || strings.IndexByte(" \t\f\r", line[i-1]) >= 0) {
			return line[:i]
		}
	}
	return line
}

func isControl(r rune) bool { return r != '\t' && unicode.IsControl(r) }
