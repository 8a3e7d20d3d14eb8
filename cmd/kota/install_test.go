package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/cmd/kota/internal/clients"
)

// entryTables name the table of entries in each client's file, if it is not
// mcpServers.
var entryTables = map[string]string{"amp": "amp.mcpServers", "opencode": "mcp", "vscode": "servers", "vscode-insiders": "servers", "zed": "context_servers"}

// fileWith returns a client's file with that entry kota, given as JSON.
func fileWith(client, entry string) string {
	if client == "goose" {
		return "extensions:\n  kota: " + entry + "\n"
	}
	return `{"` + cmp.Or(entryTables[client], "mcpServers") + `": {"kota": ` + entry + `}}`
}

// installIn writes a client's file and runs kota on it. It returns the
// resulting file and what was printed.
func installIn(t *testing.T, client, text string, status int, args ...string) (after, printed string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "their settings")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args = append(args, client, "--file", file)
	printed = runKota(t, filepath.Join(t.TempDir(), "home"), nil, status, args...) // install refuses the program of go test
	now, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(now), printed
}

// An entry that connects over HTTP, or belongs to another program, is neither
// changed in part nor removed.
func TestInstallKeepsOtherKindsOfEntries(t *testing.T) {
	t.Parallel()
	connects := map[string]string{
		"codex":    "[mcp_servers.kota]\nurl = 'http://127.0.0.1:8321/mcp'\nbearer_token_env_var = 'T'\n",
		"windsurf": `{"mcpServers": {"kota": {"serverUrl": "http://127.0.0.1:8321/mcp", "headers": {"Authorization": "Bearer kota_x"}}}}`,
	}
	starts := map[string]string{"codex": "[mcp_servers.kota]\ncommand = 'npx'\nargs = ['-y', 'kotlin-analyzer']\n[mcp_servers.kota.env]\nK = 'theirs'\n"}
	for _, c := range clients.All() {
		program := `"command": "npx", "args": ["-y", "kotlin-analyzer"]`
		switch c.Name {
		case "codex":
			continue
		case "goose":
			program = `"cmd": "npx", "args": ["-y", "kotlin-analyzer"]`
		case "opencode":
			program = `"command": ["npx", "-y", "kotlin-analyzer"]`
		}
		starts[c.Name] = fileWith(c.Name, `{`+program+`, "env": {"K": "theirs"}}`)
		if connects[c.Name] == "" {
			connects[c.Name] = fileWith(c.Name, `{"type": "http", "url": "http://127.0.0.1:8321/mcp?key=theirs", "headers": {"Authorization": "Bearer kota_x"}}`)
		}
	}
	for _, c := range clients.All() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			after, output := installIn(t, c.Name, connects[c.Name], 2, "install")
			if after != connects[c.Name] || !strings.Contains(output, "connects to http://127.0.0.1:8321/mcp over HTTP") || !strings.Contains(output, "kota uninstall "+c.Name) || strings.Contains(output, "theirs") {
				t.Errorf("over HTTP: %s\nbecomes %s", output, after)
			}
			if after, output = installIn(t, c.Name, connects[c.Name], 0, "uninstall"); strings.Contains(after, "8321") || !strings.Contains(output, "will no longer start KOTA") {
				t.Errorf("taken out: %s\nbecomes %s", output, after)
			}
			for _, verb := range []string{"install", "uninstall"} {
				after, output := installIn(t, c.Name, starts[c.Name], 2, verb)
				if after != starts[c.Name] || !strings.Contains(output, "starts npx -y kotlin-analyzer") || !strings.Contains(output, "not KOTA") {
					t.Errorf("%s over another program: %s\nbecomes %s", verb, output, after)
				}
				for _, unknown := range unknownEntries(c.Name) {
					after, output := installIn(t, c.Name, unknown, 2, verb)
					if after != unknown || !strings.Contains(output, "a type that KOTA does not know") || strings.Contains(output, "not KOTA") || strings.Contains(output, "theirs") {
						t.Errorf("%s over another kind: %s\nbecomes %s", verb, output, after)
					}
				}
			}
		})
	}
}

// unknownEntries returns files of a client in which the entry kota is of a kind that
// KOTA does not know. It has neither program nor address, or has one in another
// form.
func unknownEntries(client string) []string {
	if client == "codex" {
		return []string{
			"[mcp_servers.kota]\nsource = 'extension'\n[mcp_servers.kota.settings]\nkey = 'theirs'\n",
			"[mcp_servers.kota]\nurl = 'http://127.0.0.1:8321/mcp'\n[mcp_servers.kota.command]\npath = 'npx'\n",
			"[mcp_servers]\nkota = 'theirs'\n",
		}
	}
	var texts []string
	for _, entry := range []string{
		`{"source": "extension", "settings": {"key": "theirs"}}`,
		`{"command": {"path": "npx", "args": ["theirs"]}, "settings": {}}`,
		`{"command": {"path": "npx"}, "url": "http://127.0.0.1:8321/mcp"}`,
		`{"url": {"of": "theirs"}, "command": "kota"}`,
		`["theirs"]`,
	} {
		if client == "goose" {
			entry = strings.ReplaceAll(entry, `"command"`, `"cmd"`)
		}
		texts = append(texts, fileWith(client, entry))
	}
	return texts
}

func TestInstallKeepsLimitsUnlessReplaced(t *testing.T) {
	t.Parallel()
	old := func(args, env string) string {
		return `{"mcpServers": {"kota": {"command": "/old/kota", "args": [` + args + `], "env": {` + env + `}}}}`
	}
	for _, test := range []struct {
		name, before string
		args         []string
		want, kept   string // in the file, and printed
		gone         string
	}{
		{"a profile", old(`"--profile", "read-only", "serve"`, ``), nil, `"args": ["--profile", "read-only", "serve"]`, "--profile read-only", ""},
		{"a profile in one word", old(`"serve", "--profile=read-only"`, ``), nil, `"args": ["serve", "--profile=read-only"]`, "--profile=read-only", ""},
		{"another variable", old(`"serve"`, `"HTTPS_PROXY": "http://ann:secret@proxy"`), nil, `"HTTPS_PROXY": "http://ann:secret@proxy"`, ": HTTPS_PROXY;", ""},
		{"another profile", old(`"--profile", "read-only", "serve"`, ``), []string{"--profile", "full"}, `"args": ["--profile","full","serve"]`, "", "read-only"},
		{"another profile beside the owner", old(`"--owner", "ann", "--profile", "read-only", "serve"`, ``), []string{"--profile", "full"}, `"args": ["--profile","full","--owner","ann","serve"]`, "--owner ann", "read-only"},
		{"a file in place of a variable", old(`"serve"`, `"KOTA_CONFIG": "/c.yaml"`), []string{"--config", "CONFIG"}, `"args": ["--config",`, "", "/c.yaml"},
		{"nothing of what does not serve", old(`"version"`, ``), nil, `"args": ["serve"]`, "", "version"},
		{"nothing where serve is a profile's name", old(`"--profile", "serve"`, ``), []string{"--profile", "full"}, `"args": ["--profile","full","serve"]`, "", ""},
		{"another profile than one of that name", old(`"--profile", "serve", "--owner", "serve", "serve"`, ``), []string{"--profile", "full"}, `"args": ["--profile","full","--owner","serve","serve"]`, "--owner serve", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			config := filepath.Join(t.TempDir(), "bundles.yaml")
			if err := os.WriteFile(config, []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{}
			for _, arg := range append(test.args, "install") {
				args = append(args, strings.ReplaceAll(arg, "CONFIG", config))
			}
			after, output := installIn(t, "cursor", test.before, 0, args...)
			if !strings.Contains(after, test.want) || test.gone != "" && strings.Contains(after, test.gone) {
				t.Errorf("it becomes %s", after)
			}
			if wantKept := strings.Contains(output, "kept from the existing entry"); wantKept != (test.kept != "") || !strings.Contains(output, test.kept) || strings.Contains(output, "secret") {
				t.Errorf("it says %s", output)
			}
		})
	}
}

// However often KOTA is installed and uninstalled, each text is kept beside its
// file only once.
func TestSameTextIsBackedUpOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want int // texts: the original, with the entry, and without it if that differs
	}{"with settings": {"{\n  \"theme\": \"dark\"\n}\n", 2}, "empty": {"", 3}} {
		file, home := filepath.Join(t.TempDir(), "settings.json"), filepath.Join(t.TempDir(), "home")
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for _, verb := range []string{"install", "uninstall"} {
				runKota(t, home, nil, 0, verb, "cursor", "--file", file)
			}
		}
		backups, err := filepath.Glob(file + ".before-kota-*")
		if err != nil || len(backups) != test.want {
			t.Errorf("%s: kept as %q, %v, want %d texts", name, backups, err, test.want)
		}
	}
}

func TestUpdateKeepsHomeAndConfigOfEntry(t *testing.T) {
	t.Parallel()
	old := clients.Entry{Args: []string{"--config", "/old.yaml", "serve"}, Env: map[string]string{"KOTA_HOME": "/h"}}
	updated, keptSettings := clients.Update(old, clients.Entry{Command: "/kota", Args: []string{"serve"}})
	if got := strings.Join(updated.Args, " "); got != "--config /old.yaml serve" || strings.Join(keptSettings, "|") != "--config /old.yaml|KOTA_HOME=/h" || updated.Env["KOTA_HOME"] != "" {
		t.Errorf("got %+v, %q", updated, keptSettings)
	}
	updated, _ = clients.Update(clients.Entry{Env: map[string]string{"KOTA_CONFIG": "/c.yaml"}}, clients.Entry{Command: "/kota", Args: []string{"--config", "/new.yaml", "serve"}})
	if value, output := updated.Env["KOTA_CONFIG"]; !output || value != "" {
		t.Errorf("a file in place of a variable: %+v", updated)
	}
	updated, keptSettings = clients.Update(old, clients.Entry{Command: "/kota", Args: []string{"serve"}, Env: map[string]string{"KOTA_CONFIG": "/new.yaml", "KOTA_HOME": "/h2"}})
	if got := strings.Join(updated.Args, " "); got != "serve" || len(keptSettings) > 0 || updated.Env["KOTA_HOME"] != "/h2" || updated.Env["KOTA_CONFIG"] != "/new.yaml" {
		t.Errorf("with both given anew: %+v, %q", updated, keptSettings)
	}
}

func TestInstallReportsChangedSettings(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "old")
	after, output := installIn(t, "cursor", `{"mcpServers": {"kota": {"command": "/old/kota", "args": ["serve"], "env": {"KOTA_HOME": "`+home+`"}}}}`, 0, "install")
	if strings.Contains(after, home) || !strings.Contains(output, "changed in the existing entry: KOTA_HOME="+home+" is KOTA_HOME=") || !strings.Contains(output, "stays in the previous folder") {
		t.Errorf("it says %s\nand becomes %s", output, after)
	}
}
