package static

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"maps"
	"slices"
	"strings"
)

// A source is a .safetensors file of size bytes. It has the length of the header as 8 bytes
// in little-endian order, the header as JSON, and the numbers
// (https://github.com/huggingface/safetensors, section Format).
type source struct {
	io.ReaderAt
	name string // for messages
	size int64
	sum  hash.Hash // of everything that is read
}

// A header says where a file has its tensors.
type header struct {
	name    string
	start   int64                      // of the numbers, in bytes from the start of the file
	size    int64                      // of the numbers in bytes
	entries map[string]json.RawMessage // by the name of the tensor
}

// A tensor is one array of numbers in a file. Its offset and size are checked.
type tensor struct {
	name   string
	dtype  string
	shape  []int64
	offset int64 // in bytes from the start of the file
}

// readHeader reads and checks the header.
func (s source) readHeader() (header, error) {
	var length [8]byte
	if s.size < int64(len(length)) {
		return header{}, problem(copyAgain, "%s has %d bytes, too few for a model: it is truncated", s.name, s.size)
	}
	if err := s.readAt(length[:], 0); err != nil {
		return header{}, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		if err := notTheFile(s.name, length[:]); err != nil {
			return header{}, err
		}
		return header{}, problem(chooseModel2, "%s is not a safetensors file, or its header has more than %d MB", s.name, maxHeader>>20)
	}
	start := int64(len(length)) + int64(n)
	if start > s.size {
		return header{}, problem(copyAgain, "%s is truncated: it ends within its header", s.name)
	}
	raw := make([]byte, n)
	if err := s.readAt(raw, int64(len(length))); err != nil {
		return header{}, err
	}
	return parseHeader(s.name, raw, start, s.size-start)
}

// parseHeader parses a header that is followed by size bytes of numbers from start on.
func parseHeader(name string, raw []byte, start, size int64) (header, error) {
	h := header{name: name, start: start, size: size}
	if json.Unmarshal(raw, &h.entries) != nil || h.entries == nil {
		return header{}, problem(chooseModel2, "%s is not a safetensors file: its header is not a JSON object", name)
	}
	delete(h.entries, "__metadata__")
	return h, nil
}

// tensor returns the tensor with the first of these names that the file has. It returns nil
// without an error if the file has none of them.
func (h header) tensor(names ...string) (*tensor, error) {
	for _, name := range names {
		if raw, ok := h.entries[name]; ok {
			return h.parse(name, raw)
		}
	}
	return nil, nil
}

func (h header) parse(name string, raw json.RawMessage) (*tensor, error) {
	var entry struct {
		DType   string  `json:"dtype"`
		Shape   []int64 `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if json.Unmarshal(raw, &entry) != nil || len(entry.Offsets) != 2 {
		return nil, problem(copyAgain, "%s has no valid entry for the tensor %q", h.name, name)
	}
	width := widths[entry.DType]
	if width == 0 {
		return nil, problem(chooseOther, "%s has numbers of the type %q in %q; KOTA reads %s", h.name, shorten(entry.DType), name, strings.Join(slices.Sorted(maps.Keys(widths)), ", "))
	}
	bytes := width
	for _, n := range entry.Shape {
		if n < 0 || n > maxFile || bytes > maxFile { // so that the product cannot overflow
			return nil, problem(chooseOther, "%s has a tensor %q of the size %v, which KOTA does not read", h.name, name, entry.Shape)
		}
		bytes *= n
	}
	begin, end := entry.Offsets[0], entry.Offsets[1]
	switch {
	case begin < 0 || end < begin || end-begin != bytes:
		return nil, problem(copyAgain, "%s contradicts itself: the tensor %q has %d bytes between its offsets and %d by its shape %v", h.name, name, end-begin, bytes, entry.Shape)
	case end > h.size:
		return nil, problem(copyAgain, "%s is truncated: the tensor %q ends at byte %d of %d", h.name, name, end, h.size)
	}
	return &tensor{name: name, dtype: entry.DType, shape: entry.Shape, offset: h.start + begin}, nil
}

// names lists up to five tensors, for messages.
func (h header) names() string {
	names := slices.Sorted(maps.Keys(h.entries))
	if len(names) == 0 {
		return "none"
	}
	more := ""
	if len(names) > 5 {
		names, more = names[:5], ", …"
	}
	return shorten(strings.Join(names, ", ")) + more
}

// readAt fills b from the offset, and adds b to the sum.
func (s source) readAt(b []byte, offset int64) error {
	if _, err := io.ReadFull(io.NewSectionReader(s, offset, int64(len(b))), b); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return problem(copyAgain, "%s became shorter while KOTA read it", s.name)
		}
		return unreadable(s.name, err)
	}
	s.sum.Write(b)
	return nil
}

// shorten limits a text from a file for a message.
func shorten(text string) string {
	const most = 200
	if runes := []rune(strings.ToValidUTF8(text, "\uFFFD")); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
