package wordvectors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestLookupReadsWhatEncodeWrote(t *testing.T) {
	words := randomWords(50)
	table := table(Encode(words))
	if got, want := len(table), headerSize+parts*centroidCount*partDims+len(words)*wordSize; got != want {
		t.Errorf("the table has %d bytes, want %d", got, want)
	}
	for _, w := range words {
		v, weight, known := table.lookup(w.Text)
		if got := v.Dot(vectorOf(w)); !known || math.Abs(weight-w.Weight) > .5/255+1e-9 || got < .999 {
			t.Errorf("%s: known is %t, the weight %.4f, want %.4f, and the similarity of the vectors %.4f", w.Text, known, weight, w.Weight, got)
		}
	}
	if _, _, known := table.lookup("another"); known {
		t.Error("a word that was not encoded is known")
	}
}

func TestEncodeKeepsTheFirstOfTwoWordsWithOneHash(t *testing.T) {
	words := randomWords(20)
	byHash := map[uint32]string{}
	for n := 0; ; n++ {
		text := fmt.Sprint("same", n)
		if first, taken := byHash[hash(text)]; taken {
			words[3].Text, words[17].Text = first, text
			break
		}
		byHash[hash(text)] = text
	}
	v, _, _ := table(Encode(words)).lookup(words[17].Text)
	if got := v.Dot(vectorOf(words[3])); got < .999 {
		t.Errorf("the similarity to the vector of the first word is %.3f", got)
	}
}

// randomWords returns n words with random vectors of length 1.
func randomWords(n int) []Word {
	random := rand.New(rand.NewPCG(1, 1))
	words := make([]Word, n)
	for i := range words {
		words[i] = Word{fmt.Sprint("word", i), random.Float64(), make([]float64, Dims)}
		for d := range Dims {
			words[i].Vector[d] = random.NormFloat64()
		}
		for d, x := range vectorOf(words[i]) {
			words[i].Vector[d] = float64(x)
		}
	}
	return words
}

// vectorOf returns the word's vector as Lookup should return it.
func vectorOf(w Word) *Vector {
	var v Vector
	for d, x := range w.Vector {
		v[d] = float32(x)
	}
	v.Normalize()
	return &v
}
