package memory

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"kota/store"
	"kota/store/engine"
	"kota/store/search"
	"kota/store/tables/index"
)

// Recall finds memories for a question or for words. A memory whose key is the text comes first,
// with high confidence, and alone if the limit is 1. Then come memories with words of the text.
// They rank higher if they have more significant words, and if these words are in the key. A word
// that occurs nowhere counts as a misspelling, a part or a compound of words that do. Common words
// for the same thing count too, but less.
//
// Confidence is high only if a memory has every significant word of the text in its key, tags,
// category or value. No other such memory may be nearly as relevant. Inflected and misspelled
// forms count; synonyms do not. In a long text, the words must be near each other. Words that fit
// any subject ("my usual", "do I like") may be missing. Confidence is low if a significant word is
// missing, or if only the meaning matches. It is none only if no memory has a significant word or a
// synonym of it, not even nearly, and no meaning matches.
//
// Recall finds everything written before the call. It ranks at most a few hundred indexed
// memories per text.
//
// It returns ErrInvalid for a limit below 1, an unknown sort and a cursor of another text or
// sort.
func (m *Store) Recall(ctx context.Context, q store.RecallQuery) (store.RecallResult, error) {
	answer, err := m.recall(ctx, q)
	if err != nil {
		return store.RecallResult{}, fmt.Errorf("recall: %w", err)
	}
	return answer, nil
}

func (m *Store) recall(ctx context.Context, q store.RecallQuery) (store.RecallResult, error) {
	if q.Limit < 1 {
		return store.RecallResult{}, fmt.Errorf("%w: limit %d is below 1", store.ErrInvalid, q.Limit)
	}
	if q.Sort == "" {
		q.Sort = store.Relevance
	}
	if !slices.Contains([]store.Sort{store.Relevance, store.NewestFirst, store.OldestFirst, store.KeyOrder}, q.Sort) {
		return store.RecallResult{}, fmt.Errorf("%w: the sort order %q is unknown", store.ErrInvalid, q.Sort)
	}
	if strings.TrimSpace(q.Text) == "" {
		return m.browse(ctx, q)
	}
	skip, err := q.Offset()
	if err != nil {
		return store.RecallResult{}, err
	}
	exact, err := m.exact(ctx, q)
	if err != nil {
		return store.RecallResult{}, err
	}
	if exact != nil && q.Limit == 1 && skip == 0 && q.Sort == store.Relevance {
		return store.RecallResult{Hits: []store.Hit{exactHit(exact)}, Confidence: store.ConfidenceHigh}, nil
	}
	return m.rankByWords(ctx, q, exact, skip)
}

// exact returns the memory in the scope of q whose key is the text, or nil if there is none. It
// also returns nil if several other spellings match, because then the ranking decides.
func (m *Store) exact(ctx context.Context, q store.RecallQuery) (*store.Memory, error) {
	found, err := m.exactInFilter(ctx, q)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return found, err
}

func (m *Store) exactInFilter(ctx context.Context, q store.RecallQuery) (*store.Memory, error) {
	read := m.db.Read(ctx)
	if unfiltered(q) && read.Dialect() == engine.SQLite { // two fixed queries are faster there; in PostgreSQL each is a trip
		return m.visible(read, q.Text, m.db.Now)
	}
	where, args := m.scopeOf(q)
	rows, err := read.Query("SELECT "+columns+" FROM memories WHERE "+where+" AND norm = ? ORDER BY key = ? DESC, key, id LIMIT ?",
		append(args, store.NormalizeKey(q.Text), store.CleanKey(q.Text), maxSpellings)...)
	if err != nil {
		return nil, err
	}
	found, err := scanMemories(rows)
	if err != nil {
		return nil, err
	}
	return resolveSpelling(q.Text, found)
}

// unfiltered reports whether q searches all memories that are neither deleted nor expired.
func unfiltered(q store.RecallQuery) bool {
	return reflect.ValueOf(q.Filter).IsZero() && q.Since.IsZero()
}

func exactHit(found *store.Memory) store.Hit {
	return store.Hit{Memory: found, Score: 1, MatchKind: store.MatchExact, Snippet: search.Snippet(search.PlainText(string(found.Value)), nil)}
}

// scopeOf returns the SQL condition of q on the columns of memories, with its arguments.
func (m *Store) scopeOf(q store.RecallQuery) (string, []any) {
	where, args := memoriesWhere(m.db, q.Filter, m.owner, m.db.Now())
	if !q.Since.IsZero() {
		where, args = where+" AND updated >= ?", append(args, q.Since.UnixMilli())
	}
	return where, args
}

// rankByWords returns the results for q.Text by its words and, if q.Similar is set, by its
// meaning. exact is the memory whose key is the text, or nil.
func (m *Store) rankByWords(ctx context.Context, q store.RecallQuery, exact *store.Memory, skip int) (store.RecallResult, error) {
	where, args := m.scopeOf(q)
	in := index.Scope{Where: where, Args: args}
	x := memoryIndex.Within(m.db, in)
	found, unindexed, err := m.find(ctx, q, x, in)
	if err != nil {
		return store.RecallResult{}, err
	}
	answer := store.RecallResult{Confidence: search.ConfidenceOf(found), Unindexed: unindexed}
	ambiguousLimit := q.AmbiguousLimit
	if answer.Confidence == store.ConfidenceLow && !search.IsLikely(found) {
		ambiguousLimit = min(ambiguousLimit, search.SignificantFirst(found))
	}
	if exact != nil {
		answer.Confidence = store.ConfidenceHigh
		found = slices.DeleteFunc(found, func(c *search.Candidate) bool { return c.ID == exact.ID })
		found = slices.Insert(found, 0, &search.Candidate{ID: exact.ID, Name: exact.Key, Updated: exact.Updated, Score: 1, MatchKind: store.MatchExact})
	}
	if found, answer.Confidence, err = m.addSimilar(ctx, q, x, found, answer.Confidence); err != nil {
		return store.RecallResult{}, err
	}
	if answer.Confidence == store.ConfidenceNone {
		if answer.Nearest, err = m.nearest(ctx, q, found); err != nil {
			return store.RecallResult{}, err
		}
	}
	if answer.Confidence == store.ConfidenceLow && found[0].MatchKind == store.MatchMeaning {
		ambiguousLimit = q.AmbiguousLimit
	}
	if answer.Confidence == store.ConfidenceLow {
		q.Limit = max(q.Limit, ambiguousLimit)
	}
	search.Reorder(q.Sort, found)
	skip = min(skip, len(found)) // the cursor may not come from KOTA
	part := found[skip:][:min(q.Limit, len(found)-skip)]
	if skip+len(part) < len(found) {
		answer.Next = q.CursorAt(skip + len(part))
	}
	answer.Hits, err = m.hits(ctx, part)
	return answer, err
}

// hits reads the memories of candidates. It omits memories that were erased meanwhile.
func (m *Store) hits(ctx context.Context, found []*search.Candidate) ([]store.Hit, error) {
	ids := make([]int64, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	read := m.db.Read(ctx)
	rows, err := read.Query("SELECT "+columns+" FROM memories WHERE "+read.Dialect().Among("id", "?")+" AND owner = ?", engine.List[int64](ids), m.owner)
	if err != nil {
		return nil, err
	}
	memories, err := scanMemories(rows)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*store.Memory, len(memories))
	for _, memory := range memories {
		byID[memory.ID] = memory
	}
	hits := make([]store.Hit, 0, len(found))
	for _, c := range found {
		if memory := byID[c.ID]; memory != nil {
			hits = append(hits, store.Hit{Memory: memory, Score: c.Score, MatchKind: c.MatchKind, Snippet: search.Snippet(search.PlainText(string(memory.Value)), c.Matched)})
		}
	}
	return hits, nil
}

// Index adds everything written so far to the search index. Recall does that itself. Call Index
// after bulk work, which would make the next Recall slow.
func (m *Store) Index(ctx context.Context) error {
	if err := memoryIndex.IndexAll(ctx, m.db); err != nil {
		return fmt.Errorf("index memories: %w", err)
	}
	return nil
}
