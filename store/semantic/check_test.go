package semantic_test

import (
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"kota/store/semantic"
)

// A randomModel gives each word a random vector. Texts with common words are thus similar, but
// no word has a meaning. A model with the tokenizer of another model is like that.
type randomModel struct {
	seed uint64
	size int // 0: the model knows no word
}

func (m randomModel) Name() string   { return "random" }
func (m randomModel) BatchSize() int { return 100 }

func (m randomModel) Query(_ context.Context, text string) (semantic.Vector, error) {
	if m.size == 0 {
		return nil, semantic.ErrNoVector
	}
	sum := make([]float64, m.size)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New64a()
		h.Write([]byte(strings.Trim(word, ".,;:?")))
		r := rand.New(rand.NewPCG(m.seed, h.Sum64()))
		for i := range sum {
			sum[i] += r.NormFloat64()
		}
	}
	return semantic.Normalize(sum)
}

func (m randomModel) Documents(ctx context.Context, items []semantic.Item) ([]semantic.Vector, error) {
	vectors := make([]semantic.Vector, len(items))
	for i, item := range items {
		vectors[i], _ = m.Query(ctx, item.Text)
	}
	return vectors, nil
}

func TestModelOfRandomVectorsIsNotUsed(t *testing.T) {
	for seed := range uint64(20) {
		for _, size := range []int{64, 256} {
			m := randomModel{seed, size}
			_, err := semantic.Check(t.Context(), m)
			if problem := (*semantic.Error)(nil); !errors.As(err, &problem) || !strings.Contains(err.Error(), "words of equal meaning") {
				t.Errorf("seed %d, %d dimensions: %v", seed, size, err)
			}
		}
	}
	texts := semantic.NewTexts([]string{"wash the car at home"}, nil)
	space := semantic.NewSpace(randomModel{1, 256}, semantic.NewThreshold(nil), func(context.Context) (semantic.Source, error) { return texts, nil })
	if found, err := space.Search(t.Context(), "wash the car"); err == nil || len(found) > 0 {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestModelWithoutEnglishWordsIsAnError(t *testing.T) {
	texts := semantic.NewTexts([]string{"wash the car at home"}, nil)
	space := semantic.NewSpace(randomModel{}, semantic.NewThreshold(nil), func(context.Context) (semantic.Source, error) { return texts, nil })
	_, err := space.Search(t.Context(), "wash the car")
	if problem := (*semantic.Error)(nil); !errors.As(err, &problem) || !strings.Contains(err.Error(), "the model knows no word of") {
		t.Errorf("got %v", err)
	}
}
