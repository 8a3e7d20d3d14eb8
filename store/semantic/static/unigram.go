package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// A unigram divides a word into the pieces with the highest sum of scores, which are
// logarithms of probabilities. A rune without a piece is unknown, and gets a score below
// that of every piece.
type unigram struct {
	ids     map[string]int32
	scores  []float64 // by token
	longest int       // bytes of the longest piece
	lowest  float64   // the score of an unknown rune
	unknown int32     // the token of unknown runes, which is skipped; -1 if the model has none
	bytes   []int32   // the tokens of the 256 bytes, which unknown runes become; nil if the model has none
}

// unknownPenalty is how far an unknown rune is below the lowest score. SentencePiece and the
// library "tokenizers" use the same penalty.
const unknownPenalty = 10

// A scored piece is written as an array of two elements.
type scored struct {
	piece string
	score float64
}

// UnmarshalJSON reads ["piece", -1.5].
func (s *scored) UnmarshalJSON(raw []byte) error {
	pair := []any{&s.piece, &s.score}
	if err := json.Unmarshal(raw, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return errors.New("a piece of the vocabulary is not an array of two")
	}
	return nil
}

func (t *tokenizer) parseUnigram(raw json.RawMessage) error {
	var model struct {
		Vocab        []scored `json:"vocab"`
		Unknown      *int     `json:"unk_id"`
		ByteFallback bool     `json:"byte_fallback"`
	}
	if err := json.Unmarshal(raw, &model); err != nil {
		return problem(copyAgain, "tokenizer.json is not valid: %s", shorten(err.Error()))
	}
	if len(model.Vocab) > 0 {
		if err := t.count(int64(len(model.Vocab)) - 1); err != nil {
			return err
		}
	}
	u := &unigram{ids: make(map[string]int32, len(model.Vocab)), unknown: -1, lowest: math.Inf(1)}
	if id := model.Unknown; id != nil {
		if *id < 0 || *id >= len(model.Vocab) {
			return problem(copyAgain, "tokenizer.json has %d tokens and names number %d as the unknown one", len(model.Vocab), *id)
		}
		u.unknown = int32(*id)
	}
	u.scores = make([]float64, len(model.Vocab))
	for i, s := range model.Vocab {
		u.scores[i], u.lowest = s.score, min(u.lowest, s.score)
		if s.piece != "" && len(s.piece) <= maxPiece {
			u.ids[s.piece], u.longest = int32(i), max(u.longest, len(s.piece))
		}
	}
	u.lowest -= unknownPenalty
	if model.ByteFallback {
		u.bytes = u.byteTokens()
	}
	t.model = u
	return nil
}

// byteTokens returns the tokens of all bytes, or nil if a byte has none.
func (u *unigram) byteTokens() []int32 {
	tokens := make([]int32, 256)
	for b := range tokens {
		id, ok := u.ids[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			return nil
		}
		tokens[b] = id
	}
	return tokens
}

// A step describes the best division of a text up to one place, by its last piece.
type step struct {
	score float64 // of the whole division
	from  int32   // where the piece begins; -1: no division ends here
	id    int32   // -1: an unknown rune
}

// appendTokens implements Viterbi's algorithm: the best division up to each place follows
// from the best ones up to earlier places.
func (u *unigram) appendTokens(ids []int32, word string) []int32 {
	best := make([]step, len(word)+1)
	for i := range best[1:] {
		best[i+1].from = -1
	}
	reach := func(to int, s step) {
		if best[to].from < 0 || s.score > best[to].score {
			best[to] = s
		}
	}
	for from, first := range word {
		score, single := best[from].score, false
		width := utf8.RuneLen(first)
		for to := from + width; to <= len(word) && to-from <= u.longest; {
			if id, ok := u.ids[word[from:to]]; ok {
				reach(to, step{score + u.scores[id], int32(from), id})
				single = single || to == from+width
			}
			_, next := utf8.DecodeRuneInString(word[to:])
			if next == 0 {
				break
			}
			to += next
		}
		if !single {
			reach(from+width, step{score + u.lowest, int32(from), -1})
		}
	}
	before := len(ids)
	for to := len(word); to > 0; to = int(best[to].from) {
		ids = u.appendReversed(ids, best[to], word[best[to].from:to])
	}
	slices.Reverse(ids[before:])
	return ids
}

// appendReversed appends the tokens of one step, the last first.
func (u *unigram) appendReversed(ids []int32, s step, piece string) []int32 {
	if s.id >= 0 && s.id != u.unknown {
		return append(ids, s.id)
	}
	if s.id < 0 && u.bytes != nil {
		for i := len(piece) - 1; i >= 0; i-- {
			ids = append(ids, u.bytes[piece[i]])
		}
	}
	return ids
}
