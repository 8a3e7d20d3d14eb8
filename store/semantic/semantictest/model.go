package semantictest

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Tensor is an array of numbers for Safetensors.
type Tensor struct {
	DType string
	Shape []int
	Data  []byte
}

// F32 returns a tensor of numbers of 32 bits.
func F32(shape []int, numbers ...float32) Tensor {
	t := Tensor{DType: "F32", Shape: shape}
	for _, x := range numbers {
		t.Data = binary.LittleEndian.AppendUint32(t.Data, math.Float32bits(x))
	}
	return t
}

// Safetensors returns the contents of a .safetensors file.
func Safetensors(tensors map[string]Tensor) []byte {
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte(nil)
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		t := tensors[name]
		header[name] = map[string]any{"dtype": t.DType, "shape": t.Shape, "data_offsets": []int{len(data), len(data) + len(t.Data)}}
		data = append(data, t.Data...)
	}
	return SafetensorsOf(mustJSON(header), data)
}

// SafetensorsOf returns a file with this header and these numbers. The header may be
// invalid.
func SafetensorsOf(header, data []byte) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header, data)
}

// WordPiece returns a tokenizer.json in the form that BERT models have.
func WordPiece(vocab ...string) []byte {
	ids := map[string]int{}
	for i, piece := range vocab {
		ids[piece] = i
	}
	return mustJSON(map[string]any{
		"version":       "1.0",
		"added_tokens":  []any{map[string]any{"id": 0, "content": vocab[0], "special": true}},
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ids},
	})
}

// calibration are words by which the threshold of a model can be measured.
var calibration = []string{"password", "wifi", "train", "rent", "medicine", "dog", "bread", "bake", "roof", "fixed"}

// WriteModel writes a model in model2vec's format into an existing folder. Each word has a
// dimension of its own. Each key of synonyms means the same as its value. The model also
// knows the words of calibration and checkedSynonyms, and no others.
func WriteModel(dir string, synonyms map[string]string, words ...string) error {
	all := maps.Clone(checkedSynonyms)
	maps.Copy(all, synonyms)
	synonyms = all
	known := slices.Concat(calibration, words, slices.Collect(maps.Values(synonyms)))
	slices.Sort(known)
	known = slices.Compact(known)
	vocab := append([]string{"[UNK]"}, known...)
	rows := make([]float32, len(vocab)*len(known))
	for i := range known {
		rows[(i+1)*len(known)+i] = 1
	}
	for _, word := range slices.Sorted(maps.Keys(synonyms)) {
		i := slices.Index(vocab, synonyms[word])
		vocab, rows = append(vocab, word), append(rows, rows[i*len(known):][:len(known)]...)
	}
	model := Safetensors(map[string]Tensor{"embeddings": F32([]int{len(vocab), len(known)}, rows...)})
	if err := os.WriteFile(filepath.Join(dir, "model.safetensors"), model, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "tokenizer.json"), WordPiece(vocab...), 0o600)
}

// Synonyms reads arguments like "automobile=car".
func Synonyms(args []string) map[string]string {
	pairs := map[string]string{}
	for _, arg := range args {
		word, meaning, _ := strings.Cut(arg, "=")
		pairs[word] = meaning
	}
	return pairs
}

func mustJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen, because the values come from this package
	}
	return raw
}
