package static

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"kota/store/semantic/semantictest"
)

type object = map[string]any

// tokens returns the pieces of a text, by a vocabulary in the order of its tokens.
func tokens(t *testing.T, of *tokenizer, vocab []string, text string) []string {
	t.Helper()
	found := []string{}
	for _, id := range of.encode(text) {
		found = append(found, vocab[id])
	}
	return found
}

// parsed returns the tokenizer of a file with these changes of its keys.
func parsed(t *testing.T, raw []byte, changes object) *tokenizer {
	t.Helper()
	of, err := parseTokenizer(changed(t, raw, changes))
	if err != nil {
		t.Fatal(err)
	}
	return of
}

func changed(t *testing.T, raw []byte, changes object) []byte {
	t.Helper()
	file := object{}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	maps.Copy(file, changes)
	raw, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

var bertVocab = []string{"[UNK]", "un", "##aff", "##able", "##ff", "##a", "hello", "caf", "##e", "!", "中", "文", "play", "##ing", "##s", "i", "##st"}

// The pieces follow from the definition of WordPiece: the longest piece first, and an unknown
// word if a rest has none.
func TestWordPieceTakesTheLongestPieces(t *testing.T) {
	of := parsed(t, semantictest.WordPiece(bertVocab...), nil)
	for text, want := range map[string][]string{
		"unaffable":                      {"un", "##aff", "##able"},
		"Hello, HELLO!":                  {"hello", "hello", "!"},
		"Café CAFÉ cafe\u0301":           {"caf", "##e", "caf", "##e", "caf", "##e"},
		"中文 hello":                       {"中", "文", "hello"},
		"playing plays players":          {"play", "##ing", "play", "##s"}, // "ers" has no piece
		"xyz hello":                      {"hello"},
		"hello\u00a0play\tun\u200bs":     {"hello", "play", "un", "##s"}, // a control character does not divide
		"İst":                            {"i", "##st"},
		"":                               {},
		" \n ":                           {},
		"hello\x00\xff!":                 {"hello", "!"},
		"[UNK] hello":                    {"hello"},
		strings.Repeat("un", 101):        {},
		strings.Repeat("s", 100):         {}, // no piece begins with it
		"play" + strings.Repeat("s", 96): append([]string{"play"}, slices.Repeat([]string{"##s"}, 96)...),
		"play" + strings.Repeat("s", 97): {}, // a word of 101 letters is unknown
	} {
		if got := tokens(t, of, bertVocab, text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestWordPieceKeepsCaseIfTheFileSaysSo(t *testing.T) {
	vocab := []string{"[UNK]", "Hello", "hello", "é", "e", "中文"}
	of := parsed(t, semantictest.WordPiece(vocab...), object{"normalizer": object{
		"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": false, "strip_accents": nil, "lowercase": false,
	}})
	if got, want := tokens(t, of, vocab, "Hello hello é 中文"), []string{"Hello", "hello", "é", "中文"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// unigram returns a tokenizer.json as XLM-RoBERTa has it. Each piece is followed by its score.
func unigramFile(t *testing.T, vocab []string, scores []float64, changes object) []byte {
	t.Helper()
	pieces := []any{}
	for i, piece := range vocab {
		pieces = append(pieces, []any{piece, scores[i]})
	}
	file := object{
		"normalizer":    object{"type": "Sequence", "normalizers": []any{object{"type": "Precompiled", "precompiled_charsmap": "AAAA"}, object{"type": "Replace", "pattern": object{"Regex": " {2,}"}, "content": " "}}},
		"pre_tokenizer": object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
		"model":         object{"type": "Unigram", "unk_id": 0, "vocab": pieces},
	}
	maps.Copy(file, changes)
	raw, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The example is of the documentation of the library tokenizers. "abcdacdxx" is best divided
// into abcd (10), a (0) and cd (1); x has no piece.
func TestUnigramTakesTheBestScores(t *testing.T) {
	vocab := []string{"<unk>", "a", "b", "c", "d", "cd", "ab", "abc", "abcd"}
	raw := unigramFile(t, vocab, []float64{0, 0, 0, 0, 0, 1, 2, 5, 10}, object{"pre_tokenizer": nil})
	of := parsed(t, raw, nil)
	for text, want := range map[string][]string{
		"abcdacdxx": {"abcd", "a", "cd"},
		"abcdcd":    {"abcd", "cd"},
		"ｃｄ":        {"cd"}, // full width; NFKC
		"xx":        {},
		"xabx":      {"ab"},
	} {
		if got := tokens(t, of, vocab, text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestUnigramMarksSpaces(t *testing.T) {
	vocab := []string{"<unk>", "▁car", "▁ca", "r", "s", "▁", "c", "a", "▁the"}
	scores := []float64{0, -3, -2, -2, -2, -4, -5, -5, -3}
	for name, c := range map[string]struct {
		changes object
		text    string
		want    []string
	}{
		"the piece with the higher score": {nil, "car", []string{"▁car"}},       // -3, against -4 for ▁ca r
		"a rest of its own":               {nil, "cars", []string{"▁car", "s"}}, // -5
		"several words":                   {nil, "the  car\tcars", []string{"▁the", "▁car", "▁car", "s"}},
		"an unknown letter":               {nil, "carz", []string{"▁car"}},
		"no mark at the start":            {object{"pre_tokenizer": object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}}, "car car", []string{"c", "a", "r", "▁car"}},
		"the setting of old files":        {object{"pre_tokenizer": object{"type": "Metaspace", "replacement": "▁", "add_prefix_space": false}}, "car car", []string{"c", "a", "r", "▁car"}},
		"only the first word has a mark":  {object{"pre_tokenizer": object{"type": "Sequence", "pretokenizers": []any{object{"type": "WhitespaceSplit"}, object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}}}}, "car car", []string{"▁car", "c", "a", "r"}},
		"model2vec's spaces around marks": {object{"normalizer": object{"type": "Sequence", "normalizers": []any{object{"type": "Lowercase"}, object{"type": "Replace", "pattern": object{"String": "-"}, "content": " - "}, object{"type": "Replace", "pattern": object{"Regex": `\s+`}, "content": " "}, object{"type": "Strip", "strip_left": false, "strip_right": true}}}}, "CAR-car\u2003 ", []string{"▁car", "▁", "▁car"}},
		"a text that is not divided":      {object{"pre_tokenizer": object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": false}}, "the car", []string{"▁the", "▁car"}},
	} {
		of := parsed(t, unigramFile(t, vocab, scores, nil), c.changes)
		if got := tokens(t, of, vocab, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestUnknownRunesBecomeBytesIfTheModelHasThem(t *testing.T) {
	vocab, scores := []string{"<unk>", "a"}, []float64{0, -1}
	for b := range 256 {
		vocab, scores = append(vocab, "<0x"+strings.ToUpper(string("0123456789abcdef"[b>>4])+string("0123456789abcdef"[b&15]))+">"), append(scores, -9)
	}
	pieces := []any{}
	for i := range vocab {
		pieces = append(pieces, []any{vocab[i], scores[i]})
	}
	raw := unigramFile(t, vocab, scores, object{"pre_tokenizer": nil, "model": object{"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": pieces}})
	if got, want := tokens(t, parsed(t, raw, nil), vocab, "aéa"), []string{"a", "<0xC3>", "<0xA9>", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOtherPreTokenizersDivideWords(t *testing.T) {
	for kind, want := range map[string][]string{
		"Whitespace":       {"don", "'", "t", "!?", "a_b", "é"},
		"WhitespaceSplit":  {"don't!?", "a_b", "é"},
		"Punctuation":      {"don", "'", "t", "!", "?", " a", "_", "b é"},
		"BertPreTokenizer": {"don", "'", "t", "!", "?", "a", "_", "b", "é"},
	} {
		split, err := parsePreTokenizer(part{kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		if got := split([]string{"don't!? a_b é"}); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", kind, got, want)
		}
	}
}

func TestBadTokenizersAreErrors(t *testing.T) {
	bert := semantictest.WordPiece("[UNK]", "a")
	deep := any(object{"type": "Lowercase"})
	for range 6 {
		deep = object{"type": "Sequence", "normalizers": []any{deep}}
	}
	replace := func(pattern object, content string) object {
		return object{"normalizer": object{"type": "Replace", "pattern": pattern, "content": content}}
	}
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"truncated":                 {bert[:len(bert)/2], "tokenizer.json is not valid: unexpected end of JSON input"},
		"empty":                     {nil, "tokenizer.json is not valid"},
		"a list":                    {[]byte("[]"), "tokenizer.json is not valid"},
		"no model":                  {[]byte("{}"), "tokenizer.json has no model"},
		"BPE":                       {changed(t, bert, object{"model": object{"type": "BPE", "vocab": object{}}}), `of the type "BPE"; KOTA reads WordPiece and Unigram`},
		"WordLevel":                 {changed(t, bert, object{"model": object{"type": "WordLevel", "vocab": object{}}}), `of the type "WordLevel"`},
		"no tokens":                 {changed(t, bert, object{"added_tokens": nil, "model": object{"type": "WordPiece", "vocab": object{}}}), "has no tokens"},
		"a negative token":          {changed(t, bert, object{"model": object{"type": "WordPiece", "vocab": object{"a": -1}}}), "number -1"},
		"a huge token":              {changed(t, bert, object{"added_tokens": []any{object{"id": int64(1) << 40}}}), "number 1099511627776"},
		"a token that is a text":    {changed(t, bert, object{"model": object{"type": "WordPiece", "vocab": object{"a": "b"}}}), "is not valid"},
		"a vocabulary of texts":     {changed(t, bert, object{"model": object{"type": "Unigram", "vocab": []any{"a"}}}), "is not valid"},
		"pieces of three":           {changed(t, bert, object{"model": object{"type": "Unigram", "vocab": []any{[]any{"a", 1, 2}}}}), "is not valid"},
		"an unknown unknown token":  {changed(t, bert, object{"model": object{"type": "Unigram", "unk_id": 5, "vocab": []any{[]any{"a", 1}}}}), "has 1 tokens and names number 5"},
		"another normalizer":        {changed(t, bert, object{"normalizer": object{"type": "ByteLevel"}}), `normalizes texts with "ByteLevel"`},
		"another pre-tokenizer":     {changed(t, bert, object{"pre_tokenizer": object{"type": "ByteLevel"}}), `divides texts with "ByteLevel"`},
		"a normalizer without type": {changed(t, bert, object{"normalizer": object{}}), "is not valid: no type"},
		"sequences in sequences":    {changed(t, bert, object{"normalizer": deep}), "too many sequences"},
		"a mark of two characters":  {changed(t, bert, object{"pre_tokenizer": object{"type": "Metaspace", "replacement": "ab"}}), `marks spaces with "ab"`},
		"an expression of others":   {changed(t, bert, replace(object{"Regex": "(?=a)"}, "")), `the expression "(?=a)"`},
		"nothing to replace":        {changed(t, bert, replace(object{}, "")), "replaces nothing"},
		"a long replacement":        {changed(t, bert, replace(object{"String": "a"}, strings.Repeat("a", 65))), "inserts 65 bytes"},
	} {
		_, err := parseTokenizer(c.raw)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		} else if e, ok := err.(*Error); !ok || e.Remedy == "" {
			t.Errorf("%s: no remedy in %#v", name, err)
		}
	}
}

func TestGrowingTextsAreCut(t *testing.T) {
	grow := object{"type": "Replace", "pattern": object{"String": "a"}, "content": strings.Repeat("a", 64)}
	of := parsed(t, semantictest.WordPiece("[UNK]", "a"), object{"normalizer": object{"type": "Sequence", "normalizers": slices.Repeat([]any{grow}, 50)}})
	if got := of.encode(strings.Repeat("a ", 10_000)); len(got) > maxUsed {
		t.Errorf("%d tokens", len(got))
	}
}

func FuzzTokenizer(f *testing.F) {
	f.Add(semantictest.WordPiece("[UNK]", "un", "##aff", "##able"), "unaffable 中文 é")
	f.Add([]byte(`{"normalizer": {"type": "Precompiled"}, "pre_tokenizer": {"type": "Metaspace"}, "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": [["<unk>", 0], ["▁a", -1], ["", 3]]}}`), "a b\xff")
	f.Add([]byte(`{"normalizer": {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}, "model": {"continuing_subword_prefix": "", "vocab": {"a": 0, "": 1}}}`), "aa  a")
	f.Fuzz(func(t *testing.T, raw []byte, text string) {
		of, err := parseTokenizer(raw)
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, id := range of.encode(text) {
			if int(id) >= of.size || id < 0 {
				t.Fatalf("token %d of %d", id, of.size)
			}
		}
	})
}
