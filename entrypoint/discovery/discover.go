package discovery

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/metadata"
	"kota/metadata/search"
)

type discoverIn struct {
	Query       string   `json:"query,omitempty" alias:"q,search,text,keywords" doc:"what you want to do, in plain words; or \"select:tool_name,tool_name\""`
	Bundle      string   `json:"bundle,omitempty" alias:"bundles" doc:"its key"`
	Category    string   `json:"category,omitempty" enum:"core,optional"`
	Tags        []string `json:"tags,omitempty" doc:"any of these bundle or action tags"`
	Effect      string   `json:"effect,omitempty" enum:"reads,writes,destroys,sends"`
	EnabledOnly bool     `json:"enabled_only,omitempty" default:"true"`
	Detail      string   `json:"detail,omitempty" enum:"names|brief,signatures,full|spec|schema" default:"signatures"`
	Limit       int      `json:"limit,omitempty" alias:"max_results,count" default:"5" min:"1" max:"50" doc:"actions per answer; above 5 also gives next_cursor"`
	Cursor      string   `json:"cursor,omitempty" doc:"next_cursor of the last answer"`
}

// Findings is the answer of kota_discover_bundles. It has the fields that clients of the
// original KOTA read, and the actions found. If no action fits a request, it has the Index
// instead of Actions. Bundles, TotalCount, Categories and Index then ignore all filters except
// EnabledOnly. An overview also has the Index, with only the actions that pass the filters.
type Findings struct {
	Bundles    []BundleLine      `json:"bundles"`               // the bundles that pass the filters; in a search only the bundles of the actions found
	TotalCount int               `json:"total_count,omitempty"` // the number of bundles that pass the filters; absent if a search found actions
	Categories map[string]int    `json:"categories,omitempty"`  // the number of these bundles by category; absent if a search found actions
	Actions    []ActionLine      `json:"actions,omitempty"`     // the best first, or in the selected order
	Call       *metadata.Step    `json:"call,omitempty"`        // a call of the first action, ready to adapt
	Missing    []MissingAction   `json:"missing,omitempty"`     // the selected names that cannot be shown
	Index      map[string]string `json:"index,omitempty"`       // the names of the callable actions by bundle
	Hidden     string            `json:"hidden,omitempty"`      // how many actions other settings would show, and which settings
	Note       string            `json:"note,omitempty"`        // why the search is incomplete
	NextCursor string            `json:"next_cursor,omitempty"`
	Next       string            `json:"next,omitempty"` // what to do with this answer

	// Explained says which evidence found the actions, and which hits before them are not
	// offered. It is nil if nothing was searched. It is for people on the command line.
	Explained []Explanation `json:"-"`

	// Instructions is the profile's text for the model, in an overview of the bundles or
	// actions. Some clients do not show their model the instructions of the server.
	Instructions string `json:"instructions,omitempty"`
}

// A BundleLine is a bundle in one line. In a search it has only Key, Enabled,
// ActionCount and Unavailable.
type BundleLine struct {
	Key         string   `json:"key"`
	Name        string   `json:"name,omitempty"`
	Description string   `json:"description,omitempty"`
	Category    string   `json:"category,omitempty"`
	Tags        []string `json:"tags,omitzero"`
	Enabled     bool     `json:"enabled"`
	Unavailable string   `json:"unavailable,omitempty"`
	ActionCount int      `json:"action_count"`
}

// An ActionLine is a found action. The best actions have Summary, Signature and Effect,
// which are enough for most calls; the others have only the name. With the detail "names",
// each action has Brief instead; with "full", it has Spec.
type ActionLine struct {
	Tool      string          `json:"tool_name"`
	Summary   string          `json:"summary,omitempty"`
	Signature string          `json:"signature,omitempty"`
	Effect    metadata.Effect `json:"effect,omitempty"`
	Brief     string          `json:"brief,omitempty"` // see metadata.Action.Brief
	Spec      string          `json:"spec,omitempty"`  // see metadata.Action.Spec

	Deprecated string `json:"deprecated,omitempty"` // what to call instead
}

// A MissingAction says why a requested name is not shown.
type MissingAction struct {
	Name   string `json:"name"`
	Reason string `json:"why"`
}

const (
	nextBrowse = "Search with query, or kota_describe_bundle {bundle, detail: \"brief\"}."
	nextCall   = "Call tool_name."
	nextIndex  = "the index names the actions you can call."
	nextAll    = "The index names the matching actions. " + nextBrowse

	// NextOtherScript begins Findings.Next for a query in another script.
	NextOtherScript = "Nothing matches; ask in English, Dutch, French, German, Italian or Spanish, or use the index."

	nextNothing = "No action can be called: no bundle is on, or the profile allows none."
)

// maxQuery is the maximum length of a query in characters.
const maxQuery = 2000

// discover browses the bundles, searches their actions, or shows the actions selected
// by name. If nothing fits, it returns every bundle with the names of its actions, and
// the nearest names. It returns NotFound with the nearest key if the bundle does not
// exist.
func (c *Catalogue) discover(ctx context.Context, in discoverIn) (Findings, error) {
	if _, known := c.bundle(in.Bundle); in.Bundle != "" && !known {
		return Findings{}, c.unknownBundleError(in.Bundle)
	}
	if n := utf8.RuneCountInString(in.Query); n > maxQuery {
		return Findings{}, metadata.Errorf(metadata.ValidationError, "query: it has %d characters; at most %d are allowed", n, maxQuery).
			WithHint("say in one sentence what you want to do, or name up to 40 actions with select:")
	}
	offset, err := in.readCursor()
	if err != nil {
		return Findings{}, err
	}
	query := strings.TrimSpace(in.Query)
	names, selecting := selection(query)
	switch {
	case selecting:
		return c.answerSelection(in, names), nil
	case query == "":
		return c.answerBrowse(in, offset)
	case search.AsksForOverview(query) && len(c.index().Named(query)) == 0:
		if out := c.answerAll(in); len(out.Index) > 0 {
			return out, nil
		}
	}
	return c.answerQuery(ctx, in, offset)
}

// answerBrowse answers a request without a query.
func (c *Catalogue) answerBrowse(in discoverIn, offset int) (Findings, error) {
	out := c.browse(in)
	if out.TotalCount == 0 {
		return c.noMatch(in, c.uncallable(in)), nil
	}
	var err error
	if out.Bundles, out.NextCursor, err = page(out.Bundles, offset, browseLimit, in); err != nil {
		return Findings{}, err
	}
	out.Hidden, out.Next, out.Instructions = c.hiddenSummary("", c.uncallable(in)), nextBrowse, c.instructions
	return out, nil
}

// browse returns one line for every bundle with an action that passes all filters, and for every
// broken bundle that passes them.
func (c *Catalogue) browse(in discoverIn) Findings {
	out := Findings{Bundles: []BundleLine{}, Categories: map[string]int{}}
	for i := range c.bundles {
		b := &c.bundles[i]
		count := c.count(b, in)
		if count == 0 && !in.matchesBroken(b) {
			continue
		}
		out.Bundles = append(out.Bundles, c.bundleLine(*b, count))
		out.Categories[b.Category]++
	}
	out.TotalCount = len(out.Bundles)
	return out
}

// answerAll answers a query for an overview with the names of all actions that pass the
// filters.
func (c *Catalogue) answerAll(in discoverIn) Findings {
	var matching []catalogueAction
	for _, a := range c.actions {
		if in.matches(a) {
			matching = append(matching, a)
		}
	}
	out := c.browse(in)
	out.Bundles, out.Index, out.Next = c.shortBundleLines(matching), index(matching), nextAll
	out.Hidden, out.Instructions = c.hiddenSummary("", c.uncallable(in)), c.instructions
	return out
}

// answerQuery answers a query by a search.
func (c *Catalogue) answerQuery(ctx context.Context, in discoverIn, offset int) (Findings, error) {
	f := c.search(ctx, in)
	if len(f.actions) == 0 {
		out := c.noMatch(in, f.othersAmong(in.Limit), f.filtered...)
		out.Note, out.Explained = f.note, f.explain(nil, in.Limit)
		return out, nil
	}
	shown, next, err := page(f.actions, offset, in.Limit, in)
	if err != nil {
		return Findings{}, err
	}
	out := Findings{Note: f.note, Explained: f.explain(shown, in.Limit)}
	if in.wantsPages() {
		out.NextCursor = next
	}
	if offset == 0 {
		out.Hidden = c.hiddenSummary("better result", f.above)
	}
	c.show(&out, in, shown, maxSignatures)
	if in.Detail == detailSignatures {
		out.shorten()
	}
	return out, nil
}

// show fills in the actions of an answer and their bundles. The parameter signed is the maximum
// number of actions with a signature.
func (c *Catalogue) show(out *Findings, in discoverIn, shown []catalogueAction, signed int) {
	out.Bundles = c.shortBundleLines(shown)
	if len(shown) > 0 {
		out.Call = c.exampleCall(shown[0], in.Query)
	}
	out.Actions, out.Next = actionLines(shown, in.Detail, signed), nextCall
	if summary := c.policySummary(shown); summary != "" && !c.policy.ReadsOnly() {
		out.Next += " " + summary
	}
}

// noMatch answers a request that no callable action fits. The actions in others fit, but may
// not be called. The actions in filtered: see searchResult.
func (c *Catalogue) noMatch(in discoverIn, others []catalogueAction, filtered ...catalogueAction) Findings {
	out := c.browse(discoverIn{EnabledOnly: in.EnabledOnly})
	var callable []catalogueAction
	var names, off []string
	for entry, a := range c.actions {
		switch {
		case c.callable(entry, in):
			callable = append(callable, a)
			if maySuggest(in.Query, *a.Action) {
				names = append(names, a.Tool)
			}
		case !slices.Contains(off, a.bundle.Key):
			off = append(off, a.bundle.Key)
		}
	}
	out.Bundles, out.Index = c.shortBundleLines(callable), index(callable)
	if b, known := c.bundle(in.Bundle); known && in.EnabledOnly && !b.Enabled {
		out.Next = fmt.Sprintf("%s is off, so its %s are not searched; the user can run kota bundles enable %s.", b.Key, metadata.CountOf(len(b.Actions), "action"), b.Key)
		return out
	}
	out.Next = in.noMatchText() + c.emptyReason(in)
	if len(callable) == 0 {
		out.Next = nextNothing
	}
	if near := metadata.Nearest(in.Query, names, 3); len(near) > 0 {
		out.Next += fmt.Sprintf(" Nearest: %s.", strings.Join(near, ", "))
	}
	if len(off) > 0 {
		out.Next += fmt.Sprintf(" Bundles that are off: %s.", strings.Join(off, ", "))
	}
	if len(filtered) > 0 {
		out.Next += fmt.Sprintf(" Without %s, %s would match.", strings.Join(in.filters(), " and "), filtered[0].Tool)
	}
	out.Hidden = c.hiddenSummary("result", others)
	return out
}

// noMatchText says that nothing matches. It names the languages of discovery if most letters of
// the query are of another script.
func (in discoverIn) noMatchText() string {
	latin, other := 0, 0
	for _, r := range in.Query {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	filters := len(in.filters())
	switch {
	case other > latin:
		return NextOtherScript
	case in.Query == "" && filters == 1:
		return "No action passes the filter; " + nextIndex
	case in.Query == "" && filters > 1:
		return "No action passes all filters; omit one; " + nextIndex
	}
	return "Nothing matches; " + nextIndex
}

// index returns the names of the actions by bundle: "set, get, list".
func index(actions []catalogueAction) map[string]string {
	names := map[string]string{}
	for _, a := range actions {
		if names[a.bundle.Key] != "" {
			names[a.bundle.Key] += ", "
		}
		names[a.bundle.Key] += a.Name
	}
	return names
}
