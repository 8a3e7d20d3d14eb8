// Package semantic finds texts by meaning. It gets vectors from an Embedder, and compares them by
// their angle. Client asks an endpoint with OpenAI's embeddings API (OpenAI itself, Ollama, LM
// Studio). Package static reads a local file. The user chooses one of the two in bundles.yaml.
//
// Every failure of the endpoint is an *Error. A search can ignore the failure and find texts by
// their words. Nothing in this package runs before the first search or check.
package semantic

import (
	"encoding/binary"
	"errors"
	"math"
)

// A Vector represents the meaning of a text. It has length 1, so that its product with another
// Vector is the cosine of the angle between them. For a text without a known word, all its
// numbers are 0.
type Vector []float32

// MaxDimensions is the maximum size of a vector. The largest models in use have 4,096 dimensions.
const MaxDimensions = 16_384

// Normalize scales numbers to length 1. It returns an error if there are more than 16,384, if
// all are 0, or if one is not finite.
func Normalize(numbers []float64) (Vector, error) {
	square := 0.0
	for _, x := range numbers {
		square += x * x
	}
	length := math.Sqrt(square)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) || len(numbers) > MaxDimensions {
		return nil, errors.New("an unusable vector: empty, zero, infinite or too long")
	}
	v := make(Vector, len(numbers))
	for i, x := range numbers {
		v[i] = float32(x / length)
	}
	return v, nil
}

// Cosine compares two vectors of equal size: 1 for the same direction, 0 for nothing in
// common.
func (v Vector) Cosine(other Vector) float64 {
	sum := float32(0)
	for i, x := range v {
		sum += x * other[i]
	}
	return float64(sum)
}

// Bytes returns v in the stored form: IEEE 754 numbers of 32 bits, little-endian.
func (v Vector) Bytes() []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// FromBytes returns the vector that Bytes encoded.
func FromBytes(b []byte) Vector {
	v := make(Vector, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
