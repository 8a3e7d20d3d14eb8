package classifier

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The file has a header, the labels, and then the arrays of the Model. Numbers are
// little-endian.
const (
	magic      = "KOTA classifier 1\n"
	weightBits = 3
	zeroWeight = 4 // a stored weight w means w-zeroWeight steps
	maxLabels  = 4096
	maxLogSize = 20
)

// Encode returns the model as a file.
func (m *Model) Encode() []byte {
	var out bytes.Buffer
	out.WriteString(magic)
	put := func(v any) { binary.Write(&out, binary.LittleEndian, v) } // a bytes.Buffer never fails
	put(uint16(len(m.Labels)))
	put(uint8(m.logSize))
	for _, l := range m.Labels {
		put(uint8(len(l)))
		out.WriteString(l)
	}
	put(m.bias)
	put(m.idfUnit)
	put(m.idf)
	maxScale := float32(0)
	for _, s := range m.scale {
		maxScale = max(maxScale, s)
	}
	put(maxScale)
	for _, s := range m.scale {
		put(uint16(math.Round(float64(s) / float64(maxScale) * math.MaxUint16)))
	}
	out.Write(m.packed)
	return out.Bytes()
}

// Decode reads a model that Encode wrote. The model keeps a reference to data. Decode returns
// an error if data is not such a file, is truncated or has an impossible value.
func Decode(data []byte) (*Model, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errors.New("the file is not a classifier of this version")
	}
	in := bytes.NewReader(rest)
	var readErr error
	get := func(v any) {
		if readErr == nil {
			readErr = binary.Read(in, binary.LittleEndian, v)
		}
	}
	var labels uint16
	var logSize uint8
	get(&labels)
	get(&logSize)
	if readErr != nil || labels == 0 || labels > maxLabels || logSize > maxLogSize {
		return nil, fmt.Errorf("the header of the classifier is truncated or impossible: %d labels and 2^%d buckets", labels, logSize)
	}
	m := &Model{logSize: int(logSize), rowSize: rowSize(int(labels))}
	buckets := 1 << logSize
	for range labels {
		var n uint8
		get(&n)
		name := make([]byte, n)
		get(name)
		m.Labels = append(m.Labels, string(name))
	}
	m.bias, m.idf = make([]float32, labels), make([]uint8, buckets)
	get(m.bias)
	get(&m.idfUnit)
	get(m.idf)
	var maxScale float32
	get(&maxScale)
	steps := make([]uint16, buckets)
	get(steps)
	if readErr != nil || in.Len() != buckets*m.rowSize {
		return nil, errors.New("the classifier is truncated or has extra bytes")
	}
	m.packed = rest[len(rest)-in.Len():]
	m.scale = make([]float32, buckets)
	for b, s := range steps {
		m.scale[b] = float32(s) / math.MaxUint16 * maxScale
	}
	for _, v := range append([]float32{m.idfUnit, maxScale}, m.bias...) {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, errors.New("the classifier has a value that is infinite or not a number")
		}
	}
	return m, nil
}

// rowSize returns the bytes of a bucket's row in packed.
func rowSize(labels int) int { return (labels*weightBits + 7) / 8 }
