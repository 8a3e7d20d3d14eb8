package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint/policy"
	"kota/metadata"
)

// Profile is a named set of permitted actions. A profile with instructions is a
// role. Effects, Bundles, Tags, Actions and Without are its limits; a nil limit
// permits everything. An action must be within each of the first four, and not in
// Without. KOTA refuses actions outside Effects, and hides actions that another
// limit excludes.
type Profile struct {
	Description  string // a line for people
	Instructions string // for the model, at most MaxInstructions characters
	Effects      []metadata.Effect
	Bundles      []string              // keys of bundles
	Tags         []string              // tags of actions or of their bundles
	Actions      []string              // names of tools, or "memory_*" for all tools of a bundle
	Without      []string              // actions to hide, in the form of Actions
	Gates        policy.Gates          // can only narrow the gates of bundles.yaml
	Lines        map[policy.Filter]int // the line of each limit in bundles.yaml; nil for a built-in profile
}

// MaxInstructions is the maximum length of a profile's instructions in
// characters. Clients cut the instructions of a server after 2,048 characters.
// The instructions of KOTA and of every bundle must fit too.
const MaxInstructions = 1000

// ByEffects is the key of Profile.Lines for the effects.
const ByEffects policy.Filter = "effects"

// builtinProfiles returns the profiles that exist without an entry in bundles.yaml.
func builtinProfiles() map[string]Profile {
	return map[string]Profile{
		"full": {Description: "everything"},
		"read-only": {
			Description: "only reads; changes nothing, neither here nor at Google",
			Effects:     []metadata.Effect{metadata.Reads},
		},
		"no-send": {
			Description: "everything except sending to other people",
			Effects:     []metadata.Effect{metadata.Reads, metadata.Writes, metadata.Destroys},
		},
		"writing": {
			Description: "memory, diary and mail drafts; nothing is sent, and every change can be undone",
			Effects:     []metadata.Effect{metadata.Reads, metadata.Writes},
			Actions: []string{
				"memory_*", "daily_*",
				"gmail_search_messages", "gmail_find_followups", "gmail_get_message", "gmail_get_thread", "gmail_get_attachment",
				"gmail_list_accounts", "gmail_list_changes", "gmail_list_labels", "gmail_list_drafts",
				"gmail_send_message", "gmail_reply_message", "gmail_forward_message", "gmail_update_draft", "gmail_delete_draft", "gmail_undo",
			},
		},
	}
}

// ProfileNames returns the names of profiles, sorted.
func ProfileNames(profiles map[string]Profile) []string { return slices.Sorted(maps.Keys(profiles)) }

// chooseProfile sets the profile that --profile names. It does nothing if name
// is "".
func chooseProfile(cfg *Config, name string) error {
	if name == "" {
		return nil
	}
	if _, ok := cfg.Profiles[name]; !ok {
		all := ProfileNames(cfg.Profiles)
		return mistake.Errorf("--profile %s: unknown profile%s; known: %s", mistake.Shorten(name), mistake.DidYouMean(name, all), strings.Join(all, ", "))
	}
	cfg.Profile, cfg.ProfileLine = name, 0
	return nil
}

var profileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`) })

func (c *checker) profiles(v value) {
	c.namedEntries(v, "a mapping of names to {description, instructions, effects, bundles, tags, actions, without, send, destroy, send_to}", func(name string, entry value) {
		if _, taken := builtinProfiles()[name]; taken {
			c.problem(entry.line, "the profile %s is built in; allowed: a name other than %s", name, strings.Join(ProfileNames(builtinProfiles()), ", "))
			return
		}
		if !profileName().MatchString(name) {
			c.problem(entry.line, "%q cannot name a profile; allowed: a letter, then up to 31 of a-z, 0-9, - and _", mistake.Shorten(name))
			return
		}
		c.cfg.Profiles[name] = c.ownProfile(entry)
	})
}

func (c *checker) ownProfile(v value) Profile {
	p := Profile{Lines: map[policy.Filter]int{}}
	limit := func(by policy.Filter, list *[]string, allowed func() []string) field {
		return field{string(by), func(c *checker, v value) { *list, p.Lines[by] = c.nonEmptyList(v, allowed()), v.line }}
	}
	c.mapping(v, append([]field{
		{"description", func(c *checker, v value) { p.Description = c.text(v) }},
		{"instructions", func(c *checker, v value) { p.Instructions = c.instructions(v) }},
		{"effects", func(c *checker, v value) {
			for _, effect := range c.nonEmptyList(v, effectNames()) {
				p.Effects = append(p.Effects, metadata.Effect(effect))
			}
			p.Lines[ByEffects] = v.line
		}},
		limit(policy.ByBundles, &p.Bundles, c.bundleKeys),
		limit(policy.ByTags, &p.Tags, c.tags),
		limit(policy.ByActions, &p.Actions, c.toolsAndBundles),
		limit(policy.ByWithout, &p.Without, c.toolsAndBundles),
	}, gateFields(func(*checker) *policy.Gates { return &p.Gates })...))
	return p
}

// instructions reads what a role tells the model.
func (c *checker) instructions(v value) string {
	text := c.linesOf(v)
	if n := utf8.RuneCountInString(text); n > MaxInstructions {
		c.problem(v.line, "%s has %d characters; allowed: %d, because clients shorten longer instructions", v.path, n, MaxInstructions)
	}
	return text
}

// toolsAndBundles returns the names that a list of actions may have: tools, and
// "memory_*" for all tools of a bundle.
func (c *checker) toolsAndBundles() []string {
	allowed := []string{}
	for _, bundle := range c.known {
		allowed = append(append(allowed, bundle.Key+"_*"), bundle.Tools...)
	}
	return allowed
}

// tags returns the tags of all bundles and actions, sorted.
func (c *checker) tags() []string {
	tags := []string{}
	for _, bundle := range c.known {
		tags = append(tags, bundle.Tags...)
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

func effectNames() []string {
	list := []string{}
	for _, e := range metadata.Effects {
		list = append(list, string(e))
	}
	return list
}
