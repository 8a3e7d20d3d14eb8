package memory

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

const (
	keysPerSide   = 6   // keys examined on each side of a position in the index
	minSimilarity = 0.4 // two keys are similar if they share at least this part of their trigrams
)

// Similar returns up to limit keys similar to key but not equal, most similar first: other
// spellings, or keys with common words. It only examines keys that are close to key in the index.
// It is therefore equally fast for any number of memories, but may miss a key. The result is a
// hint that something may already be remembered.
func (m *Store) Similar(ctx context.Context, key string, limit int) ([]string, error) {
	return m.similarKeys(ctx, key, minSimilarity, limit)
}

// similarKeys is Similar with minScore instead of minSimilarity. With 0 it returns all keys that
// it examines, up to limit.
func (m *Store) similarKeys(ctx context.Context, key string, minScore float64, limit int) ([]string, error) {
	key = store.CleanKey(key)
	candidates, err := m.keysNear(ctx, key, store.NormalizeKey(key))
	if err != nil {
		return nil, fmt.Errorf("look for keys like %q: %w", key, err)
	}
	for other, score := range candidates {
		if score < minScore {
			delete(candidates, other)
		}
	}
	return topKeys(candidates, limit), nil
}

// topKeys returns up to limit keys with the best scores, best first.
func topKeys(scores map[string]float64, limit int) []string {
	keys := slices.SortedFunc(maps.Keys(scores), func(a, b string) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(a, b))
	})
	return keys[:min(limit, len(keys))]
}

const (
	keysBelow = "SELECT key, norm FROM (SELECT key, norm FROM memories WHERE owner = ?1 AND norm < ?2 AND deleted IS NULL AND (expires IS NULL OR expires > ?4) ORDER BY norm DESC, key DESC LIMIT ?5) AS below"
	keysAbove = "SELECT key, norm FROM (SELECT key, norm FROM memories WHERE owner = ?1 AND norm >= ?2 AND deleted IS NULL AND (expires IS NULL OR expires > ?4) ORDER BY norm, key LIMIT ?5) AS above"
	unionAll  = " UNION ALL "
)

// keysAround selects the keys of owner ?1 on both sides of two positions in the index: ?2 and ?3.
// It omits keys that have expired at ?4. ?5 is the maximum number of keys on each side.
var keysAround = keysBelow + unionAll + keysAbove + unionAll + strings.ReplaceAll(keysBelow+unionAll+keysAbove, "?2", "?3")

// keysNear returns the keys that are near norm in the index, and near norm with its words
// reversed. It omits key. The value of each is the share of trigrams that it has in common with
// norm.
func (m *Store) keysNear(ctx context.Context, key, norm string) (map[string]float64, error) {
	rows, err := m.db.Read(ctx).QueryFixed(keysAround, m.owner, norm, reversedWords(norm), m.db.Now().UnixMilli(), keysPerSide)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	grams := trigrams(norm)
	candidates := map[string]float64{}
	for rows.Next() {
		var other, otherNorm string
		if err := rows.Scan(&other, &otherNorm); err != nil {
			return nil, err
		}
		if _, seen := candidates[other]; !seen && other != key {
			candidates[other] = dice(grams, trigrams(otherNorm))
		}
	}
	return candidates, rows.Err()
}

// reversedWords returns norm with its words in reverse order, or nil unless norm has two to four
// words.
func reversedWords(norm string) any {
	words := strings.Fields(norm)
	if len(words) < 2 || len(words) > 4 {
		return nil
	}
	slices.Reverse(words)
	return strings.Join(words, " ")
}

// dice returns the share of trigrams that two texts have in common, 0 to 1 (Dice 1945). Both
// lists must be sorted.
func dice(a, b []uint64) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch cmp.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

// trigrams returns the trigrams of a text with spaces added at both ends, sorted, each once.
// Every text has at least one. A rune takes 21 bits, so three runes fit into 64 bits.
func trigrams(text string) []uint64 {
	grams := make([]uint64, 0, len(text)+1)
	gram := uint64(' ')<<21 | ' '
	for _, r := range text + " " {
		gram = (gram<<21 | uint64(r)) & (1<<63 - 1)
		grams = append(grams, gram)
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

// returningNeighbours is the end of insertMemory in SQLite. It returns the key and source of up to three
// memories. Two are the neighbours of the new key in the index. The third has a key with
// the words in reverse order (?15). The insert has already loaded these database pages into the
// cache, so reading them costs almost nothing. A separate query would cost as much as the commit.
const (
	visibleNow          = "owner = ?2 AND deleted IS NULL AND (expires IS NULL OR expires > ?16)"
	selectNeighbourSQL  = "SELECT json_array(key, source) FROM memories WHERE " + visibleNow
	returningNeighbours = ", (" + selectNeighbourSQL + " AND norm <= ?4 AND key <> ?3 ORDER BY norm DESC, key DESC LIMIT 1)" +
		", (" + selectNeighbourSQL + " AND norm > ?4 ORDER BY norm, key LIMIT 1)" +
		", (" + selectNeighbourSQL + " AND norm = ?15 AND key <> ?3 ORDER BY key LIMIT 1)"
)

// scanNeighbours reads the result of returningNeighbours: the id of the new memory, and the
// neighbours, each once.
func scanNeighbours(row engine.Scanner) (id int64, found []store.SimilarKey, err error) {
	var neighbours [3]sql.NullString
	if err := row.Scan(&id, &neighbours[0], &neighbours[1], &neighbours[2]); err != nil {
		return 0, nil, err
	}
	for _, text := range neighbours {
		if !text.Valid {
			continue
		}
		var pair [2]string
		if err := json.Unmarshal([]byte(text.String), &pair); err != nil {
			return 0, nil, err
		}
		if neighbour := (store.SimilarKey{Key: pair[0], Source: pair[1]}); !slices.Contains(found, neighbour) {
			found = append(found, neighbour)
		}
	}
	return id, found, nil
}

// neighboursOf selects the same memories as returningNeighbours, for the new memory with key ?2 and
// normalized key ?3. ?4 is the reversed key, and ?5 the time.
var neighboursOf = func() string {
	one := func(condition, order string) string {
		return "SELECT key, source FROM (SELECT key, source FROM memories WHERE owner = ?1 AND deleted IS NULL AND (expires IS NULL OR expires > ?5) AND " +
			condition + " ORDER BY " + order + " LIMIT 1) AS neighbour"
	}
	return one("norm <= ?3 AND key <> ?2", "norm DESC, key DESC") + unionAll + one("norm > ?3", "norm, key") + unionAll + one("norm = ?4 AND key <> ?2", "key")
}()

// neighbours returns the rows of neighboursOf, each once.
func (s *preparedEntry) neighbours(t engine.Tx, now time.Time) ([]store.SimilarKey, error) {
	rows, err := t.QueryFixed(neighboursOf, s.owner, s.Key, s.norm, reversedWords(s.norm), now.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []store.SimilarKey(nil)
	for rows.Next() {
		one := store.SimilarKey{}
		if err := rows.Scan(&one.Key, &one.Source); err != nil {
			return nil, err
		}
		if !slices.Contains(found, one) {
			found = append(found, one)
		}
	}
	return found, rows.Err()
}

// selectSimilar returns the candidates whose keys are similar to norm, most similar first.
func selectSimilar(norm string, candidates []store.SimilarKey) []store.SimilarKey {
	grams, scores := trigrams(norm), map[string]float64{}
	for _, candidate := range candidates {
		scores[candidate.Key] = dice(grams, trigrams(store.NormalizeKey(candidate.Key)))
	}
	candidates = slices.DeleteFunc(candidates, func(candidate store.SimilarKey) bool { return scores[candidate.Key] < minSimilarity })
	slices.SortFunc(candidates, func(a, b store.SimilarKey) int {
		return cmp.Or(cmp.Compare(scores[b.Key], scores[a.Key]), strings.Compare(a.Key, b.Key))
	})
	return candidates
}
