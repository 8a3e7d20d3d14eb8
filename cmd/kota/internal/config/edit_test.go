package config

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"kota/cmd/kota/internal/safefile"
)

func configFileWith(t *testing.T, text []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bundles.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// flip returns text with a bundle switched.
func flip(t *testing.T, text []byte, key string) []byte {
	t.Helper()
	before, err := effectiveConfig("bundles.yaml", text, testKnown)
	if err != nil {
		t.Fatal(err)
	}
	edited, err := switchBundle("bundles.yaml", text, key, !before.Bundles[key].Enabled, testKnown)
	if err != nil {
		t.Fatalf("switch %s in %q: %v", key, text, err)
	}
	return edited
}

func TestSwitchingBundleKeepsLayout(t *testing.T) {
	t.Parallel()
	const golden = "testdata/edit.txtar"
	archive, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	var updated []txtar.File
	for _, f := range archive.Files {
		name, isYAML := strings.CutSuffix(f.Name, ".yaml")
		if !isYAML {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got := flip(t, flip(t, f.Data, "memory"), "gmail")
			updated = append(updated, f, txtar.File{Name: name + ".edited", Data: got})
			if !*update && string(got) != want[name+".edited"] {
				t.Errorf("-want +got:\n%s", cmp.Diff(want[name+".edited"], string(got)))
			}
			for _, variant := range variants(f.Data) {
				for _, bundle := range testKnown {
					checkSwitching(t, variant, bundle.Key)
				}
			}
		})
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: updated}), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// variants returns text as other editors would save it.
func variants(text []byte) [][]byte {
	crlf := bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	marked := append([]byte(byteOrderMark), text...)
	return [][]byte{text, bytes.TrimSuffix(text, []byte("\n")), crlf, marked, append([]byte(byteOrderMark), crlf...)}
}

// checkSwitching checks the contract of an edit: it changes or adds at most one
// line, and two switches restore the text.
func checkSwitching(t *testing.T, text []byte, key string) {
	t.Helper()
	once := flip(t, text, key)
	if removed, added := changedLines(text, once); removed > 1 || added > 1 {
		t.Errorf("%d lines became %d:\n%q\n%q", removed, added, text, once)
	}
	if got, want := comments(once), comments(text); !reflect.DeepEqual(got, want) {
		t.Errorf("comments %q became %q", want, got)
	}
	if bytes.Count(text, []byte("\r")) == bytes.Count(text, []byte("\n")) != (bytes.Count(once, []byte("\r")) == bytes.Count(once, []byte("\n"))) {
		t.Errorf("line ends were mixed: %q", once)
	}
	twice := flip(t, once, key)
	if thrice := flip(t, twice, key); !bytes.Equal(once, thrice) {
		t.Errorf("switching twice made %q of %q", thrice, once)
	}
	// An inserted setting stays; a setting that was there is restored.
	if inserted := len(twice) > len(text); !inserted && !bytes.Equal(text, twice) {
		t.Errorf("switching twice made %q of %q", twice, text)
	}
}

// changedLines returns how many lines before became how many lines after.
func changedLines(before, after []byte) (removed, added int) {
	a, b := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	same := func(x, y string) bool { return strings.TrimRight(x, "\r\n") == strings.TrimRight(y, "\r\n") }
	for len(a) > 0 && len(b) > 0 && same(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// A last line without an end gets one if a line follows it.
	for len(a) > 0 && len(b) > 0 && same(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	return len(a), len(b)
}

func comments(text []byte) []string {
	var found []string
	for _, line := range strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n") {
		if c := line[len(beforeComment(line)):]; c != "" {
			found = append(found, c)
		}
	}
	return found
}

func TestSwitchingToSameStateChangesNothing(t *testing.T) {
	file := configFileWith(t, []byte("bundles: {memory: on}\n"))
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	for key, enabled := range map[string]bool{"memory": true, "gmail": false} {
		if changed, err := SetBundle(file, key, enabled, testKnown); changed || err != nil {
			t.Errorf("%s: changed %v, error %v", key, changed, err)
		}
	}
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file was replaced (error %v)", err)
	}
}

func TestSwitchingWithoutFileStartsFromDefault(t *testing.T) {
	home := filepath.Join(t.TempDir(), "deep", "home")
	file := filepath.Join(home, "bundles.yaml")
	if changed, err := SetBundle(file, "memory", false, testKnown); !changed || err != nil {
		t.Fatalf("changed %v, error %v", changed, err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(DefaultText), "memory: {enabled: true}", "memory: {enabled: false}", 1)
	if string(got) != want {
		t.Errorf("-want +got:\n%s", cmp.Diff(want, string(got)))
	}
	for path, mode := range map[string]os.FileMode{home: 0o700, file: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: got %v, error %v, want mode %o", path, info.Mode(), err, mode)
		}
	}
}

func TestSwitchingRefusesBadFile(t *testing.T) {
	for _, text := range []string{"", "bundles: {memory: on", "bundels: {}", "bundles: {memory: on, memory: off}", "send: &a ask"} {
		file := configFileWith(t, []byte(text))
		changed, err := SetBundle(file, "gmail", true, testKnown)
		if changed {
			t.Errorf("%q was changed", text)
		}
		wantUsage(t, err)
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%q became %q (error %v)", text, got, err)
		}
	}
}

func TestUnknownBundleSuggestsNearest(t *testing.T) {
	file := configFileWith(t, []byte("{}"))
	_, err := SetBundle(file, "memroy", true, testKnown)
	if err == nil || !strings.HasPrefix(err.Error(), `unknown bundle "memroy" (did you mean memory?); allowed: memory, gmail`) {
		t.Errorf("got %v", err)
	}
}

func TestSwitchingFollowsLinkAndKeepsMode(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "real.yaml"), filepath.Join(folder, "bundles.yaml")
	if err := os.WriteFile(target, []byte("bundles: {memory: on}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(target, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.yaml", link); err != nil {
		t.Fatal(err)
	}
	if changed, err := SetBundle(link, "memory", false, testKnown); !changed || err != nil {
		t.Fatalf("changed %v, error %v", changed, err)
	}
	got, err := os.ReadFile(target)
	if err != nil || string(got) != "bundles: {memory: off}" {
		t.Errorf("got %q, error %v", got, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("got mode %v, error %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone (error %v)", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

func TestDanglingLinkIsNotReplaced(t *testing.T) {
	link := filepath.Join(t.TempDir(), "bundles.yaml")
	if err := os.Symlink("missing.yaml", link); err != nil {
		t.Fatal(err)
	}
	if changed, err := SetBundle(link, "memory", false, testKnown); changed && err == nil {
		t.Error("the link was replaced")
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone (error %v)", err)
	}
}

func FuzzSwitchingIsUndoneBySwitchingBack(f *testing.F) {
	f.Add(DefaultText)
	f.Add([]byte("bundles: {memory: on, 'gmail': {enabled: no}} # x"))
	f.Add([]byte("send: ask\r\nbundles:\r\n  memory:\r\n    enabled: true\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		before, err := effectiveConfig("bundles.yaml", text, testKnown)
		if len(text) > 4<<10 || err != nil {
			return
		}
		on := before.Bundles["memory"].Enabled
		edited, err := switchBundle("bundles.yaml", text, "memory", !on, testKnown)
		if err != nil {
			return // refused; nothing is lost
		}
		back, err := switchBundle("bundles.yaml", edited, "memory", on, testKnown)
		if err != nil {
			t.Fatalf("%q became %q, which cannot be switched back: %v", text, edited, err)
		}
		if after, err := effectiveConfig("bundles.yaml", back, testKnown); err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%q became %q and then %q: error %v", text, edited, back, err)
		}
	})
}

// The temporary file is named after the file it replaces, which may belong to
// another program.
func TestTemporaryFileIsNamedAfterTarget(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "settings.json")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := safefile.Replace(folder, []byte("{}"))
	if err == nil || !strings.Contains(err.Error(), ".settings.json-") {
		t.Errorf("got %v", err)
	}
	if beside, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(beside) != 1 {
		t.Errorf("beside it are %v, %v", beside, err)
	}
}
