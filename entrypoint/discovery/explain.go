package discovery

import "kota/metadata/search"

// An Explanation says why an action is a hit of a query.
type Explanation struct {
	Tool string
	Fits bool // whether the action answers the query; see Catalogue.hits
	search.Hit
}

// explain returns the explanations of hits.
func (c *Catalogue) explain(hits []search.Hit, fits func(search.Hit) bool) []Explanation {
	list := make([]Explanation, len(hits))
	for i, h := range hits {
		list[i] = Explanation{Tool: c.all[h.Entry].Tool, Fits: fits(h), Hit: h}
	}
	return list
}
