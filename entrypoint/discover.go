package entrypoint

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kota/metadata"
)

type discoverIn struct {
	Query       string   `json:"query,omitempty" doc:"what you want to do: \"remember a preference\""`
	Category    string   `json:"category,omitempty" enum:"core,optional"`
	Tags        []string `json:"tags,omitempty" doc:"any of these bundle or action tags"`
	Effect      string   `json:"effect,omitempty" enum:"reads,writes,destroys,sends"`
	EnabledOnly bool     `json:"enabled_only,omitempty" default:"true"`
	Limit       int      `json:"limit,omitempty" default:"5" min:"1" max:"50" doc:"actions per answer"`
	Cursor      string   `json:"cursor,omitempty" doc:"next_cursor of the last answer"`
}

// A Discovery is the answer of kota_discover_bundles. It keeps the original's
// fields and adds the actions found.
type Discovery struct {
	Bundles    []BundleLine   `json:"bundles"`
	TotalCount int            `json:"total_count"` // of bundles that pass the filters
	Categories map[string]int `json:"categories"`
	Actions    []ActionLine   `json:"actions,omitempty"`
	NextCursor string         `json:"next_cursor,omitempty"`
	Next       string         `json:"next,omitempty"` // what to do with this answer
}

// A BundleLine is a bundle in one line.
type BundleLine struct {
	Key         string   `json:"key"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Category    string   `json:"category"`
	Tags        []string `json:"tags"`
	Enabled     bool     `json:"enabled"`
	Unavailable string   `json:"unavailable,omitempty"`
	ActionCount int      `json:"action_count"`
}

// An ActionLine is an action found, with all that most calls of it need.
type ActionLine struct {
	Tool      string          `json:"tool_name"`
	Summary   string          `json:"summary"`
	Signature string          `json:"signature"`
	Effect    metadata.Effect `json:"effect"`
}

const (
	nextBrowse = "Search with query, or kota_describe_bundle {bundle}."
	nextCall   = "Call tool_name."
	nextMissed = "Nothing fits. These are all the bundles."
)

// discover browses the bundles, or searches their actions. It never answers
// empty-handed: a miss returns every bundle and the nearest names.
func (c *catalogue) discover(_ context.Context, in discoverIn) (Discovery, error) {
	offset, err := readCursor(in.Cursor)
	if err != nil {
		return Discovery{}, err
	}
	out := c.browse(in)
	if strings.TrimSpace(in.Query) == "" {
		out.Bundles, out.NextCursor = page(out.Bundles, offset, browseLimit)
		out.Next = nextBrowse
		if out.TotalCount == 0 {
			return c.missed(in), nil
		}
		return out, nil
	}
	found := c.search(in)
	if len(found) == 0 {
		return c.missed(in), nil
	}
	found, out.NextCursor = page(found, offset, in.Limit)
	out.Bundles = []BundleLine{}
	out.Actions = []ActionLine{}
	for i, a := range found {
		if !slices.ContainsFunc(out.Bundles, func(b BundleLine) bool { return b.Key == a.bundle.Key }) {
			out.Bundles = append(out.Bundles, line(*a.bundle))
		}
		signature := a.Signature()
		if i > 0 {
			signature = a.ShortSignature()
		}
		out.Actions = append(out.Actions, ActionLine{Tool: a.Tool, Summary: a.Summary, Signature: signature, Effect: a.Effect})
	}
	out.Next = nextCall
	return out, nil
}

// browse returns one line for every bundle that passes the filters, all of
// which must hold.
func (c *catalogue) browse(in discoverIn) Discovery {
	out := Discovery{Bundles: []BundleLine{}, Categories: map[string]int{}}
	for i := range c.bundles {
		b := &c.bundles[i]
		if !slices.ContainsFunc(c.actions, func(a listed) bool { return a.bundle == b && in.admits(a) }) {
			continue
		}
		out.Bundles = append(out.Bundles, line(*b))
		out.Categories[b.Category]++
	}
	out.TotalCount = len(out.Bundles)
	return out
}

// search returns the actions that answer the query and pass every filter, the
// best first. Their order says all a caller needs of their scores.
func (c *catalogue) search(in discoverIn) []listed {
	var found []listed
	for _, h := range c.index().Search(in.Query, len(c.actions)) {
		if a := c.actions[h.Entry]; in.admits(a) {
			found = append(found, a)
		}
	}
	return found
}

// admits reports whether the action passes every filter.
func (in discoverIn) admits(a listed) bool {
	return (!in.EnabledOnly || a.bundle.Enabled) &&
		(in.Category == "" || a.bundle.Category == in.Category) &&
		(in.Effect == "" || string(a.Effect) == in.Effect) &&
		(len(in.Tags) == 0 || slices.ContainsFunc(in.Tags, func(tag string) bool {
			return hasTag(a.bundle.Tags, tag) || hasTag(a.Tags, tag)
		}))
}

func hasTag(tags []string, want string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool { return strings.EqualFold(tag, strings.TrimSpace(want)) })
}

// missed shows the way out of a search without hits.
func (c *catalogue) missed(in discoverIn) Discovery {
	out := c.browse(discoverIn{EnabledOnly: in.EnabledOnly})
	out.Next = nextMissed
	names := make([]string, 0, len(c.actions))
	for _, a := range c.actions {
		if !in.EnabledOnly || a.bundle.Enabled {
			names = append(names, a.Tool)
		}
	}
	if near := metadata.Nearest(in.Query, names, 3); len(near) > 0 {
		out.Next += " Nearest names: " + strings.Join(near, ", ") + "."
	}
	if in.EnabledOnly {
		out.Next += c.wouldFit(in)
	}
	return out
}

// wouldFit names the bundles that are off and have what was asked for.
func (c *catalogue) wouldFit(in discoverIn) string {
	in.EnabledOnly = false
	fitting := map[string]bool{}
	if strings.TrimSpace(in.Query) == "" {
		for _, b := range c.browse(in).Bundles {
			fitting[b.Key] = true
		}
	}
	for _, a := range c.search(in) {
		fitting[a.bundle.Key] = true
	}
	if len(fitting) == 0 {
		return ""
	}
	keys := slices.Sorted(maps.Keys(fitting))
	return fmt.Sprintf(" Off, and fitting: %s. The user can run `kota bundles enable %s`.", strings.Join(keys, ", "), keys[0])
}

func line(b metadata.Bundle) BundleLine {
	return BundleLine{
		Key: b.Key, Name: b.Name, Description: b.Description, Category: b.Category, Tags: b.Tags,
		Enabled: b.Enabled, Unavailable: b.Unavailable, ActionCount: len(b.Actions),
	}
}

// browseLimit bounds a listing of bundles, whose lines are cheaper than
// actions: five of them would be a poor index.
const browseLimit = 50

// page cuts one page out of all and returns the cursor of the next one.
func page[T any](all []T, offset, limit int) ([]T, string) {
	from := min(offset, len(all))
	to := min(from+limit, len(all))
	if to < len(all) {
		return all[from:to], "at-" + strconv.Itoa(to)
	}
	return all[from:to], ""
}

// readCursor reads what page wrote. Since the catalogue never changes, a
// position is a stable cursor.
func readCursor(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	digits, ok := strings.CutPrefix(cursor, "at-")
	offset, err := strconv.Atoi(digits)
	if !ok || err != nil || offset < 0 {
		e := metadata.Errorf(metadata.ValidationError, "the cursor is not one of KOTA's")
		e.Problems = []metadata.Problem{{Path: "cursor", Expected: "next_cursor of an earlier answer", Got: shorten(cursor)}}
		return 0, e.WithHint("Leave cursor out to start again.")
	}
	return offset, nil
}
