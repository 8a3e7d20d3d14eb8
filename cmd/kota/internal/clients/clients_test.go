package clients

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	difference "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the files of testdata")

var example = Entry{Command: "/usr/local/bin/kota", Args: []string{"serve"}}

// TestAddAndRemoveChangeOnlyTheEntry runs the files of testdata. Each
// has the client's file before, with the entry, and after its removal. A file
// whose layout cannot be edited contains the error instead.
func TestAddAndRemoveChangeOnlyTheEntry(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			played := &txtar.Archive{Comment: archive.Comment}
			name, _, _ := strings.Cut(filepath.Base(path), "_")
			client, ok := Find(strings.TrimSuffix(name, ".txtar"))
			if !ok {
				t.Fatalf("no client %q", name)
			}
			for _, file := range archive.Files {
				if !strings.HasSuffix(file.Name, "before") {
					continue
				}
				played.Files = append(played.Files, file)
				step := func(name string, text []byte, err error) {
					if err != nil {
						text = []byte(err.Error() + "\n")
					}
					if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
						text = append(bytes.Clone(text), '\n')
					}
					played.Files = append(played.Files, txtar.File{Name: strings.TrimSuffix(file.Name, "before") + name, Data: text})
				}
				added, err := client.Add(file.Data, "kota", example)
				step("added", added, err)
				if err != nil {
					continue
				}
				again, err := client.Add(added, "kota", example)
				if err != nil || !bytes.Equal(again, added) {
					t.Errorf("%s: adding it again makes of it %s, %v", file.Name, again, err)
				}
				removed, was, err := client.Remove(added, "kota")
				if !was {
					t.Errorf("%s: what was added is not there", file.Name)
				}
				if bytes.Equal(removed, file.Data) {
					continue
				}
				step("removed", removed, err)
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(played), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := difference.Diff(string(txtar.Format(archive)), string(txtar.Format(played))); diff != "" {
				t.Errorf("%s (-want +got, -update rewrites it):\n%s", path, diff)
			}
		})
	}
}

func TestUnreadableFileIsRefused(t *testing.T) {
	for client, texts := range map[string][]string{
		"cursor": {"{", "[]", "nothing", `{"mcpServers": []}`, `{"mcpServers": {"kota": 3}}`, `{"mcpServers": {}, "mcpServers": {}}`, "{} {}"},
		"codex":  {"[", "a = ", "mcp_servers = 3", "[[mcp_servers]]", "mcp_servers = {other = {command = 'x'}}", "[mcp_servers]\nkota = {command = 'x'}", "mcp_servers.kota.command = 'x'"},
	} {
		c, _ := Find(client)
		for _, text := range texts {
			if got, err := c.Add([]byte(text), "kota", example); err == nil {
				t.Errorf("%s made of %q %q", client, text, got)
			}
		}
	}
}

func TestLayoutErrorNamesLayout(t *testing.T) {
	c, _ := Find("cursor")
	for text, output := range map[string]string{
		`{"mcpServers": []}`:            ": mcpServers is not an object",
		`{"mcpServers": {"kota": "x"}}`: ": mcpServers.kota is not an object",
	} {
		if _, err := c.Add([]byte(text), "kota", example); !errors.Is(err, ErrLayout) || !strings.HasSuffix(err.Error(), output) {
			t.Errorf("%s: got %v, want ErrLayout%s", text, err, output)
		}
	}
}

// A reason names what is wrong with the file, not the library that found it.
func TestErrorsNameTheFilesProblem(t *testing.T) {
	const tables = "its layout cannot be edited safely: mcp_servers, or the entry, is an inline value, and KOTA only writes tables such as [mcp_servers.kota]"
	for _, c := range []struct{ client, text, add, remove string }{
		{"cursor", "{\n  \"a\": ,\n}", "it is not JSON: line 2, column 8: ", "it is not JSON: line 2, column 8: "},
		{"cursor", "[]", "it is not a JSON object, but an array", "it is not a JSON object, but an array"},
		{"cursor", "\"kota\"", "it is not a JSON object, but a text", "it is not a JSON object, but a text"},
		{"cursor", "3", "it is not a JSON object, but a number", "it is not a JSON object, but a number"},
		{"cursor", "null", "it is not a JSON object, but null", "it is not a JSON object, but null"},
		{"codex", "a = ", "it is not TOML: ", "it is not TOML: "},
		{"codex", "mcp_servers = {kota = {command = 'x'}}", tables, tables},
		{"codex", "[mcp_servers]\nkota = {command = 'x'}", tables, tables},
		{"codex", "mcp_servers.kota.command = 'x'", tables, tables},
		{"codex", "mcp_servers = {other = {command = 'x'}}", tables, ""},
		{"codex", "mcp_servers = 3", tables, ""},
	} {
		client, _ := Find(c.client)
		_, added := client.Add([]byte(c.text), "kota", example)
		_, _, removed := client.Remove([]byte(c.text), "kota")
		for step, got := range map[string]struct {
			err  error
			want string
		}{"add": {added, c.add}, "remove": {removed, c.remove}} {
			if got.want == "" && got.err == nil {
				continue
			}
			if got.err == nil || got.want == "" || !strings.HasPrefix(got.err.Error(), got.want) || strings.Contains(got.err.Error(), "hujson") || strings.Contains(got.err.Error(), "toml:") || strings.Contains(got.err.Error(), "interface") {
				t.Errorf("%s %q: got %v, want %q", step, c.text, got.err, got.want)
			}
		}
	}
}

// KOTA accepts what editors leave in a file: a comment without a line end, null
// instead of an object, and the byte order mark of Windows.
func TestEditorArtifactsAreAccepted(t *testing.T) {
	const entry = "[mcp_servers.kota]\nargs = ['serve']\ncommand = '/usr/local/bin/kota'\n"
	for _, c := range []struct{ client, before, added, removed string }{
		{"cursor", "{\n}\n// mine", "", "{\n  \"mcpServers\": {}\n}\n// mine"},
		{"cursor", "{\n  \"mcpServers\": {}, // one\n}// mine", "", ""},
		{"cursor", `{"mcpServers": null}`, "", `{"mcpServers": {}}`},
		{"cursor", `{"mcpServers": {"kota": null}}`, "", `{"mcpServers": {}}`},
		{"codex", "\ufeffa = 1\n", "\ufeffa = 1\n\n" + entry, ""},
		{"codex", "\ufeff", "\ufeff" + entry, ""},
		{"codex", "\ufeff[mcp_servers.kota]\ncommand = 'old'\n[x]\n", "\ufeff" + entry + "[x]\n", "\ufeff[x]\n"},
	} {
		client, _ := Find(c.client)
		added, err := client.Add([]byte(c.before), "kota", example)
		if err != nil || c.added != "" && string(added) != c.added {
			t.Errorf("%q becomes %q, %v", c.before, added, err)
			continue
		}
		if got, exists, err := client.Read(added, "kota"); err != nil || !exists || got.Command != example.Command {
			t.Errorf("%q reads %+v, %v", added, got, err)
		}
		removed, _, err := client.Remove(added, "kota")
		if want := cmp.Or(c.removed, c.before); err != nil || string(removed) != want {
			t.Errorf("taken out again, %q becomes %q, %v, want %q", added, removed, err, want)
		}
	}
}

// Comments after the entry's table do not belong to it, whether at the end of
// the file or before another table.
func TestCommentsAfterTableStay(t *testing.T) {
	const (
		old    = "[mcp_servers.kota]\ncommand = 'old'\n"
		behind = "\n# [mcp_servers.files]\n# command = 'npx'\n\n# the last word"
	)
	c, _ := Find("codex")
	for _, before := range []string{"", "\ufeff", "model = 'x'\n\n", "\ufeff# first\n"} {
		added, err := c.Add([]byte(before+old+behind), "kota", example)
		if want := before + "[mcp_servers.kota]\nargs = ['serve']\ncommand = '/usr/local/bin/kota'\n" + behind; err != nil || string(added) != want {
			t.Errorf("it becomes %q, %v, want %q", added, err, want)
		}
		removed, _, err := c.Remove(added, "kota")
		if err != nil || !strings.HasPrefix(string(removed), strings.TrimSpace(before)) || !strings.HasSuffix(string(removed), strings.TrimSpace(behind)) {
			t.Errorf("without it: %q, %v", removed, err)
		}
	}
}

// A table that becomes empty is removed if the file has other settings. It
// stays if it is alone, as clients create files, or if it has a comment of the
// user.
func TestEmptyTableIsRemovedUnlessCommented(t *testing.T) {
	const kota = `"kota": {"command": "kota"}`
	c, _ := Find("zed")
	for before, want := range map[string]string{
		`{"context_servers": {` + kota + `}}`:                                                                      `{"context_servers": {}}`,
		`{"context_servers": {` + kota + `}, "theme": "x"}`:                                                        `{ "theme": "x"}`,
		`{"theme": "x", "context_servers": {` + kota + `,},}`:                                                      `{"theme": "x",}`,
		`{"theme": "x", "context_servers": {` + kota + `, "files": {}}}`:                                           `{"theme": "x", "context_servers": { "files": {}}}`,
		`{"theme": "x", "context_servers": {` + kota + ` /* mine */}}`:                                             `{"theme": "x", "context_servers": { /* mine */}}`,
		`{"theme": "x", "context_servers": /* mine */ {` + kota + `}}`:                                             `{"theme": "x", "context_servers": /* mine */ {}}`,
		`{"theme": "x", "context_servers": {` + kota + `}, "context_servers2": {}}`:                                `{"theme": "x", "context_servers2": {}}`,
		"{\r\n\t\"theme\": \"x\",\r\n\t// servers\r\n\t\"context_servers\": {\r\n\t\t" + kota + "\r\n\t}\r\n}\r\n": "{\r\n\t\"theme\": \"x\"\r\n\t// servers\r\n}\r\n",
	} {
		if got, was, err := c.Remove([]byte(before), "kota"); err != nil || !was || string(got) != want {
			t.Errorf("%s\nbecomes %q, %v, want %q", before, got, err, want)
		}
	}
}

func TestDisabledEntryStaysDisabled(t *testing.T) {
	for client, texts := range map[string]map[string]bool{
		"windsurf": {`{"mcpServers": {"kota": {"command": "x", "disabled": true}}}`: true, `{"mcpServers": {"kota": {"command": "x", "disabled": false}}}`: false},
		"codex":    {"[mcp_servers.kota]\ncommand = 'x'\nenabled = false\n": true, "[mcp_servers.kota]\ncommand = 'x'\n": false},
	} {
		c, _ := Find(client)
		for text, off := range texts {
			added, err := c.Add([]byte(text), "kota", example)
			if err != nil {
				t.Fatal(err)
			}
			if got, _, err := c.Read(added, "kota"); err != nil || got.Off != off {
				t.Errorf("%s: %q reads %+v, %v", client, added, got, err)
			}
		}
	}
}

// FuzzOtherSettingsStay adds and removes the entry in any readable
// configuration. Both must leave all other settings. The added entry reads as
// given, and its removal leaves nothing except blank space.
func FuzzOtherSettingsStay(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(strings.HasPrefix(filepath.Base(path), "codex"), file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, isTOML bool, text []byte) {
		name := "zed"
		if isTOML {
			name = "codex"
		}
		c, _ := Find(name)
		added, err := c.Add(text, "kota", example)
		if err != nil {
			return
		}
		if got, exists, err := c.Read(added, "kota"); err != nil || !exists || got.Command != example.Command || !difference.Equal(got.Args, example.Args) {
			t.Fatalf("%q reads as %+v, %t, %v", added, got, exists, err)
		}
		removed, was, err := c.Remove(added, "kota")
		if err != nil || !was {
			t.Fatalf("%q cannot be removed from: %q, %v", added, removed, err)
		}
		before, err := c.format.decode(text)
		if err != nil {
			t.Fatal(err)
		}
		servers, _ := before[c.table].(map[string]any)
		if _, exists := before[c.table]; len(before) > 0 && !exists || len(servers) > 0 && servers["kota"] == nil {
			if blank := regexp.MustCompile(`\s`); blank.ReplaceAllString(string(removed), "") != blank.ReplaceAllString(string(text), "") {
				t.Fatalf("%q comes back as %q", text, removed)
			}
		}
	})
}
