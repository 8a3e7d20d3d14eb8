package discovery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/metadata"
	"kota/metadata/search"
)

// A found set is what answers a query, the best first.
type found struct {
	note     string   // why not all of the search was done
	actions  []listed // that pass the filters and may be called
	others   []placed // that are of the kind asked for and may not be called
	before   []listed // of the others, those better than all actions
	filtered []listed // that are of another kind than asked for
}

// A placed action has a place in the ranking of all.
type placed struct {
	listed
	place int
}

// search returns the actions that answer the query. When not even the best of
// those that may be called answers it, there are none of them. What is
// deprecated stands behind all that is not.
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

// The shares of the best score at which another hit goes before one that deletes.
const (
	nearly  = 0.9 // where the query may ask for a deletion
	farther = 0.7 // where it has no verb of deletion
)

// mildFirst moves a hit that deletes nothing before the best one, if that one
// deletes and is hardly better: weak evidence must not lose anything. An action
// that the query names stays first.
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

// uncallable returns those of the kind asked for that may not be called.
func (c *Catalogue) uncallable(in discoverIn) []listed {
	var others []listed
	for entry, a := range c.all {
		if in.concerns(a) && !c.callable(entry, in) {
			others = append(others, a)
		}
	}
	return others
}

// callable reports whether the entry may be shown as an action to call: no
// setting forbids it, and its bundle is on, or it does not matter.
func (c *Catalogue) callable(entry int, in discoverIn) bool {
	return entry < len(c.actions) && (!in.EnabledOnly || c.all[entry].bundle.Enabled)
}

// among returns those of the others that would have been among the first n.
func (f found) among(n int) []listed {
	var first []listed
	for _, o := range f.others {
		if o.place < n {
			first = append(first, o.listed)
		}
	}
	return first
}

// hidden says how many actions are not offered under these settings, and which
// settings. What the profile leaves out altogether is among them only where the
// policy explains: it does not exist.
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
