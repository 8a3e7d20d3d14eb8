package main

import (
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"kota/entrypoint"
	"kota/metadata"
)

// A field is a key that a mapping may have, and what its value does.
type field struct {
	name string
	set  func(*checker, value)
}

// topFields are the keys of bundles.yaml, in the order the file shows them.
var topFields = []field{
	{"expose", func(c *checker, v value) {
		c.cfg.Expose = entrypoint.Expose(c.choice(v, string(c.cfg.Expose), "all", "core", "discovery"))
	}},
	{"core_tools", func(c *checker, v value) { c.cfg.CoreTools = c.list(v, c.tools()) }},
	{"profile", func(c *checker, v value) { c.profile = v }},
	{"profiles", (*checker).profiles},
	{"send", func(c *checker, v value) { c.cfg.Send = c.gate(v, c.cfg.Send) }},
	{"destroy", func(c *checker, v value) { c.cfg.Destroy = c.gate(v, c.cfg.Destroy) }},
	{"log", (*checker).logLevel},
	{"google", func(c *checker, v value) { c.mapping(v, []field{{"endpoint", (*checker).endpoint}}) }},
	{"bundles", (*checker).bundles},
}

// A value is what a key has, with the path and the line to speak of it.
type value struct {
	path string // "bundles.memory.enabled"
	line int
	node ast.Node
}

// A checker fills a Config from bundles.yaml and collects what is wrong.
type checker struct {
	cfg      *Config
	known    []knownBundle
	profile  value // looked up when every profile is known
	problems []problem
}

// applyConfig sets in cfg what raw, the text of file, says. It returns a
// *usageError that lists every problem; cfg is then half filled.
func applyConfig(cfg *Config, file string, raw []byte, known []knownBundle) error {
	root, found := parseConfig(raw)
	if found != nil {
		return problemsError(file, found)
	}
	c := &checker{cfg: cfg, known: known}
	c.fields(value{line: 1, node: root}, root, topFields)
	if c.profile.node != nil {
		cfg.Profile = c.choice(c.profile, cfg.Profile, profileNames(cfg.Profiles)...)
	}
	return problemsError(file, c.problems)
}

func (c *checker) problem(line int, format string, args ...any) {
	c.problems = append(c.problems, problem{line, fmt.Sprintf(format, args...)})
}

// mapping checks that v is a mapping of these fields and sets each of them. A
// mapping whose every line is commented out is empty.
func (c *checker) mapping(v value, fields []field) {
	if v.node.Type() == ast.NullType {
		return
	}
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: a mapping with the keys %s", v.path, kindOf(v.node), names(fields))
		return
	}
	c.fields(v, m, fields)
}

func (c *checker) fields(v value, m *ast.MappingNode, fields []field) {
	c.entries(v, m, func(key string, entry value) {
		for _, f := range fields {
			if f.name == key {
				f.set(c, entry)
				return
			}
		}
		inside := ""
		if v.path != "" {
			inside = " in " + v.path
		}
		c.problem(entry.line, "unknown key %q%s%s; allowed: %s", shortened(key), inside, meant(key, fieldNames(fields)), names(fields))
	})
}

// entries calls each with every entry of m, but for repeated keys.
func (c *checker) entries(v value, m *ast.MappingNode, each func(key string, entry value)) {
	first := map[string]int{}
	for _, pair := range m.Values {
		key, line := pair.Key.GetToken().Value, lineOf(pair.Key)
		entry := value{path: strings.TrimPrefix(v.path+"."+key, "."), line: line, node: pair.Value}
		if at, twice := first[key]; twice {
			c.problem(line, "%s is given twice, first on line %d; allowed: once", shortened(entry.path), at)
			continue
		}
		first[key] = line
		each(key, entry)
	}
}

// choice returns v when it is one of allowed, else instead.
func (c *checker) choice(v value, instead string, allowed ...string) string {
	text, ok := textOf(v.node)
	switch {
	case !ok:
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), strings.Join(allowed, ", "))
	case !slices.Contains(allowed, text):
		c.problem(v.line, "%s is %s%s; allowed: %s", v.path, kindOf(v.node), meant(text, allowed), strings.Join(allowed, ", "))
	default:
		return text
	}
	return instead
}

func (c *checker) gate(v value, instead entrypoint.Gate) entrypoint.Gate {
	return entrypoint.Gate(c.choice(v, string(instead), string(entrypoint.Ask), string(entrypoint.Allow), string(entrypoint.Refuse)))
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

// list returns the texts of v, each of which must be among allowed.
func (c *checker) list(v value, allowed []string) []string {
	if v.node.Type() == ast.NullType {
		return []string{}
	}
	s, ok := v.node.(*ast.SequenceNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: a list of %s", v.path, kindOf(v.node), strings.Join(allowed, ", "))
		return nil
	}
	texts := []string{}
	for i, n := range s.Values {
		item := value{path: fmt.Sprintf("%s[%d]", v.path, i), line: lineOf(n), node: n}
		if n.Type() == ast.NullType {
			item.line = v.line
		}
		text := c.choice(item, "", allowed...)
		if text != "" && slices.Contains(texts, text) {
			c.problem(item.line, "%s names %s a second time; allowed: once", v.path, text)
		}
		texts = append(texts, text)
	}
	return texts
}

// tools returns the names of all tools, on or off.
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

var profileName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)

func (c *checker) profiles(v value) {
	if v.node.Type() == ast.NullType {
		return
	}
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: a mapping of names to {effects, bundles, actions}", v.path, kindOf(v.node))
		return
	}
	c.entries(v, m, func(name string, entry value) {
		if _, taken := builtinProfiles()[name]; taken {
			c.problem(entry.line, "the profile %s is built in; allowed: a name other than %s", name, strings.Join(profileNames(builtinProfiles()), ", "))
			return
		}
		if !profileName.MatchString(name) {
			c.problem(entry.line, "%q cannot name a profile; allowed: a letter, then up to 31 of a-z, 0-9, - and _", shortened(name))
			return
		}
		c.cfg.Profiles[name] = c.ownProfile(entry)
	})
}

func (c *checker) ownProfile(v value) Profile {
	var p Profile
	fields := []field{
		{"effects", func(c *checker, v value) {
			for _, effect := range c.restriction(v, effectNames()) {
				p.Effects = append(p.Effects, metadata.Effect(effect))
			}
		}},
		{"bundles", func(c *checker, v value) { p.Bundles = c.restriction(v, c.bundleKeys()) }},
		{"actions", func(c *checker, v value) { p.Actions = c.restriction(v, c.tools()) }},
	}
	c.mapping(v, fields)
	return p
}

// restriction is a list that must not be empty: a reader could not tell
// whether an empty one allows nothing or everything.
func (c *checker) restriction(v value, allowed []string) []string {
	texts := c.list(v, allowed)
	if texts != nil && len(texts) == 0 {
		c.problem(v.line, "%s is empty; allowed: leave it out to allow all, or a list of %s", v.path, strings.Join(allowed, ", "))
	}
	return texts
}

func (c *checker) bundles(v value) {
	var fields []field
	for _, key := range c.bundleKeys() {
		fields = append(fields, field{key, func(c *checker, v value) { c.bundle(key, v) }})
	}
	if v.node.Type() == ast.NullType {
		return
	}
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "bundles is %s; allowed: a mapping with the bundles %s", kindOf(v.node), names(fields))
		return
	}
	c.entries(v, m, func(key string, entry value) {
		if !slices.Contains(c.bundleKeys(), key) {
			c.problem(entry.line, "unknown bundle %q%s; allowed: %s", shortened(key), meant(key, c.bundleKeys()), names(fields))
			return
		}
		c.bundle(key, entry)
	})
}

// bundle reads `memory: true` and `memory: {enabled: true}`.
func (c *checker) bundle(key string, v value) {
	if on, ok := switchOf(v.node); ok {
		c.cfg.Bundles[key] = BundleConfig{Enabled: on}
		return
	}
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: %s, or a mapping with the key enabled", v.path, kindOf(v.node), switchesAllowed)
		return
	}
	c.fields(v, m, []field{{"enabled", func(c *checker, v value) {
		on, ok := switchOf(v.node)
		if !ok {
			c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), switchesAllowed)
		}
		c.cfg.Bundles[key] = BundleConfig{Enabled: on}
	}}})
}

const switchesAllowed = "true, false, on, off, yes, no"

// opposites pairs the words of a switch. YAML 1.1 called all of them booleans
// and people still write them.
var opposites = map[string]string{
	"true": "false", "True": "False", "TRUE": "FALSE",
	"on": "off", "On": "Off", "ON": "OFF",
	"yes": "no", "Yes": "No", "YES": "NO",
}

// switchOf returns whether n says on or off, false when it says neither. A
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

// textOf returns the text of n, false when n is no text.
func textOf(n ast.Node) (string, bool) {
	s, ok := n.(*ast.StringNode)
	if !ok {
		return "", false
	}
	return s.Value, true
}

// meant returns the question "did you mean" for the nearest of names, "" when
// none is near.
func meant(name string, names []string) string {
	near := metadata.Nearest(name, names, 1)
	if len(near) == 0 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", near[0])
}

func fieldNames(fields []field) []string {
	list := []string{}
	for _, f := range fields {
		list = append(list, f.name)
	}
	return list
}

func names(fields []field) string { return strings.Join(fieldNames(fields), ", ") }

func profileNames(profiles map[string]Profile) []string { return slices.Sorted(maps.Keys(profiles)) }

func effectNames() []string {
	list := []string{}
	for _, e := range metadata.Effects {
		list = append(list, string(e))
	}
	return list
}
