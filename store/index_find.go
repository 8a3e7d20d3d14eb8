package store

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"
)

// A scope narrows a search to some rows of the table.
type scope struct {
	where  string   // SQL over the table's columns
	args   []any    // one for each ? of it
	labels []string // terms that the category or tags must have: they narrow it quickly
}

const (
	// enough candidates are gathered, most promising first; only these are
	// scored. So the work does not grow with the rows that have a common word.
	enough = 150
	// rare terms have all their documents looked at, apart from that.
	rare = 100
	// mostProbes and mostSteps bound the search for them.
	mostProbes = 24
	mostSteps  = 150_000
	// mostCommon words are combined with each other.
	mostCommon = 7
)

// A probe is one question to the FTS index.
type probe struct {
	match string
	value float64 // weight of the words that its answers have for sure
	steps int     // about how many documents it passes by
}

// candidates returns the ids of the documents that have the most telling
// words of the wants: all those with a rare word, and of the others those
// with the heaviest combinations of common words, the newest first. It takes
// the combinations in the order of what they weigh, so a document that is
// left out has less of the query than any that was found.
func (db *DB) candidates(ctx context.Context, ix index, wants []want, in scope) ([]int64, error) {
	narrow := ""
	for _, label := range in.labels {
		narrow += " AND labels : " + quote(label)
	}
	var rares []string
	var common []want
	for _, w := range wants {
		switch {
		case len(w.terms) == 0:
		case w.allDocs() <= rare:
			rares = append(rares, w.match())
		default:
			common = append(common, w)
		}
	}
	ids := []int64{}
	if len(rares) > 0 {
		found, err := db.probe(ctx, ix, "{key labels body} : ("+strings.Join(rares, " OR ")+")"+narrow, in, rare*len(rares))
		if err != nil {
			return nil, err
		}
		ids = found
	}
	seen := make(map[int64]bool, len(ids)+enough)
	for _, id := range ids {
		seen[id] = true
	}
	already := len(ids)
	steps := 0
	for _, p := range probes(common) {
		missing := already + enough - len(ids)
		if missing <= 0 {
			break
		}
		if steps += min(p.steps, mostSteps); steps > mostSteps && p.steps > enough {
			continue
		}
		found, err := db.probe(ctx, ix, p.match+narrow, in, missing+len(ids))
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			if !seen[id] && len(ids) < already+enough {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// probe returns the ids that match, the newest first.
func (db *DB) probe(ctx context.Context, ix index, match string, in scope, limit int) ([]int64, error) {
	query := ix.sql("SELECT rowid FROM {}_words WHERE {}_words MATCH ? AND EXISTS (SELECT 1 FROM {} WHERE id = {}_words.rowid AND " +
		in.where + ") ORDER BY rowid DESC LIMIT ?")
	args := append(append([]any{match}, in.args...), limit)
	rows, err := db.readPool().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ids := []int64{}
	for rows.Next() {
		id := int64(0)
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// probes returns the combinations of common words, the heaviest first, each
// in the key alone and anywhere.
func probes(common []want) []probe {
	common = common[:min(len(common), mostCommon)]
	found := []probe{}
	for set := uint(1); set < 1<<len(common); set++ {
		matches := []string{}
		value, fewest := 0.0, 0
		for rest := set; rest != 0; rest &= rest - 1 {
			w := common[bits.TrailingZeros(rest)]
			matches = append(matches, w.match())
			value += w.weight
			if docs := w.allDocs(); fewest == 0 || docs < fewest {
				fewest = docs
			}
		}
		steps := fewest
		if len(matches) == 1 {
			steps = enough // it stops at the limit
		}
		all := strings.Join(matches, " AND ")
		found = append(found,
			probe{"key : (" + all + ")", value, steps},
			probe{"{key labels body} : (" + all + ")", value * inBody, steps})
	}
	slices.SortStableFunc(found, func(a, b probe) int { return cmp.Compare(b.value, a.value) })
	return found[:min(len(found), mostProbes)]
}

// allDocs bounds the documents that answer the want.
func (w want) allDocs() int {
	sum := 0
	for _, t := range w.terms {
		sum += t.docs
	}
	return sum
}

// match is the want as an FTS5 expression. Every term is a quoted string, so
// nothing in it is syntax.
func (w want) match() string {
	quoted := make([]string, len(w.terms))
	for i, t := range w.terms {
		quoted[i] = quote(t.term)
	}
	return "(" + strings.Join(quoted, " OR ") + ")"
}
