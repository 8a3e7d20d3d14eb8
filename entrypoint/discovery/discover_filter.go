package discovery

import (
	"fmt"
	"slices"
	"strings"

	"kota/metadata"
)

// count returns how many actions of the bundle pass every filter.
func (c *Catalogue) count(b *metadata.Bundle, in discoverIn) int {
	n := 0
	for _, a := range c.actions {
		if a.bundle == b && in.matches(a) {
			n++
		}
	}
	return n
}

// matches reports whether the action passes every filter.
func (in discoverIn) matches(a catalogueAction) bool {
	return (!in.EnabledOnly || a.bundle.Enabled) && in.matchesFilters(a)
}

// matchesFilters reports whether the action passes the filters other than EnabledOnly.
func (in discoverIn) matchesFilters(a catalogueAction) bool {
	return in.matchesBundle(a.bundle) &&
		(in.Effect == "" || string(a.Effect) == in.Effect) &&
		in.matchesTags(func(tag string) bool { return a.Action.HasTag(a.bundle.Tags, tag) })
}

// matchesBundle reports whether the bundle passes the filters by bundle and category.
func (in discoverIn) matchesBundle(b *metadata.Bundle) bool {
	return (in.Bundle == "" || b.Key == in.Bundle) && (in.Category == "" || b.Category == in.Category)
}

// matchesBroken reports whether the bundle has no actions because it cannot work, and passes
// every filter. Its own tags count. It never passes a filter by effect.
func (in discoverIn) matchesBroken(b *metadata.Bundle) bool {
	return b.Unavailable != "" && len(b.Actions) == 0 && (!in.EnabledOnly || b.Enabled) &&
		in.matchesBundle(b) && in.matchesTags(b.HasTag) && in.Effect == ""
}

// matchesTags reports whether no tag is wanted, or has is true for a wanted tag.
func (in discoverIn) matchesTags(has func(tag string) bool) bool {
	return len(in.Tags) == 0 || slices.ContainsFunc(in.Tags, has)
}

// filters returns the names of the filters that are set, other than EnabledOnly.
func (in discoverIn) filters() []string {
	var list []string
	for _, filter := range []struct {
		name string
		set  bool
	}{{"bundle", in.Bundle != ""}, {"category", in.Category != ""}, {"effect", in.Effect != ""}, {"tags", len(in.Tags) > 0}} {
		if filter.set {
			list = append(list, filter.name)
		}
	}
	return list
}

// shownTags is the maximum number of tags in an answer about a tag that does not exist.
const shownTags = 5

// emptyReason returns why no action fits, or "". It names a tag that no action has and the nearest
// tags. For a request with filters but no query, it says that no action passes the filters.
func (c *Catalogue) emptyReason(in discoverIn) string {
	var tags []string
	for entry, a := range c.actions {
		if c.callable(entry, in) {
			tags = append(append(tags, a.bundle.Tags...), a.Tags...)
		}
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	for _, tag := range in.Tags {
		if !slices.ContainsFunc(c.actions, func(a catalogueAction) bool { return a.Action.HasTag(a.bundle.Tags, tag) }) {
			near, relation := metadata.Nearest(tag, tags, shownTags), "Near it:"
			if len(near) == 0 {
				near, relation = tags[:min(shownTags, len(tags))], fmt.Sprintf("There are %s, such as", metadata.CountOf(len(tags), "tag"))
			}
			return fmt.Sprintf(" No action has the tag %q. %s %s.", metadata.Shorten(tag), relation, strings.Join(near, ", "))
		}
	}
	return ""
}
