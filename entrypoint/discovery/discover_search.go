package discovery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/metadata"
	"kota/metadata/search"
)

// A searchResult has the actions that match a query, the best first.
type searchResult struct {
	note     string            // why the search is incomplete
	actions  []catalogueAction // actions that pass the filters and may be called
	others   []rankedAction    // actions that fit and pass the filters, but may not be called
	above    []catalogueAction // the part of others that ranks above all of actions, at most as many as one answer shows
	filtered []catalogueAction // actions that fit, may be called and suggested, but do not pass the filters

	hits []rankedHit // all hits that pass the filters; the actions in it are in the order of actions
}

// A rankedAction is an action with its rank among actions and others.
type rankedAction struct {
	catalogueAction
	rank int
}

// minShare is the share of the best score that the best callable hit needs. With gmail off, an
// action of the diary is no answer to "send a mail".
const minShare = 0.1

// search returns the actions that answer the query. If the best callable hit does not fit,
// searchResult.actions is empty. Deprecated actions come last.
func (c *Catalogue) search(ctx context.Context, in discoverIn) searchResult {
	hits, fits, note := c.hits(ctx, in.Query)
	c.preferNonDeleting(in.Query, hits, fits)
	c.preferReading(in.Query, hits, fits)
	f, tooWeak := searchResult{note: note}, false
	for _, h := range hits {
		a, offered := c.all[h.Entry], OfferedNo
		switch {
		case !in.matchesFilters(a):
			if fits(h) && h.Score >= minShare*hits[0].Score && c.callable(h.Entry, in) && maySuggest(in.Query, *a.Action) {
				f.filtered = append(f.filtered, a)
			}
			continue
		case c.callable(h.Entry, in):
			tooWeak = tooWeak || len(f.actions) == 0 && (!fits(h) || h.Score < minShare*hits[0].Score)
			if !tooWeak {
				f.actions, offered = append(f.actions, a), OfferedYes
				if a.bundle.Enabled && c.unavailableReason(*a.bundle) != "" {
					offered = OfferedLacks
				}
			}
		case fits(h):
			f.others = append(f.others, rankedAction{a, len(f.actions) + len(f.others)})
			if len(f.actions) == 0 && len(f.above) < in.Limit {
				f.above = append(f.above, a)
			}
			offered = c.obstacle(a)
		}
		f.hits = append(f.hits, rankedHit{a, h, offered})
	}
	slices.SortStableFunc(f.actions, func(a, b catalogueAction) int { return deprecation(a) - deprecation(b) })
	slices.SortStableFunc(f.hits, func(a, b rankedHit) int { return deprecation(a.catalogueAction) - deprecation(b.catalogueAction) })
	return f
}

// The share of the best score that another hit needs to rank before a hit that deletes.
const (
	ratioIfAsked    = 0.9 // if the query has a verb of deletion
	ratioIfNotAsked = 0.7 // if it has none
)

// preferNonDeleting reorders hits if the best hit deletes something. It moves the first hit that
// fits and deletes nothing to the front, if the score of that hit is almost as high. Weak
// evidence must not lead to a loss of data. An action that the query names exactly stays first.
func (c *Catalogue) preferNonDeleting(query string, hits []search.Hit, fits func(search.Hit) bool) {
	if len(hits) == 0 || hits[0].MatchKind == search.MatchExact || !search.Deletes(*c.all[hits[0].Entry].Action) {
		return
	}
	minRatio := ratioIfAsked
	if !search.AsksToDelete(query) {
		minRatio = ratioIfNotAsked
	}
	for i, h := range hits {
		switch {
		case h.Score < minRatio*hits[0].Score:
			return
		case !search.Deletes(*c.all[h.Entry].Action) && fits(h):
			copy(hits[1:i+1], hits[:i])
			hits[0] = h
			return
		}
	}
}

// minReading is the share of the best score that an action that reads needs to rank first for a
// question.
const minReading = 0.5

// preferReading moves the first hit that fits and reads to the front, if the query is a question,
// the best hit sends something, and the score of the hit is high enough: "did I send the mail".
func (c *Catalogue) preferReading(query string, hits []search.Hit, fits func(search.Hit) bool) {
	if len(hits) == 0 || hits[0].MatchKind == search.MatchExact || c.all[hits[0].Entry].Effect != metadata.Sends || !search.IsQuestion(query) {
		return
	}
	for i, h := range hits {
		switch {
		case h.Score < minReading*hits[0].Score:
			return
		case c.all[h.Entry].Effect == metadata.Reads && fits(h):
			copy(hits[1:i+1], hits[:i])
			hits[0] = h
			return
		}
	}
}

func deprecation(a catalogueAction) int { return min(len(a.Deprecated), 1) }

// uncallable returns the actions that pass the filters and may not be called.
func (c *Catalogue) uncallable(in discoverIn) []catalogueAction {
	var others []catalogueAction
	for entry, a := range c.all {
		if in.matchesFilters(a) && !c.callable(entry, in) {
			others = append(others, a)
		}
	}
	return others
}

// callable reports whether the entry may be shown as an action to call. No setting may forbid
// the action, and its bundle must be on unless EnabledOnly is false.
func (c *Catalogue) callable(entry int, in discoverIn) bool {
	return entry < len(c.actions) && (!in.EnabledOnly || c.all[entry].bundle.Enabled)
}

// othersAmong returns the part of others with a rank below n.
func (f searchResult) othersAmong(n int) []catalogueAction {
	var first []catalogueAction
	for _, o := range f.others {
		if o.rank < n {
			first = append(first, o.catalogueAction)
		}
	}
	return first
}

// hiddenSummary returns how many of the actions are hidden by which settings, and how the user
// can change these settings. It counts the actions as this
// noun, or as "more" if noun is "".
func (c *Catalogue) hiddenSummary(noun string, actions []catalogueAction) string {
	forbidden, lacking, off := 0, 0, 0
	var keys []string
	for _, a := range actions {
		switch c.obstacle(a) {
		case OfferedOff:
			off++
			if !slices.Contains(keys, a.bundle.Key) {
				keys = append(keys, a.bundle.Key)
			}
		case OfferedLacks:
			lacking++
		default:
			forbidden++
		}
	}
	count := func(n int) string {
		if noun == "" {
			return fmt.Sprintf("%d more", n)
		}
		return metadata.CountOf(n, noun)
	}
	var reasons []string
	if forbidden > 0 {
		reasons = append(reasons, fmt.Sprintf("%s hidden by profile %s", count(forbidden), c.profile))
	}
	if lacking > 0 {
		reasons = append(reasons, fmt.Sprintf("%s without the permissions that an account must grant; the user can run kota auth login", count(lacking)))
	}
	if off > 0 {
		reasons = append(reasons, fmt.Sprintf("%s in bundles that are off (%s); the user can run kota bundles enable %s", count(off), strings.Join(keys, ", "), keys[0]))
	}
	return strings.Join(reasons, "; ")
}
