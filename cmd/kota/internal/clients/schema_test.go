package clients

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestEntriesMatchClientDocumentation reads each file again, both a new
// file and a file with another server. It checks the entry against the client's
// documentation.
func TestEntriesMatchClientDocumentation(t *testing.T) {
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
				got, exists, err := c.Read(text, "kota")
				if err != nil || !exists || got.Command != full.Command || got.Env["KOTA_HOME"] != full.Env["KOTA_HOME"] || len(got.Args) != 3 {
					t.Errorf("it reads as %+v, %t, %v", got, exists, err)
				}
			}
		})
	}
}

// TestFilesAreWhereClientsLook checks the places that the clients'
// documentation names.
func TestFilesAreWhereClientsLook(t *testing.T) {
	none := func(string) string { return "" }
	moved := func(name string) string {
		return map[string]string{"XDG_CONFIG_HOME": "/x", "CODEX_HOME": "/codex", "CLAUDE_CONFIG_DIR": "/claude", "APPDATA": "/roaming"}[name]
	}
	on := func(os string, env func(string) string, existing ...string) Machine {
		return Machine{os, "/h", env, func(path string) bool { return slices.Contains(existing, filepath.ToSlash(path)) }, func(folder string) (names []string) {
			for _, path := range existing {
				if rest, in := strings.CutPrefix(path, filepath.ToSlash(folder)+"/"); in {
					name, _, _ := strings.Cut(rest, "/")
					names = append(names, name)
				}
			}
			return names
		}}
	}
	const msix = "/h/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json"
	for _, test := range []struct {
		client string
		place  Machine
		want   string
	}{
		{"claude-desktop", on("windows", none, "/h/AppData/Local/Packages/Claude_pzs8sxrjxfjjc", "/h/AppData/Roaming/Claude/claude_desktop_config.json"), msix},
		{"claude-desktop", on("windows", none, "/h/AppData/Local/Packages/Claude_old", msix), msix},
		{"claude-desktop", on("windows", none, "/h/AppData/Local/Packages/Other_x"), "/h/AppData/Roaming/Claude/claude_desktop_config.json"},
		{"windsurf", on("linux", none), "/h/.config/devin/mcp_config.json"},
		{"windsurf", on("windows", moved), "/roaming/devin/mcp_config.json"},
		{"windsurf", on("linux", none, "/h/.codeium/windsurf"), "/h/.codeium/windsurf/mcp_config.json"},
		{"windsurf", on("linux", none, "/h/.codeium/windsurf/mcp_config.json", "/h/.config/devin"), "/h/.codeium/windsurf/mcp_config.json"},
		{"windsurf", on("linux", none, "/h/.codeium/windsurf/mcp_config.json", "/h/.config/devin/mcp_config.json"), "/h/.config/devin/mcp_config.json"},
		{"antigravity", on("linux", none), "/h/.gemini/config/mcp_config.json"},
		{"antigravity", on("linux", none, "/h/.gemini/antigravity/mcp_config.json"), "/h/.gemini/antigravity/mcp_config.json"},
		{"amp", on("windows", moved), "/h/.config/amp/settings.json"},
		{"cline", on("linux", none), "/h/.cline/data/settings/cline_mcp_settings.json"},
		{"cline", on("linux", none, "/h/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"), "/h/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
		{"roo", on("darwin", none), "/h/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"},
		{"copilot-cli", on("linux", none), "/h/.copilot/mcp-config.json"},
		{"lm-studio", on("darwin", none), "/h/.lmstudio/mcp.json"},
		{"kiro", on("linux", none), "/h/.kiro/settings/mcp.json"},
		{"opencode", on("linux", none), "/h/.config/opencode/opencode.json"},
		{"opencode", on("linux", none, "/h/.config/opencode/opencode.jsonc"), "/h/.config/opencode/opencode.jsonc"},
		{"goose", on("darwin", none), "/h/.config/goose/config.yaml"},
		{"goose", on("windows", moved), "/roaming/Block/goose/config/config.yaml"},
		{"vscode-insiders", on("linux", none), "/h/.config/Code - Insiders/User/mcp.json"},
		{"jetbrains", on("linux", none), "/h/.junie/mcp/mcp.json"},
		{"claude-desktop", on("linux", none), "/h/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", on("darwin", none), "/h/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", on("windows", none), "/h/AppData/Roaming/Claude/claude_desktop_config.json"},
		{"claude-desktop", on("windows", moved), "/roaming/Claude/claude_desktop_config.json"},
		{"claude-code", on("linux", none), "/h/.claude.json"},
		{"claude-code", on("linux", moved), "/claude/.claude.json"},
		{"vscode", on("linux", none), "/h/.config/Code/User/mcp.json"},
		{"vscode", on("darwin", none), "/h/Library/Application Support/Code/User/mcp.json"},
		{"cursor", on("linux", none), "/h/.cursor/mcp.json"},
		{"gemini-cli", on("linux", none), "/h/.gemini/settings.json"},
		{"codex", on("linux", none), "/h/.codex/config.toml"},
		{"codex", on("linux", moved), "/codex/config.toml"},
		{"windsurf", on("linux", none), "/h/.config/devin/mcp_config.json"},
		{"zed", on("linux", moved), "/x/zed/settings.json"},
		{"zed", on("darwin", none), "/h/.config/zed/settings.json"},
		{"zed", on("windows", moved), "/roaming/Zed/settings.json"},
	} {
		c, ok := Find(test.client)
		if got := filepath.ToSlash(c.File(test.place)); !ok || got != test.want {
			t.Errorf("%s on %s is at %q, want %q", test.client, test.place.OS, got, test.want)
		}
	}
}

// TestUserVariablesStay updates an entry that has variables of its user
// and an earlier home.
func TestUserVariablesStay(t *testing.T) {
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
