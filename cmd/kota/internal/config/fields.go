package config

import (
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/policy"
)

// topFields are the keys of bundles.yaml, in the order the file shows them.
var topFields = slices.Concat([]field{
	{"expose", func(c *checker, v value) {
		c.cfg.Expose = mcpserver.Expose(c.choice(v, string(c.cfg.Expose), "all", "core", "discovery", "auto"))
	}},
	{"core_tools", func(c *checker, v value) { c.cfg.CoreTools = c.list(v, c.tools()) }},
	{"tool_budget_tokens", (*checker).toolBudget},
	{"structured", (*checker).structured},
	{"staged_listing", func(c *checker, v value) { c.cfg.StagedListing = c.onOff(v, c.cfg.StagedListing) }},
	{"usage", func(c *checker, v value) { c.cfg.Usage = c.onOff(v, c.cfg.Usage) }},
	{"profile", func(c *checker, v value) { c.profile = v }},
	{"profiles", (*checker).profiles},
	{"explain_hidden", func(c *checker, v value) { c.cfg.ExplainHidden = c.onOff(v, c.cfg.ExplainHidden) }},
}, gateFields(func(c *checker) *policy.Gates { return &c.cfg.Gates }), []field{
	{"taint", func(c *checker, v value) { c.cfg.Taint = c.onOff(v, c.cfg.Taint) }},
	{"limits", (*checker).limits},
	{"log", (*checker).logLevel},
	{"timezone", (*checker).timezone},
	{"day_starts", (*checker).dayStarts},
	{"templates", (*checker).templates},
	{"attachments", (*checker).attachments},
	{"database", (*checker).database},
	{"secrets_key_file", (*checker).secretsKeyFile},
	{"search", (*checker).search},
	{"http", (*checker).http},
	{"google", func(c *checker, v value) {
		c.mapping(v, []field{
			{"tokens", func(c *checker, v value) { c.cfg.Tokens = c.choice(v, c.cfg.Tokens, tokensInKeyring, TokensInFiles) }},
			{"endpoint", (*checker).endpoint},
		})
	}},
	{"bundles", (*checker).bundles},
})

// onOff returns the value of a switch. If v is not a switch, it records a
// problem and returns fallback.
func (c *checker) onOff(v value, fallback bool) bool {
	on, ok := switchOf(v.node)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), switchesAllowed)
		return fallback
	}
	return on
}

// structured reads auto or a switch.
func (c *checker) structured(v value) {
	if on, ok := switchOf(v.node); ok {
		c.cfg.Structured = map[bool]mcpserver.StructuredMode{true: mcpserver.StructuredOn, false: mcpserver.StructuredOff}[on]
		return
	}
	c.cfg.Structured = mcpserver.StructuredMode(c.choice(v, string(c.cfg.Structured), "auto", "on", "off"))
}

// toolBudget reads a number of tokens. The kota tools, which are always listed,
// take most of the smallest budget.
func (c *checker) toolBudget(v value) {
	const least, most = 1000, 100_000
	n, ok := v.node.(*ast.IntegerNode)
	if ok {
		tokens, err := strconv.Atoi(n.Token.Value)
		if ok = err == nil && tokens >= least && tokens <= most; ok {
			c.cfg.ToolBudget = tokens
		}
	}
	if !ok {
		c.problem(v.line, "%s is %s; allowed: a number from %d to %d", v.path, kindOf(v.node), least, most)
	}
}

func (c *checker) logLevel(v value) {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	if level, ok := levels[c.choice(v, "", "debug", "info", "warn", "error")]; ok {
		c.cfg.Log = level
	}
}

func (c *checker) endpoint(v value) {
	text, ok := textOf(v.node)
	if !ok || !googleEndpoint(text) {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), endpointsAllowed)
		return
	}
	c.cfg.GoogleEndpoint = text
}

// tools returns the names of all tools, enabled or not.
func (c *checker) tools() []string {
	tools := []string{}
	for _, bundle := range c.known {
		tools = append(tools, bundle.Tools...)
	}
	return tools
}

func (c *checker) bundleKeys() []string {
	keys := []string{}
	for _, bundle := range c.known {
		keys = append(keys, bundle.Key)
	}
	return keys
}

func (c *checker) bundles(v value) {
	if v.node.Type() == ast.NullType {
		return
	}
	keys := c.bundleKeys()
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "bundles is %s; allowed: a mapping with the bundles %s", kindOf(v.node), strings.Join(keys, ", "))
		return
	}
	c.entries(v, m, func(key string, entry value) {
		if !slices.Contains(keys, key) {
			c.problem(entry.line, "unknown bundle %q%s; allowed: %s", mistake.Shorten(key), mistake.DidYouMean(key, keys), strings.Join(keys, ", "))
			return
		}
		c.bundle(key, entry)
	})
}

// bundle reads one bundle: `memory: true`, or `memory: {enabled: true}`, which
// may also have gates.
func (c *checker) bundle(key string, v value) {
	set := c.cfg.Bundles[key]
	defer func() { c.cfg.Bundles[key] = set }()
	if on, ok := switchOf(v.node); ok {
		set.Enabled = on
		return
	}
	fields := append([]field{{"enabled", func(c *checker, v value) { set.Enabled = c.onOff(v, false) }}},
		gateFields(func(*checker) *policy.Gates { return &set.Gates })...)
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: %s, or a mapping with the keys %s", v.path, kindOf(v.node), switchesAllowed, names(fields))
		return
	}
	c.fields(v, m, fields)
}

const switchesAllowed = "true, false, on, off, yes, no"

// opposites pairs the words of a switch. YAML 1.1 treated all of them as
// booleans, and people still write them.
var opposites = map[string]string{
	"true": "false", "True": "False", "TRUE": "FALSE",
	"on": "off", "On": "Off", "ON": "OFF",
	"yes": "no", "Yes": "No", "YES": "NO",
}

// switchOf returns the value of a switch. ok is false if n is not a switch; a
// quoted word is a text, not a switch.
func switchOf(n ast.Node) (on, ok bool) {
	t := n.GetToken()
	if t == nil || t.Type != token.StringType && t.Type != token.BoolType {
		return false, false
	}
	for yes, no := range opposites {
		if t.Value == yes || t.Value == no {
			return t.Value == yes, true
		}
	}
	return false, false
}
