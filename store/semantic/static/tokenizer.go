package static

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// A tokenizer divides a text into the tokens of a model, as the library "tokenizers" of
// Hugging Face does with the same tokenizer.json
// (https://huggingface.co/docs/tokenizers/pipeline). It differs in two points. The names of
// special tokens in a text are ordinary text. The compiled table of a Precompiled normalizer
// is not read.
type tokenizer struct {
	normalize []func(string) string
	split     []splitter
	model     interface {
		// appendTokens appends the known tokens of a word to ids.
		appendTokens(ids []int32, word string) []int32
	}
	size int // the number of tokens: one more than the highest token
}

// encode returns the known tokens of a text, in order. It reads the first 4,096 runes, and
// stops after the word with the 512th token.
func (t *tokenizer) encode(text string) []int32 {
	text = strings.ToValidUTF8(cutRunes(text, maxText), "\uFFFD")
	for _, step := range t.normalize {
		text = cutBytes(step(text), maxNormalized)
	}
	words := []string{text}
	for _, step := range t.split {
		words = step(words)
	}
	var ids []int32
	for _, word := range words {
		if len(ids) >= maxUsed {
			break
		}
		ids = t.model.appendTokens(ids, word)
	}
	return ids
}

// maxNormalized limits a text in bytes while it is normalized, because a normalizer can make
// it longer.
const maxNormalized = 64 << 10

// cutRunes returns the first n runes of a text.
func cutRunes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// cutBytes returns at most n bytes of a text, which end with a whole rune.
func cutBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// A part is an object of tokenizer.json with the type that says what it does. Other keys
// depend on the type.
type part struct {
	kind string
	raw  json.RawMessage
}

// UnmarshalJSON reads the type of an object. null is the zero part.
func (p *part) UnmarshalJSON(raw []byte) error {
	var typed *struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(raw, &typed); err != nil {
		return err
	}
	if typed == nil {
		return nil
	}
	if typed.Type == "" {
		return errors.New("no type")
	}
	p.kind, p.raw = typed.Type, append(json.RawMessage(nil), raw...)
	return nil
}

// maxDepth limits sequences within sequences. Real files have one level.
const maxDepth = 4

// flatten returns the parts of a sequence, in order. key is the name of the list that has
// them. For a part that is not a sequence, flatten returns only that part.
func (p part) flatten(key string, depth int) ([]part, error) {
	if p.kind == "" {
		return nil, nil
	}
	if p.kind != "Sequence" {
		return []part{p}, nil
	}
	if depth == maxDepth {
		return nil, errors.New("too many sequences within one another")
	}
	var sequence map[string]json.RawMessage
	var inner []part
	if err := json.Unmarshal(p.raw, &sequence); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(sequence[key], &inner); err != nil {
		return nil, err
	}
	var all []part
	for _, p := range inner {
		more, err := p.flatten(key, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// parseTokenizer reads a tokenizer.json. Its error is an *Error.
func parseTokenizer(raw []byte) (*tokenizer, error) {
	var file struct {
		Normalizer   part            `json:"normalizer"`
		PreTokenizer part            `json:"pre_tokenizer"`
		Model        json.RawMessage `json:"model"`
		Added        []struct {
			ID int64 `json:"id"`
		} `json:"added_tokens"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, problem(copyAgain, "tokenizer.json is not valid: %s", shorten(err.Error()))
	}
	t := &tokenizer{}
	var err error
	if t.normalize, err = parseNormalizers(file.Normalizer); err != nil {
		return nil, err
	}
	if t.split, err = parsePreTokenizers(file.PreTokenizer); err != nil {
		return nil, err
	}
	if err := t.parseModel(file.Model); err != nil {
		return nil, err
	}
	for _, added := range file.Added {
		if err := t.count(added.ID); err != nil {
			return nil, err
		}
	}
	if t.size == 0 {
		return nil, problem(copyAgain, "tokenizer.json has no tokens")
	}
	return t, nil
}

// count raises the size of t to include a token.
func (t *tokenizer) count(id int64) error {
	if id < 0 || id >= maxTokens {
		return problem(chooseOther, "tokenizer.json has a token with the number %d; KOTA reads numbers from 0 to %d", id, maxTokens-1)
	}
	t.size = max(t.size, int(id)+1)
	return nil
}

// parseModel reads the vocabulary. Old files have no type; they are WordPiece if they have a
// prefix of continuing pieces.
func (t *tokenizer) parseModel(raw json.RawMessage) error {
	var model struct {
		Type   string  `json:"type"`
		Prefix *string `json:"continuing_subword_prefix"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &model) != nil {
		return problem(copyAgain, "tokenizer.json has no model")
	}
	switch {
	case model.Type == "Unigram":
		return t.parseUnigram(raw)
	case model.Type == "WordPiece" || model.Type == "" && model.Prefix != nil:
		return t.parseWordPiece(raw)
	}
	return problem(chooseOther, "tokenizer.json is of the type %q; KOTA reads WordPiece and Unigram", shorten(model.Type))
}

// maxPiece limits a token in bytes. Longer ones are ignored, because hardly any word of a
// text is as long.
const maxPiece = 256
