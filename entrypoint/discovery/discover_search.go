package discovery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/metadata"
	"kota/metadata/search"
)

// A found set is the result of a query, the best first.
type found struct {
	note     string   // why the search is incomplete
	actions  []listed // pass the filters and may be called
	others   []placed // are of the requested kind and may not be called
	before   []listed // those of the others that rank above all actions
	filtered []listed // are of another kind than requested
}

// A placed action has its rank among all actions.
type placed struct {
	listed
	place int
}

// search returns the actions that answer the query. If the best callable one does not
// answer it, found.actions is empty. Deprecated actions come last.
func (c *Catalogue) search(ctx context.Context, in discoverIn) found {
	hits, fits, note := c.hits(ctx, in.Query)
	c.mildFirst(in.Query, hits, fits)
	f, missed := found{note: note}, false
	for _, h := range hits {
		a := c.all[h.Entry]
		switch {
		case !in.concerns(a):
			if fits(h) {
				f.filtered = append(f.filtered, a)
			}
		case c.callable(h.Entry, in):
			missed = missed || len(f.actions) == 0 && !fits(h)
			if !missed {
				f.actions = append(f.actions, a)
			}
		case fits(h):
			f.others = append(f.others, placed{a, len(f.actions) + len(f.others)})
			if len(f.actions) == 0 {
				f.before = append(f.before, a)
			}
		}
	}
	slices.SortStableFunc(f.actions, func(a, b listed) int { return deprecation(a) - deprecation(b) })
	return f
}

// The share of the best score that another hit needs to rank before a hit that deletes.
const (
	nearly  = 0.9 // if the query may ask for a deletion
	farther = 0.7 // if the query has no verb of deletion
)

// mildFirst moves a hit that deletes nothing to the front, if the best hit deletes and
// is hardly better. Weak evidence must not lead to a loss of data. An action that the
// query names exactly stays first.
func (c *Catalogue) mildFirst(query string, hits []search.Hit, fits func(search.Hit) bool) {
	if len(hits) == 0 || hits[0].Why == search.WhyExact || !search.Deletes(c.all[hits[0].Entry].Action) {
		return
	}
	least := nearly
	if c.all[hits[0].Entry].Effect != metadata.Destroys && !search.AsksToDelete(query) {
		least = farther
	}
	for i, h := range hits {
		switch {
		case h.Score < least*hits[0].Score:
			return
		case !search.Deletes(c.all[h.Entry].Action) && fits(h):
			copy(hits[1:i+1], hits[:i])
			hits[0] = h
			return
		}
	}
}

func deprecation(a listed) int { return min(len(a.Deprecated), 1) }

// uncallable returns the actions of the requested kind that may not be called.
func (c *Catalogue) uncallable(in discoverIn) []listed {
	var others []listed
	for entry, a := range c.all {
		if in.concerns(a) && !c.callable(entry, in) {
			others = append(others, a)
		}
	}
	return others
}

// callable reports whether the entry may be shown as an action to call: no setting
// forbids it, and its bundle is on or EnabledOnly is false.
func (c *Catalogue) callable(entry int, in discoverIn) bool {
	return entry < len(c.actions) && (!in.EnabledOnly || c.all[entry].bundle.Enabled)
}

// among returns the others that would have been among the first n.
func (f found) among(n int) []listed {
	var first []listed
	for _, o := range f.others {
		if o.place < n {
			first = append(first, o.listed)
		}
	}
	return first
}

// hidden says how many actions the settings hide, and which settings. It includes
// actions that the profile hides only if the policy explains what it hides.
func (c *Catalogue) hidden(actions []listed) string {
	forbidden, lacking, off := 0, 0, 0
	var keys []string
	for _, a := range actions {
		switch {
		case !a.bundle.Enabled:
			off++
			if !slices.Contains(keys, a.bundle.Key) {
				keys = append(keys, a.bundle.Key)
			}
		case !c.policy.Granted(a.Action):
			lacking++
		default:
			forbidden++
		}
	}
	var reasons []string
	if forbidden > 0 {
		reasons = append(reasons, fmt.Sprintf("%d more hidden by profile %s", forbidden, c.profile))
	}
	if lacking > 0 {
		reasons = append(reasons, fmt.Sprintf("%d more need rights that no account has granted: kota auth login", lacking))
	}
	if off > 0 {
		reasons = append(reasons, fmt.Sprintf("%d more in bundles that are off (%s): kota bundles enable %s", off, strings.Join(keys, ", "), keys[0]))
	}
	return strings.Join(reasons, "; ")
}
