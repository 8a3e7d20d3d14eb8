package transport

import (
	"bufio"
	"errors"
	"slices"
)

// MaxMessage is how many bytes a message of a client may have, whichever way it
// comes: it leaves room for the largest values, with their escapes.
const MaxMessage = 4 << 20

const (
	maxDepth  = 512     // levels of nesting
	maxID     = 1 << 20 // bytes
	maxMethod = 256     // bytes
)

// A lineReader cuts its input into lines and scans them while they arrive.
type lineReader struct {
	in   *bufio.Reader
	scan messageScan
}

// next returns the next line and its envelope. A line longer than MaxMessage is
// scanned and dropped: it is nil, and its envelope a refusal. The last line
// need not end in a newline. The error is io.EOF after it, or the input's own.
func (r *lineReader) next() ([]byte, envelope, error) {
	r.scan.reset()
	var kept []byte
	tooLong := false
	for {
		piece, err := r.in.ReadSlice('\n')
		r.scan.feed(piece)
		tooLong = tooLong || len(kept)+len(piece) > MaxMessage
		if tooLong {
			kept = nil
		} else {
			if len(kept)+len(piece) > cap(kept) {
				kept = slices.Grow(kept, max(len(kept), len(piece))) // doubles: append would copy large lines more often
			}
			kept = append(kept, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && r.scan.pos == 0 {
			return nil, envelope{}, err
		}
		r.scan.feed([]byte{'\n'}) // ends a number that ended the line
		return kept, r.scan.envelope(tooLong), nil
	}
}
