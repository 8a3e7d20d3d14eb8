package static

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// A wordPiece divides a word from left to right, and each time takes the longest piece that
// the vocabulary has. If the vocabulary has no piece for a part, the whole word is unknown.
type wordPiece struct {
	pieces    map[string]int32
	continued map[string]int32 // pieces after the start of a word, without their prefix
	longest   int              // bytes of the longest piece
	maxRunes  int              // longer words are unknown
	unknown   int32            // the token of unknown words, which is skipped; -1 if the model has none
}

func (t *tokenizer) parseWordPiece(raw json.RawMessage) error {
	model := struct {
		Vocab    map[string]int64 `json:"vocab"`
		Unknown  string           `json:"unk_token"`
		Prefix   *string          `json:"continuing_subword_prefix"`
		MaxRunes *int             `json:"max_input_chars_per_word"`
	}{}
	if err := json.Unmarshal(raw, &model); err != nil {
		return problem(copyAgain, "tokenizer.json is not valid: %s", shorten(err.Error()))
	}
	prefix, maxRunes := "##", 100
	if model.Prefix != nil {
		prefix = *model.Prefix
	}
	if model.MaxRunes != nil {
		maxRunes = *model.MaxRunes
	}
	w := &wordPiece{pieces: make(map[string]int32, len(model.Vocab)), continued: map[string]int32{}, maxRunes: maxRunes, unknown: -1}
	for piece, id := range model.Vocab {
		if err := t.count(id); err != nil {
			return err
		}
		if piece == model.Unknown {
			w.unknown = int32(id)
		}
		if len(piece) > maxPiece {
			continue
		}
		w.longest = max(w.longest, len(piece))
		w.pieces[piece] = int32(id)
		if rest, ok := strings.CutPrefix(piece, prefix); ok {
			w.continued[rest] = int32(id)
		}
	}
	t.model = w
	return nil
}

func (w *wordPiece) appendTokens(ids []int32, word string) []int32 {
	if utf8.RuneCountInString(word) > w.maxRunes {
		return ids
	}
	before := len(ids)
	known := w.pieces
	for word != "" {
		id, n := longestPiece(known, word, w.longest)
		if n == 0 {
			return ids[:before]
		}
		if id != w.unknown {
			ids = append(ids, id)
		}
		known, word = w.continued, word[n:]
	}
	return ids
}

// longestPiece returns the longest known piece at the start of a text, and its length in
// bytes. The length is 0 if no piece matches.
func longestPiece(known map[string]int32, text string, longest int) (id int32, n int) {
	for n = min(len(text), longest); n > 0; n-- {
		if n < len(text) && !utf8.RuneStart(text[n]) {
			continue
		}
		if id, ok := known[text[:n]]; ok {
			return id, n
		}
	}
	return 0, 0
}
