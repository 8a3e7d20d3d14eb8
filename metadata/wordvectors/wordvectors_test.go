package wordvectors

import (
	"encoding/binary"
	"math"
	"testing"
)

// The right word must be nearer than the wrong one.
func TestWordsOfSimilarMeaningAreNear(t *testing.T) {
	for _, c := range []struct{ word, right, wrong string }{
		{"flight", "airline", "soup"}, {"parcel", "package", "opera"}, {"doctor", "physician", "invoice"}, {"rain", "weather", "guitar"},
		{"invoice", "payment", "garden"}, {"trousers", "shirt", "database"}, {"monday", "tuesday", "bread"}, {"train", "railway", "lemon"},
		{"song", "music", "tax"}, {"apartment", "rent", "molecule"}, {"pharmacy", "drug", "violin"}, {"paris", "france", "verb"},
	} {
		word, right, wrong := vector(t, c.word), vector(t, c.right), vector(t, c.wrong)
		if near, far := word.Dot(&right), word.Dot(&wrong); near < far+0.2 {
			t.Errorf("%s: the similarity to %s is %.2f, and to %s %.2f", c.word, c.right, near, c.wrong, far)
		}
	}
}

func vector(t *testing.T, word string) Vector {
	t.Helper()
	v, _, known := Lookup(word)
	if !known {
		t.Fatalf("%s is unknown", word)
	}
	if length := v.Dot(&v); math.Abs(length-1) > 1e-3 {
		t.Fatalf("the length of %s is %.3f, want 1", word, math.Sqrt(length))
	}
	return v
}

func TestFrequentWordsSayLess(t *testing.T) {
	_, the, _ := Lookup("the")
	_, people, _ := Lookup("people")
	_, invoice, _ := Lookup("invoice")
	if !(0 <= the && the < people && people < invoice && invoice <= 1) {
		t.Errorf("the weights of the, people and invoice are %.2f, %.2f and %.2f", the, people, invoice)
	}
}

func TestUnknownWords(t *testing.T) {
	for _, word := range []string{"", "qzxvbnm", "Flight", "电子", "\x00\xff"} {
		if v, weight, known := Lookup(word); known || weight != 0 || v != (Vector{}) {
			t.Errorf("Lookup(%q) finds a vector", word)
		}
	}
}

func TestFileIsCompleteAndSorted(t *testing.T) {
	count := int(binary.LittleEndian.Uint32(embedded))
	rows := embedded[headerSize+parts*centroidCount*partDims:]
	if len(rows) != count*wordSize || count < 20_000 {
		t.Fatalf("%d bytes of words, %d words", len(rows), count)
	}
	for i := 1; i < count; i++ {
		if hashOf(rows[(i-1)*wordSize:]) >= hashOf(rows[i*wordSize:]) {
			t.Fatalf("word %d is not sorted", i)
		}
	}
}

func TestZeroVectorStaysZero(t *testing.T) {
	var v Vector
	if v.Normalize(); v != (Vector{}) {
		t.Errorf("it is %v", v)
	}
}
