package static

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"kota/store/semantic/semantictest"
)

// potion writes a model of the size of potion-base-8M: 29,528 tokens, 256 dimensions, 30 MB.
func potion(b *testing.B, tokenizer func(vocab []string) []byte) string {
	b.Helper()
	const count, dimensions = 29_528, 256
	random := rand.New(rand.NewPCG(1, 2))
	vocab := []string{"[UNK]"}
	for i := 1; i < count; i++ {
		vocab = append(vocab, fmt.Sprintf("%s%c%c%d", []string{"", "##", "▁"}[i%3], 'a'+i%26, 'a'+i/26%26, i/676))
	}
	numbers := make([]float32, count*dimensions)
	for i := range numbers {
		numbers[i] = float32(random.NormFloat64())
	}
	model := semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{count, dimensions}, numbers...)})
	return folder(b, model, tokenizer(vocab))
}

func potionUnigram(vocab []string) []byte {
	pieces := []any{}
	for i, piece := range vocab {
		pieces = append(pieces, []any{piece, -float64(i%20) - 1})
	}
	raw, _ := json.Marshal(object{
		"normalizer": object{"type": "Precompiled"}, "pre_tokenizer": object{"type": "Metaspace"},
		"model": object{"type": "Unigram", "unk_id": 0, "vocab": pieces},
	})
	return raw
}

const benchQuery = "ab12 remind me to ab3 call the doctor about cd21ef4 tomorrow at gh10"

func BenchmarkQuery(b *testing.B) {
	for name, tokenizer := range map[string]func([]string) []byte{
		"WordPiece": func(vocab []string) []byte { return semantictest.WordPiece(vocab...) }, "Unigram": potionUnigram,
	} {
		m := New(potion(b, tokenizer), nil)
		if _, err := m.Load(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Query(b.Context(), benchQuery); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := potion(b, func(vocab []string) []byte { return semantictest.WordPiece(vocab...) })
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(dir, nil).Load(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
