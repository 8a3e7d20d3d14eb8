// Package classifier estimates which action a request asks for. It uses a linear model over
// hashed words and character n-grams. So it also recognizes misspelt and inflected words that
// no training example contains. It knows only the labels of its training examples.
//
// Train makes a Model from labelled requests, Encode writes it with 3 bits for each weight,
// and Decode reads it. Start reading at Model.Probabilities.
package classifier

import (
	"math"
)

// OutOfScope is the label of requests that no action can answer.
const OutOfScope = ""

// A Model gives each label a probability for a request. A Model never changes and is safe
// for concurrent use.
type Model struct {
	Labels  []string  // sorted
	logSize int       // the number of buckets is 1 << logSize
	bias    []float32 // by label
	idf     []uint8   // inverse document frequency by bucket, in units of idfUnit
	idfUnit float32
	scale   []float32 // by bucket: the value of one step of the bucket's weights
	packed  []byte    // by bucket: one weight of weightBits for each label, padded to whole bytes
	rowSize int       // bytes of a bucket's row in packed
}

// Probabilities returns the probability of each label, in the order of Labels. They add up
// to 1. For a text without a letter or digit it returns nil.
func (m *Model) Probabilities(text string) []float64 {
	features := m.features(text)
	if len(features) == 0 {
		return nil
	}
	scores := make([]float64, len(m.Labels))
	for i, b := range m.bias {
		scores[i] = float64(b)
	}
	for _, f := range features {
		m.addRow(scores, f)
	}
	softmax(scores)
	return scores
}

// addRow adds the weights of a feature's bucket to scores.
func (m *Model) addRow(scores []float64, f feature) {
	step := f.value * float64(m.scale[f.bucket])
	if step == 0 {
		return
	}
	row := m.packed[f.bucket*m.rowSize : (f.bucket+1)*m.rowSize]
	bits, count := uint(0), uint(0) // the unread bits of row[:next]
	next := 0
	for i := range scores {
		for count < weightBits {
			bits |= uint(row[next]) << count
			count += 8
			next++
		}
		scores[i] += step * float64(int(bits&(1<<weightBits-1))-zeroWeight)
		bits >>= weightBits
		count -= weightBits
	}
}

// softmax turns scores into probabilities.
func softmax(scores []float64) {
	highest := math.Inf(-1)
	for _, s := range scores {
		highest = max(highest, s)
	}
	sum := 0.0
	for i, s := range scores {
		scores[i] = math.Exp(s - highest)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}
