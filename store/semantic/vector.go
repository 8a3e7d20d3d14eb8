// Package semantic finds texts by what they mean: it asks an endpoint that
// speaks OpenAI's embeddings API (OpenAI itself, Ollama, LM Studio) for
// vectors and compares them by their angle.
//
// Whatever goes wrong with the endpoint is an *Error, and no search has to fail
// for it: words find without it. Nothing here runs before the first search.
package semantic

import (
	"encoding/binary"
	"errors"
	"math"
)

// A Vector stands for what a text means. It has length 1, so that its product
// with another is the cosine of the angle between them.
type Vector []float32

// mostDimensions bounds a vector. The largest models in use have 4,096.
const mostDimensions = 16_384

// unit scales finite numbers, at most 16,384 and not all 0, to length 1.
func unit(numbers []float64) (Vector, error) {
	square := 0.0
	for _, x := range numbers {
		square += x * x
	}
	length := math.Sqrt(square)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) || len(numbers) > mostDimensions {
		return nil, errors.New("a vector without a direction")
	}
	v := make(Vector, len(numbers))
	for i, x := range numbers {
		v[i] = float32(x / length)
	}
	return v, nil
}

// Cosine compares two vectors of equal size: 1 for the same direction, 0 for
// nothing in common.
func (v Vector) Cosine(o Vector) float64 {
	sum := float32(0)
	for i, x := range v {
		sum += x * o[i]
	}
	return float64(sum)
}

// Bytes is v as it is kept: IEEE 754 numbers of 32 bits, little-endian.
func (v Vector) Bytes() []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// FromBytes is the vector that Bytes wrote.
func FromBytes(b []byte) Vector {
	v := make(Vector, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
