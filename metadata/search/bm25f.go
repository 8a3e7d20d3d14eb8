package search

import "math"

// A field is a part of an entry with its own weight.
type field struct {
	weight float64 // how much one word in this field counts
	norm   float64 // how much less a word counts in a long text: 0 not at all, 1 in proportion to the length
	text   func(Entry) []string
}

// The fields and their weights. The name of an action counts most. Summaries, tags and phrases
// count more than other text. The whole tool name and parameters count less, because part of a
// tool name is the bundle's. The bundle's text, which its actions share, counts least.
var fields = []field{
	{3.0, 0.3, func(e Entry) []string { return []string{e.Name} }},            // name
	{0.8, 0.3, func(e Entry) []string { return []string{e.Bundle, e.Tool} }},  // bundle and tool
	{1.5, 0.75, func(e Entry) []string { return []string{e.Summary} }},        // summary
	{1.0, 0.75, func(e Entry) []string { return []string{e.Description} }},    // description
	{0.6, 0.75, func(e Entry) []string { return paramNames(e.Params) }},       // parameter names
	{0.4, 0.5, func(e Entry) []string { return paramDescriptions(e.Params) }}, // parameter descriptions
	{1.5, 0.5, func(e Entry) []string { return e.Tags }},                      // tags
	{1.5, 0.5, func(e Entry) []string { return e.Phrases }},                   // phrases
	{1.0, 0.5, func(e Entry) []string { return e.Examples }},                  // examples
	{0.3, 0.75, func(e Entry) []string { return []string{e.BundleText} }},     // bundle text
}

func paramNames(params []Param) []string {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	return names
}

func paramDescriptions(params []Param) []string {
	texts := make([]string, len(params))
	for i, p := range params {
		texts[i] = p.Description
	}
	return texts
}

// saturation is k1 of BM25. The smaller it is, the less repeated occurrences count.
const saturation = 1.2

// A posting says how much a term counts for an entry, at most the term's idf.
type posting struct {
	entry  int
	impact float64
}

// An occurrence is one word in one field of an entry.
type occurrence struct{ term, entry, field int32 }

// weigh turns occurrences into postings by BM25F (Robertson, Zaragoza and Taylor, "Simple
// BM25 extension to multiple weighted fields", 2004). It sums the weighted, length-normalised
// frequencies of all fields before saturation. The occurrences must be grouped by entry.
// lengths[field][entry] is a number of words. It returns the postings and the idf by term.
func weigh(occurrences []occurrence, terms, entries int, lengths [][]float64) (postings [][]posting, idf []float64) {
	average := make([]float64, len(fields))
	for f := range fields {
		for _, n := range lengths[f] {
			average[f] += n / float64(entries)
		}
	}
	postings = make([][]posting, terms)
	for _, o := range occurrences {
		f := fields[o.field]
		frequency := f.weight / (1 - f.norm + f.norm*lengths[o.field][o.entry]/average[o.field])
		if last := len(postings[o.term]) - 1; last >= 0 && postings[o.term][last].entry == int(o.entry) {
			postings[o.term][last].impact += frequency
			continue
		}
		postings[o.term] = append(postings[o.term], posting{int(o.entry), frequency})
	}
	idf = make([]float64, terms)
	for t, list := range postings {
		idf[t] = idfOf(len(list), entries)
		for i, p := range list {
			list[i].impact = idf[t] * p.impact / (p.impact + saturation)
		}
	}
	return postings, idf
}

// idfOf returns BM25's inverse document frequency of a term in n of total entries. It is
// always positive.
func idfOf(n, total int) float64 {
	return math.Log(1 + (float64(total-n)+0.5)/(float64(n)+0.5))
}
