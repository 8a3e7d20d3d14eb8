package clients

import (
	"path/filepath"
	"strings"
)

// All returns the clients that KOTA knows, sorted by name. File locations and
// entry formats follow each client's documentation as of November 2026.
func All() []Client {
	const newSession = "Start a new session; /mcp lists the servers."
	stdio := entryFormat{kind: "stdio"}
	return []Client{
		// https://ampcode.com/manual#mcp
		{Name: "amp", Title: "Amp", ReloadHint: newSession, format: jsonc{}, table: "amp.mcpServers",
			files: func(p Machine) []string {
				return []string{p.home(".config", "amp", "settings.json"), p.home(".config", "amp", "settings.jsonc")}
			}},
		// https://antigravity.google/docs/mcp: older versions of the IDE used
		// the second file.
		{Name: "antigravity", Title: "Antigravity", ReloadHint: newSession, format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string {
				return []string{p.home(".gemini", "config", "mcp_config.json"), p.home(".gemini", "antigravity", "mcp_config.json")}
			}},
		// https://code.claude.com/docs/en/mcp: user scope is .claude.json.
		{Name: "claude-code", Title: "Claude Code", ReloadHint: newSession, format: jsonc{}, table: "mcpServers", entry: stdio,
			files: func(p Machine) []string {
				return []string{filepath.Join(p.envOr("CLAUDE_CONFIG_DIR", p.Home), ".claude.json")}
			}},
		// https://modelcontextprotocol.io/docs/develop/connect-local-servers
		{Name: "claude-desktop", Title: "Claude Desktop", ReloadHint: "Quit Claude Desktop and open it again.", format: jsonc{}, table: "mcpServers", files: claudeDesktop},
		// https://docs.cline.bot/cli/configuration: older versions of the VS
		// Code extension used the last file.
		{Name: "cline", Title: "Cline", ReloadHint: "Cline reads it at once; see its MCP Servers.", format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string {
				const name = "cline_mcp_settings.json"
				if path := p.Env("CLINE_MCP_SETTINGS_PATH"); path != "" {
					return []string{path}
				}
				return []string{p.home(".cline", "data", "settings", name), p.extension("saoudrizwan.claude-dev", name)}
			}},
		// https://developers.openai.com/codex/mcp
		{Name: "codex", Title: "Codex", ReloadHint: newSession, format: toml{}, table: "mcp_servers",
			files: func(p Machine) []string {
				return []string{filepath.Join(p.envOr("CODEX_HOME", p.home(".codex")), "config.toml")}
			}},
		// https://docs.github.com/en/copilot/how-tos/copilot-cli: type and tools are required.
		{Name: "copilot-cli", Title: "GitHub Copilot CLI", ReloadHint: "Start a new session; /mcp show lists the servers.", format: jsonc{}, table: "mcpServers",
			entry: entryFormat{kind: "local", initial: []field{{"tools", []any{"*"}}}},
			files: func(p Machine) []string {
				return []string{filepath.Join(p.envOr("COPILOT_HOME", p.home(".copilot")), "mcp-config.json")}
			}},
		// https://cursor.com/docs/context/mcp
		{Name: "cursor", Title: "Cursor", ReloadHint: "Cursor reads it at once; see Settings, MCP.", format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string { return []string{p.home(".cursor", "mcp.json")} }},
		// https://geminicli.com/docs/tools/mcp-server
		{Name: "gemini-cli", Title: "Gemini CLI", ReloadHint: newSession + " Antigravity, its successor, has its own file: `kota install antigravity`.", format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string { return []string{p.home(".gemini", "settings.json")} }},
		// https://block.github.io/goose/docs/guides/config-files
		{Name: "goose", Title: "goose", ReloadHint: "Start a new session.", format: yaml{}, table: "extensions",
			entry: entryFormat{kind: "stdio", program: "cmd", env: "envs", repeatsName: true, initial: []field{{"enabled", true}, {"timeout", uint64(300)}}},
			files: func(p Machine) []string {
				if p.OS == "windows" {
					return []string{filepath.Join(p.config(), "Block", "goose", "config", "config.yaml")}
				}
				return []string{filepath.Join(p.xdg(), "goose", "config.yaml")}
			}},
		// https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html: JetBrains AI Assistant documents no file.
		{Name: "jetbrains", Title: "JetBrains Junie", ReloadHint: "See Settings, Tools, Junie, MCP Settings.", format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string { return []string{p.home(".junie", "mcp", "mcp.json")} }},
		// https://kiro.dev/docs/mcp/configuration
		{Name: "kiro", Title: "Kiro", ReloadHint: "Kiro reads it at once; see its MCP servers.", format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string { return []string{p.home(".kiro", "settings", "mcp.json")} }},
		// https://lmstudio.ai/docs/app/mcp; older versions kept all files in
		// the cache folder.
		{Name: "lm-studio", Title: "LM Studio", ReloadHint: "LM Studio reads it at once; see Program, Install.", format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string {
				return []string{p.home(".lmstudio", "mcp.json"), p.home(".cache", "lm-studio", "mcp.json")}
			}},
		// https://opencode.ai/docs/mcp-servers: version 2 has the new table
		// mcp.servers, but still reads the table mcp.
		{Name: "opencode", Title: "opencode", ReloadHint: "Start a new session; `opencode mcp list` lists the servers.", format: jsonc{}, table: "mcp",
			entry: entryFormat{kind: "local", oneArray: true, env: "environment", initial: []field{{"enabled", true}}},
			files: func(p Machine) []string {
				return []string{filepath.Join(p.xdg(), "opencode", "opencode.json"), filepath.Join(p.xdg(), "opencode", "opencode.jsonc")}
			}},
		// https://docs.roocode.com/features/mcp/using-mcp-in-roo
		{Name: "roo", Title: "Roo Code", ReloadHint: "Roo Code reads it at once; see its MCP Servers.", format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string {
				return []string{p.extension("rooveterinaryinc.roo-cline", "mcp_settings.json")}
			}},
		// https://code.visualstudio.com/docs/copilot/customization/mcp-servers
		{Name: "vscode", Title: "VS Code", ReloadHint: "Run `MCP: List Servers` in VS Code and start kota.", format: jsonc{}, table: "servers", entry: stdio,
			files: func(p Machine) []string { return []string{filepath.Join(p.config(), "Code", "User", "mcp.json")} }},
		{Name: "vscode-insiders", Title: "VS Code Insiders", ReloadHint: "Run `MCP: List Servers` in VS Code and start kota.", format: jsonc{}, table: "servers", entry: stdio,
			files: func(p Machine) []string {
				return []string{filepath.Join(p.config(), "Code - Insiders", "User", "mcp.json")}
			}},
		// https://docs.devin.ai: Devin Desktop is Windsurf's name since June 2026; older versions read the second file.
		{Name: "windsurf", Title: "Devin Desktop (Windsurf)", ReloadHint: "Open its MCP list and refresh it.", format: jsonc{}, table: "mcpServers",
			files: func(p Machine) []string {
				devin := p.home(".config", "devin", "mcp_config.json")
				if p.OS == "windows" {
					devin = filepath.Join(p.config(), "devin", "mcp_config.json")
				}
				return []string{devin, p.home(".codeium", "windsurf", "mcp_config.json")}
			}},
		// https://zed.dev/docs/ai/mcp
		{Name: "zed", Title: "Zed", ReloadHint: "Zed reads it at once; see the settings of the Agent Panel.", format: jsonc{}, table: "context_servers",
			files: func(p Machine) []string {
				if p.OS == "windows" {
					return []string{filepath.Join(p.config(), "Zed", "settings.json")}
				}
				return []string{filepath.Join(p.xdg(), "zed", "settings.json")}
			}},
	}
}

// claudeDesktop returns the possible files of Claude Desktop. On Windows it may
// be an MSIX package, which has its own %APPDATA% and does not read the user's
// (https://github.com/anthropics/claude-code/issues/26073).
func claudeDesktop(p Machine) []string {
	const folder, name = "Claude", "claude_desktop_config.json"
	var files []string
	if p.OS == "windows" {
		packages := filepath.Join(p.envOr("LOCALAPPDATA", p.home("AppData", "Local")), "Packages")
		for _, family := range p.Names(packages) {
			if strings.HasPrefix(family, "Claude_") {
				files = append(files, filepath.Join(packages, family, "LocalCache", "Roaming", folder, name))
			}
		}
	}
	if len(files) > 0 {
		return files
	}
	return []string{filepath.Join(p.config(), folder, name)}
}

// home returns a path in the user's home folder.
func (p Machine) home(path ...string) string {
	return filepath.Join(append([]string{p.Home}, path...)...)
}

// extension returns the settings file of a VS Code extension.
func (p Machine) extension(id, name string) string {
	return filepath.Join(p.config(), "Code", "User", "globalStorage", id, "settings", name)
}

// Names returns the names of all clients.
func Names() []string {
	var names []string
	for _, c := range All() {
		names = append(names, c.Name)
	}
	return names
}
