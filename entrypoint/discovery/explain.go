package discovery

import "kota/metadata/search"

// An Explanation says why an action is a hit of a query, and whether the answer offers the action.
type Explanation struct {
	Tool    string  `json:"tool_name"`
	Offered string  `json:"offered"` // one of the values below
	Score   float64 `json:"score"`   // see search.Hit
	Why     string  `json:"why"`     // search.Hit.MatchKind
	Words   float64 `json:"words"`   // this and the next two: see search.Evidence
	Request float64 `json:"request"`
	Clause  string  `json:"clause,omitempty"`
}

// The values of Explanation.Offered.
const (
	OfferedYes    = "yes"
	OfferedNo     = "no"     // it does not fit the query
	OfferedOff    = "off"    // it fits, but its bundle is off
	OfferedLacks  = "lacks"  // it fits, but no account has granted the permissions that it needs, or its bundle cannot work now
	OfferedHidden = "hidden" // it fits, but the profile hides it or allows no call
)

// A rankedHit is a hit that passes the filters.
type rankedHit struct {
	catalogueAction
	hit     search.Hit
	offered string
}

// obstacle returns why an action that fits may not be called. An action is off only if it can be
// called once its bundle is on.
func (c *Catalogue) obstacle(a catalogueAction) string {
	granted := c.policy.Granted(*a.Action)
	switch {
	case granted && !contains(c.actions, a.Tool):
		return OfferedHidden
	case !a.bundle.Enabled:
		return OfferedOff
	case !granted:
		return OfferedLacks
	}
	return OfferedHidden
}

// explain returns the explanations of the shown actions, in their order. Among them are the other
// hits that rank before the last shown action, at most limit. If no action is shown, it returns
// the first hits, at most limit.
func (f searchResult) explain(shown []catalogueAction, limit int) []Explanation {
	list := []Explanation{}
	left, others := len(shown), 0
	for _, h := range f.hits {
		switch {
		case len(shown) > 0 && left == 0:
			return list
		case contains(shown, h.Tool):
			left--
		case f.offers(h) || others == limit:
			continue
		default:
			others++
		}
		list = append(list, Explanation{
			Tool: h.Tool, Offered: h.offered, Score: h.hit.Score, Why: h.hit.MatchKind,
			Words: h.hit.Evidence.Words, Request: h.hit.Evidence.Request, Clause: h.hit.Evidence.Clause,
		})
	}
	return list
}

// offers reports whether the hit is one of the actions of the result, which other pages show.
func (f searchResult) offers(h rankedHit) bool { return contains(f.actions, h.Tool) }
