// Package clients edits the configuration files of MCP clients: programs that
// start the servers which a file of their own names. It changes text alone and
// touches no file.
package clients

import (
	"errors"
	"path/filepath"
	"slices"
)

// A Client is a program that starts MCP servers.
type Client struct {
	Name  string // by which commands know it: "claude-desktop"
	Title string // "Claude Desktop"
	After string // what makes the program read its file again

	file   func(Place) string
	format format
	under  string // the table of servers in the file
	typed  bool   // whether an entry says of what type it is
}

// format is how a file is written. The edits return text that says the same but
// for the entry.
type format interface {
	// set makes these the fields of the entry, and these its variables, and leaves
	// its other fields and variables. A variable without a value is taken out.
	set(text []byte, table, entry string, fields []field, env map[string]string) ([]byte, error)
	// remove takes the entry out; text without it comes back as it is.
	remove(text []byte, table, entry string) ([]byte, error)
	// decode reads the whole text.
	decode(text []byte) (map[string]any, error)
}

// A field of an entry.
type field struct {
	name  string
	value any
}

// A Place says where the files of programs are on a machine.
type Place struct {
	OS   string // as runtime.GOOS
	Home string // the user's folder
	Env  func(string) string
}

// An Entry is how a client starts a server, or where it reaches one.
type Entry struct {
	Command string            // absolute path
	Args    []string          // after the command
	Env     map[string]string // added to the client's own environment; "" is not there
	URL     string            // of a server that is reached over HTTP instead: Read tells, and Add makes none
	Off     bool              // its user has switched it off in the client: Read tells, and Add leaves it so
}

// ErrLayout is of a file that is laid out in a way that cannot be edited without
// touching what is not ours.
var ErrLayout = errors.New("its layout cannot be edited safely")

// All are the clients that KOTA knows, by name. Where their files are, and what
// an entry looks like, is from the documentation of each as of November 2026.
func All() []Client {
	return []Client{
		// https://code.claude.com/docs/en/mcp: user scope is .claude.json.
		{Name: "claude-code", Title: "Claude Code", After: "Begin a new session; /mcp lists the servers.", format: jsonc{}, under: "mcpServers", typed: true,
			file: func(p Place) string { return filepath.Join(p.or("CLAUDE_CONFIG_DIR", p.Home), ".claude.json") }},
		// https://modelcontextprotocol.io/docs/develop/connect-local-servers
		{Name: "claude-desktop", Title: "Claude Desktop", After: "Quit Claude Desktop and open it again.", format: jsonc{}, under: "mcpServers",
			file: func(p Place) string { return filepath.Join(p.config(), "Claude", "claude_desktop_config.json") }},
		// https://developers.openai.com/codex/mcp
		{Name: "codex", Title: "Codex", After: "Begin a new session; /mcp lists the servers.", format: toml{}, under: "mcp_servers",
			file: func(p Place) string {
				return filepath.Join(p.or("CODEX_HOME", filepath.Join(p.Home, ".codex")), "config.toml")
			}},
		// https://cursor.com/docs/context/mcp
		{Name: "cursor", Title: "Cursor", After: "Cursor reads it at once; see Settings, MCP.", format: jsonc{}, under: "mcpServers",
			file: func(p Place) string { return filepath.Join(p.Home, ".cursor", "mcp.json") }},
		// https://geminicli.com/docs/tools/mcp-server
		{Name: "gemini-cli", Title: "Gemini CLI", After: "Begin a new session; /mcp lists the servers.", format: jsonc{}, under: "mcpServers",
			file: func(p Place) string { return filepath.Join(p.Home, ".gemini", "settings.json") }},
		// https://code.visualstudio.com/docs/copilot/customization/mcp-servers
		{Name: "vscode", Title: "VS Code", After: "Run `MCP: List Servers` in VS Code and start kota.", format: jsonc{}, under: "servers", typed: true,
			file: func(p Place) string { return filepath.Join(p.config(), "Code", "User", "mcp.json") }},
		// https://docs.windsurf.com/windsurf/cascade/mcp
		{Name: "windsurf", Title: "Windsurf", After: "Press Refresh in Windsurf's MCP panel.", format: jsonc{}, under: "mcpServers",
			file: func(p Place) string { return filepath.Join(p.Home, ".codeium", "windsurf", "mcp_config.json") }},
		// https://zed.dev/docs/ai/mcp
		{Name: "zed", Title: "Zed", After: "Zed reads it at once; see the settings of the Agent Panel.", format: jsonc{}, under: "context_servers",
			file: func(p Place) string {
				if p.OS == "windows" {
					return filepath.Join(p.config(), "Zed", "settings.json")
				}
				return filepath.Join(p.xdg(), "zed", "settings.json")
			}},
	}
}

// Find returns the client of that name.
func Find(name string) (Client, bool) {
	all := All()
	i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return Client{}, false
	}
	return all[i], true
}

// File is the user's own configuration of the client, there or not.
func (c Client) File(p Place) string { return c.file(p) }

// or is what the environment says, else other.
func (p Place) or(variable, other string) string {
	if said := p.Env(variable); said != "" {
		return said
	}
	return other
}

// xdg is where the XDG Base Directory Specification puts configuration.
func (p Place) xdg() string { return p.or("XDG_CONFIG_HOME", filepath.Join(p.Home, ".config")) }

// config is where programs keep their configuration, as os.UserConfigDir has it.
func (p Place) config() string {
	switch p.OS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		return p.or("APPDATA", filepath.Join(p.Home, "AppData", "Roaming"))
	}
	return p.xdg()
}
