// Package wordvectors has vectors of common English words. Words with similar vectors occur in
// similar texts: "flight" is near "airline" and "hotel". The table is part of the program, needs
// no start-up and never changes.
//
// The vectors are GloVe 6B with 100 dimensions (Pennington, Socher and Manning, "GloVe: Global
// Vectors for Word Representation", 2014), which is in the public domain. The command make
// reduces them to 25,000 words with 24 bytes each. Start reading at Lookup.
package wordvectors

import (
	_ "embed"
	"encoding/binary"
	"hash/fnv"
	"math"
)

// Dims is the number of dimensions of a vector.
const Dims = 100

// A Vector has the length 1, or is zero.
type Vector [Dims]float32

// Dot returns the similarity of two vectors, from -1 to 1.
func (v *Vector) Dot(w *Vector) float64 {
	sum := float32(0)
	for i, x := range v {
		sum += x * w[i]
	}
	return float64(sum)
}

// Add adds a multiple of w.
func (v *Vector) Add(w *Vector, factor float64) {
	for i, x := range w {
		v[i] += float32(factor) * x
	}
}

// Normalize scales v to the length 1. It does not change the zero vector.
func (v *Vector) Normalize() {
	length := math.Sqrt(v.Dot(v))
	if length == 0 {
		return
	}
	for i := range v {
		v[i] /= float32(length)
	}
}

// The file has a header, the centroids and the words. All numbers are little-endian.
//
//   - header: the number of words (4 bytes) and the largest absolute value of a centroid (a
//     float32);
//   - centroids: for each of parts parts of a vector, centroidCount vectors of partDims numbers
//     (1 byte each, from -127 to 127, in 127ths of that largest value);
//   - words, sorted by their hashes: the hash (3 bytes), the weight (1 byte, in 255ths), and for
//     each part the number of its centroid (1 byte).
//
// Product quantisation is from Jégou, Douze and Schmid, "Product quantization for nearest
// neighbor search", 2011.
const (
	headerSize    = 8
	parts         = 20
	partDims      = Dims / parts
	centroidCount = 256
	hashSize      = 3
	wordSize      = hashSize + 1 + parts
)

// A table has the bytes of such a file.
type table []byte

//go:embed vectors.bin
var embedded table

// Lookup returns the vector of a folded word, and its weight from 0 to 1: frequent words say
// less. It returns false for an unknown word. The table has hashes instead of words, so about
// one unknown word in 700 is taken for another one.
func Lookup(word string) (v Vector, weight float64, known bool) {
	return embedded.lookup(word)
}

func (t table) lookup(word string) (v Vector, weight float64, known bool) {
	words := t[headerSize+parts*centroidCount*partDims:]
	want := hash(word)
	low, high := 0, len(words)/wordSize
	for low < high {
		middle := (low + high) / 2
		row := words[middle*wordSize:][:wordSize]
		switch got := hashOf(row); {
		case got < want:
			low = middle + 1
		case got > want:
			high = middle
		default:
			return t.decode(row[hashSize+1:]), float64(row[hashSize]) / 255, true
		}
	}
	return Vector{}, 0, false
}

// decode returns the vector of the centroids.
func (t table) decode(codes []byte) (v Vector) {
	unit := math.Float32frombits(binary.LittleEndian.Uint32(t[4:])) / 127
	for p, code := range codes {
		centroid := t[headerSize+(p*centroidCount+int(code))*partDims:]
		for i := range partDims {
			v[p*partDims+i] = float32(int8(centroid[i])) * unit
		}
	}
	v.Normalize()
	return v
}

// hash returns 24 bits of the FNV-1a hash of a word.
func hash(word string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(word))
	sum := h.Sum32()
	return (sum ^ sum>>24) & (1<<(8*hashSize) - 1)
}

func hashOf(row []byte) uint32 {
	return uint32(row[0]) | uint32(row[1])<<8 | uint32(row[2])<<16
}
