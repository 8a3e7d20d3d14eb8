package static

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"kota/store/semantic"
)

// embeddings are the vectors of tokens, in 8 bits per number. The vector of token t is the
// row mapping[t], times the scale of the row, times weights[t].
type embeddings struct {
	name      string // of the model, with a hash
	fileBytes int64

	tokens     int
	dimensions int
	rows       []int8    // dimensions numbers for each row
	scales     []float32 // one per row
	weights    []float32 // one per token; nil: all are 1
	mapping    []int32   // the row of each token; nil: its own number
	tokenizer  *tokenizer
}

// tokenBytes is roughly how many bytes of memory a token takes in the tokenizer.
const tokenBytes = 100

// memory returns roughly how many bytes of memory the model takes.
func (e *embeddings) memory() int64 {
	return int64(len(e.rows) + 4*len(e.scales) + 4*len(e.weights) + 4*len(e.mapping) + tokenBytes*e.tokens)
}

// maxText limits the runes of a text, and maxUsed its tokens, as model2vec does: the mean of
// more tokens says little.
const (
	maxText = 4096
	maxUsed = 512
)

// vector returns the vector of a text, of length 1. It returns semantic.ErrNoVector if the
// text has no known token, or if the vectors of its tokens cancel each other out.
func (e *embeddings) vector(text string) (semantic.Vector, error) {
	ids := e.tokenizer.encode(text)
	ids = ids[:min(len(ids), maxUsed)]
	if len(ids) == 0 {
		return nil, semantic.ErrNoVector
	}
	sum := make([]float64, e.dimensions)
	for _, id := range ids {
		row, scale := int(id), float32(1)
		if e.mapping != nil {
			row = int(e.mapping[id])
		}
		if e.weights != nil {
			scale = e.weights[id]
		}
		factor := float64(scale * e.scales[row])
		for i, x := range e.rows[row*e.dimensions:][:e.dimensions] {
			sum[i] += factor * float64(x)
		}
	}
	// A mean and a sum differ in length but not in direction. model2vec's setting "normalize"
	// therefore makes no difference here.
	v, err := semantic.Normalize(sum)
	if err != nil {
		return nil, semantic.ErrNoVector
	}
	return v, nil
}

// readEmbeddings reads the tensors of a model. tokens is the number of tokens of its
// tokenizer.
func readEmbeddings(s source, tokens int) (*embeddings, error) {
	h, err := s.readHeader()
	if err != nil {
		return nil, err
	}
	t, err := h.tensor("embeddings", "embedding.weight")
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, problem(chooseModel2, "%s has no tensor \"embeddings\"; it has: %s", s.name, h.names())
	}
	switch {
	case len(t.shape) != 2:
		return nil, problem(chooseModel2, "%s has embeddings with %s (shape %v); KOTA reads a table of tokens and dimensions", s.name, axes(t.shape), t.shape)
	case t.shape[0] < 1 || t.shape[1] < 1:
		return nil, problem(chooseModel2, "%s has an empty table of embeddings (shape %v)", s.name, t.shape)
	case t.shape[1] > semantic.MaxDimensions || t.shape[0] > maxTokens:
		return nil, problem(chooseModel2, "%s has embeddings of the shape %v; KOTA reads tables of up to %d tokens and %d dimensions", s.name, t.shape, maxTokens, semantic.MaxDimensions)
	}
	e := &embeddings{tokens: tokens, dimensions: int(t.shape[1])}
	if err := e.readMapping(s, h, int(t.shape[0])); err != nil {
		return nil, err
	}
	if e.mapping == nil && int(t.shape[0]) != tokens {
		return nil, mismatch(s.name, int(t.shape[0]), tokens)
	}
	if err := e.readWeights(s, h); err != nil {
		return nil, err
	}
	return e, e.readRows(s, t)
}

// axes returns "one axis" or "3 axes".
func axes(shape []int64) string {
	if len(shape) == 1 {
		return "one axis"
	}
	return fmt.Sprintf("%d axes", len(shape))
}

func mismatch(file string, vectors, tokens int) *Error {
	return problem(chooseTogether, "tokenizer.json has %d tokens and %s has vectors for %d: they are not of the same model", tokens, file, vectors)
}

// readRows reads the table in blocks, and rounds each row to 8 bits.
func (e *embeddings) readRows(s source, t *tensor) error {
	rows, width := int(t.shape[0]), e.dimensions*int(widths[t.dtype])
	e.rows, e.scales = make([]int8, rows*e.dimensions), make([]float32, rows)
	block := max(1, min(rows, (256<<10)/width))
	raw, row := make([]byte, block*width), make([]float32, e.dimensions)
	for first := 0; first < rows; first += block {
		raw := raw[:min(block, rows-first)*width]
		if err := s.readAt(raw, t.offset+int64(first)*int64(width)); err != nil {
			return err
		}
		for i := 0; i*width < len(raw); i++ {
			floats(row, raw[i*width:][:width], t.dtype)
			scale, ok := quantize(e.rows[(first+i)*e.dimensions:][:e.dimensions], row)
			if !ok {
				return problem(copyAgain+" If that does not help, choose another model.", "%s has numbers in the vector of token %d that are infinite or not a number", s.name, first+i)
			}
			e.scales[first+i] = scale
		}
	}
	if !slices.ContainsFunc(e.scales, func(scale float32) bool { return scale > 0 }) {
		return problem(chooseOther, "%s has only vectors of zeros, or of numbers too small to use", s.name)
	}
	return nil
}

// quantize rounds row to dst, so that dst times scale is about row. It reports false if a
// number is not finite. If all numbers are below about 1e-36, scale is 0.
func quantize(dst []int8, row []float32) (scale float32, ok bool) {
	const magnitude, infinite = 0x7fffffff, 0x7f800000
	largest := uint32(0) // without their sign, numbers have the order of their bits
	for _, x := range row {
		largest = max(largest, math.Float32bits(x)&magnitude)
	}
	if largest >= infinite {
		return 0, false
	}
	scale = math.Float32frombits(largest) / 127
	if scale < 1e-38 {
		return 0, true
	}
	for i, x := range row {
		half := math.Float32frombits(math.Float32bits(.5) | math.Float32bits(x)&^magnitude)
		dst[i] = int8(x/scale + half)
	}
	return scale, true
}

// readWeights reads the optional factor of each token.
func (e *embeddings) readWeights(s source, h header) error {
	t, err := h.tensor("weights")
	if t == nil || err != nil {
		return err
	}
	if len(t.shape) != 1 || int(t.shape[0]) != e.tokens {
		return problem(chooseTogether, "%s has weights of the shape %v; tokenizer.json has %d tokens", s.name, t.shape, e.tokens)
	}
	raw := make([]byte, t.shape[0]*widths[t.dtype])
	if err := s.readAt(raw, t.offset); err != nil {
		return err
	}
	e.weights = make([]float32, e.tokens)
	floats(e.weights, raw, t.dtype)
	for i, w := range e.weights {
		if !isFinite(w) {
			return problem(copyAgain, "%s has a weight of token %d that is infinite or not a number", s.name, i)
		}
	}
	return nil
}

// readMapping reads the optional row of each token, in models where tokens share rows.
func (e *embeddings) readMapping(s source, h header, rows int) error {
	t, err := h.tensor("mapping")
	if t == nil || err != nil {
		return err
	}
	if t.dtype != "I32" && t.dtype != "I64" {
		return problem(chooseOther, "%s has a mapping of the type %s; KOTA reads I32 and I64", s.name, t.dtype)
	}
	if len(t.shape) != 1 {
		return problem(chooseModel2, "%s has a mapping of the shape %v; KOTA reads a list", s.name, t.shape)
	}
	if int(t.shape[0]) != e.tokens {
		return mismatch(s.name, int(t.shape[0]), e.tokens)
	}
	width := int(widths[t.dtype])
	raw := make([]byte, e.tokens*width)
	if err := s.readAt(raw, t.offset); err != nil {
		return err
	}
	e.mapping = make([]int32, e.tokens)
	for i := range e.mapping {
		row := int64(0)
		if width == 4 {
			row = int64(int32(binary.LittleEndian.Uint32(raw[4*i:])))
		} else {
			row = int64(binary.LittleEndian.Uint64(raw[8*i:]))
		}
		if row < 0 || row >= int64(rows) {
			return problem(copyAgain, "%s maps token %d to row %d of %d", s.name, i, row, rows)
		}
		e.mapping[i] = int32(row)
	}
	return nil
}
