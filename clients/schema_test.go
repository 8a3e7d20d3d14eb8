package clients

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestEveryEntryFitsWhatItsClientDocuments reads each file back, new and with
// another server in it, by what the client's documentation says of it.
func TestEveryEntryFitsWhatItsClientDocuments(t *testing.T) {
	full := Entry{Command: `C:\Program Files\kota.exe`, Args: []string{"--profile", "read-only", "serve"}, Env: map[string]string{"KOTA_HOME": "/home/ann/kota & co"}}
	for _, c := range All() {
		t.Run(c.Name, func(t *testing.T) {
			schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "schema", c.Name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			other, err := c.Add(nil, "other", Entry{Command: "/bin/true"})
			if err != nil {
				t.Fatal(err)
			}
			for _, before := range [][]byte{nil, other} {
				text, err := c.Add(before, "kota", full)
				if err != nil {
					t.Fatal(err)
				}
				all, err := c.format.decode(text)
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(all); err != nil {
					t.Errorf("%s\n%v", text, err)
				}
				got, there, err := c.Read(text, "kota")
				if err != nil || !there || got.Command != full.Command || got.Env["KOTA_HOME"] != full.Env["KOTA_HOME"] || len(got.Args) != 3 {
					t.Errorf("it reads as %+v, %t, %v", got, there, err)
				}
			}
		})
	}
}

// TestFilesAreWhereClientsLook holds the places that the clients' documentation
// names.
func TestFilesAreWhereClientsLook(t *testing.T) {
	none := func(string) string { return "" }
	moved := func(name string) string {
		return map[string]string{"XDG_CONFIG_HOME": "/x", "CODEX_HOME": "/codex", "CLAUDE_CONFIG_DIR": "/claude", "APPDATA": "/roaming"}[name]
	}
	for _, test := range []struct {
		client string
		place  Place
		want   string
	}{
		{"claude-desktop", Place{"linux", "/h", none}, "/h/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", Place{"darwin", "/h", none}, "/h/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", Place{"windows", "/h", none}, "/h/AppData/Roaming/Claude/claude_desktop_config.json"},
		{"claude-desktop", Place{"windows", "/h", moved}, "/roaming/Claude/claude_desktop_config.json"},
		{"claude-code", Place{"linux", "/h", none}, "/h/.claude.json"},
		{"claude-code", Place{"linux", "/h", moved}, "/claude/.claude.json"},
		{"vscode", Place{"linux", "/h", none}, "/h/.config/Code/User/mcp.json"},
		{"vscode", Place{"darwin", "/h", none}, "/h/Library/Application Support/Code/User/mcp.json"},
		{"cursor", Place{"linux", "/h", none}, "/h/.cursor/mcp.json"},
		{"gemini-cli", Place{"linux", "/h", none}, "/h/.gemini/settings.json"},
		{"codex", Place{"linux", "/h", none}, "/h/.codex/config.toml"},
		{"codex", Place{"linux", "/h", moved}, "/codex/config.toml"},
		{"windsurf", Place{"linux", "/h", none}, "/h/.codeium/windsurf/mcp_config.json"},
		{"zed", Place{"linux", "/h", moved}, "/x/zed/settings.json"},
		{"zed", Place{"darwin", "/h", none}, "/h/.config/zed/settings.json"},
		{"zed", Place{"windows", "/h", moved}, "/roaming/Zed/settings.json"},
	} {
		c, ok := Find(test.client)
		if got := filepath.ToSlash(c.File(test.place)); !ok || got != test.want {
			t.Errorf("%s on %s is at %q, want %q", test.client, test.place.OS, got, test.want)
		}
	}
}

// TestVariablesOfTheUserStay has an entry brought up to date to which its user has
// added variables, and in which an earlier home stands.
func TestVariablesOfTheUserStay(t *testing.T) {
	old := Entry{Command: "/old", Args: []string{"serve"}, Env: map[string]string{"KOTA_HOME": "/h", "HTTPS_PROXY": "http://127.0.0.1:1", "KOTA_CONFIG": "/c"}}
	for _, c := range All() {
		text, err := c.Add(nil, "kota", old)
		if err != nil {
			t.Fatal(err)
		}
		text, err = c.Add(text, "kota", Entry{Command: "/new", Args: []string{"serve"}, Env: map[string]string{"KOTA_HOME": "", "KOTA_CONFIG": "/c2"}})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		got, _, err := c.Read(text, "kota")
		want := map[string]string{"HTTPS_PROXY": "http://127.0.0.1:1", "KOTA_CONFIG": "/c2"}
		if err != nil || got.Command != "/new" || !maps.Equal(got.Env, want) {
			t.Errorf("%s: %v, %+v, want %v in\n%s", c.Name, err, got, want, text)
		}
	}
}
