package memory

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
	"kota/store/semantic"
)

type searchIn struct {
	Query    string   `json:"query,omitempty" alias:"q,text" doc:"words; without: all that match the filters"`
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitempty" doc:"all of them"`
	Since    string   `json:"since,omitempty" doc:"changed since: RFC 3339 or date"`
	Until    string   `json:"until,omitempty" doc:"changed before"`
	Sort     string   `json:"sort,omitempty" enum:"relevance,newest,oldest,key" default:"relevance"`
	Limit    int      `json:"limit,omitempty" alias:"max_results,count" default:"8" min:"1" max:"50"`
	Cursor   string   `json:"cursor,omitempty"`
	Detail   string   `json:"detail,omitempty" enum:"keys,snippet,full" default:"snippet"`
}

type searchOut struct {
	Hits       []searchHit `json:"hits"`
	Confidence string      `json:"confidence" enum:"high,low,none"`
	NextCursor string      `json:"next_cursor,omitempty"`
	Nearest    []string    `json:"nearest,omitempty"`   // keys, if nothing matches
	Unindexed  int         `json:"unindexed,omitempty"` // memories that were not searched, because the index cannot be written
	Note       string      `json:"note,omitempty"`      // why the search was incomplete

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of nearest
}

// A searchHit is a matching memory, with as much data as detail requests.
type searchHit struct {
	Key      string          `json:"key"`
	Snippet  string          `json:"snippet,omitempty"` // the text around the match
	Value    json.RawMessage `json:"value,omitempty"`
	Secret   bool            `json:"secret,omitempty"` // then it has neither snippet nor value
	Category string          `json:"category,omitempty"`
	Tags     []string        `json:"tags,omitempty"`
	Updated  string          `json:"updated,omitempty"`
	Why      string          `json:"why,omitempty" enum:"exact,word,spelling,abbreviation,meaning"`
	Score    float64         `json:"score,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

func (m *memory) searchAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "search", Effect: metadata.Reads,
		Summary:     "Search memories by words, category, tags, time.",
		Description: "Tolerates misspelling. For one answer to one question use memory_get.",
		Tags:        []string{"find", "query"},
		Aliases:     metadata.Aliases{"search find query: - memory memories facts"},
		Examples: []metadata.Example{
			{Title: "By words", Args: searchIn{Query: "coffee milk", Limit: 5}},
			{Title: "Changed this month, newest first", Args: searchIn{Since: "2026-11-01", Sort: "newest", Detail: "keys"}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.TooLarge},
		Notes:  []string{"detail full returns full values; keys uses the fewest tokens."},
	}, m.search)
}

func (m *memory) search(ctx context.Context, in searchIn) (searchOut, error) {
	var p problems
	if in.Query = strings.TrimSpace(in.Query); in.Query != "" {
		p.query("query", in.Query)
	}
	since, until := p.time("since", in.Since, m.Zone()), p.time("until", in.Until, m.Zone())
	if !since.IsZero() && !until.IsZero() && !since.Before(until) {
		p.add("until", "later than since", strconv.Quote(in.Until))
	}
	if err := p.err(); err != nil {
		return searchOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return searchOut{}, err
	}
	similar := m.similar(in.Query)
	answer, note, err := recall(ctx, memories, store.RecallQuery{
		Text: in.Query, Filter: store.Filter{Category: in.Category, Tags: in.Tags, Before: until},
		Since: since, Sort: store.Sort(in.Sort), Limit: in.Limit, Cursor: in.Cursor, Similar: similar.find,
	})
	if err != nil {
		return searchOut{}, explain(ctx, err, in.Query)
	}
	out := searchOut{
		Hits: make([]searchHit, 0, len(answer.Hits)), Confidence: string(answer.Confidence),
		NextCursor: answer.Next, Nearest: answer.Nearest, Unindexed: answer.Unindexed, Note: joinNotes(note, similar.note),
		Provenance: keysProvenance(ctx, memories, answer.Nearest),
	}
	for _, h := range answer.Hits {
		out.Hits = append(out.Hits, m.searchHit(ctx, h, in.Detail))
	}
	if in.Detail == "full" {
		return out, checkSize(answer.Hits)
	}
	return out, nil
}

func (m *memory) searchHit(ctx context.Context, h store.Hit, detail string) searchHit {
	f := searchHit{Key: h.Memory.Key, Secret: h.Memory.Secret, Provenance: untrusted.MarkMemory(ctx, h.Memory.Source)}
	if detail == "keys" {
		return f
	}
	f.Category, f.Tags, f.Updated = h.Memory.Category, h.Memory.Tags, m.formatTime(h.Memory.Updated)
	f.Why, f.Score = string(h.MatchKind), round(h.Score)
	if detail == "full" && !f.Secret {
		f.Value = h.Memory.Value
		return f
	}
	f.Snippet = h.Snippet
	return f
}

// Similar returns the memories with a meaning like the query's, the most similar first.
// The note is shown to the caller. It says why not all memories were compared, or is ""
// if all were.
type Similar func(ctx context.Context, query string) (near []semantic.Match, note string)

// A similarity is one search by meaning. The store runs it if the search by words is not
// clear, or if the call asks for more than one memory.
type similarity struct {
	find func(context.Context) []semantic.Match // nil: no search by meaning
	note string
}

func (m *memory) similar(query string) *similarity {
	s := &similarity{}
	if m.Similar != nil {
		s.find = func(ctx context.Context) (near []semantic.Match) {
			near, s.note = m.Similar(ctx, query)
			return near
		}
	}
	return s
}
