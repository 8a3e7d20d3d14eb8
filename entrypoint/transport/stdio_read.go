package transport

import (
	"bufio"
	"errors"
	"slices"
)

// MaxMessage is the maximum size in bytes of a client's message on any transport. The longest
// allowed text of an argument fits, even if every character of it is an escape.
const MaxMessage = 4 << 20

const (
	maxDepth  = 512     // maximum levels of nesting
	maxID     = 1 << 20 // maximum bytes of an id
	maxMethod = 256     // maximum bytes of a method
)

// A lineReader cuts its input into lines and scans them while they arrive.
type lineReader struct {
	in   *bufio.Reader
	scan messageScan
}

// next returns the next line and its envelope. For a line longer than MaxMessage it returns
// nil and an envelope that is refused or ignored. The last line may lack a newline. After the
// last line, it returns io.EOF or the error of the input.
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
				kept = slices.Grow(kept, max(len(kept), len(piece))) // doubles the capacity: append would copy large lines more often
			}
			kept = append(kept, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && r.scan.pos == 0 {
			return nil, envelope{}, err
		}
		r.scan.feed([]byte{'\n'}) // ends a number at the end of the line
		return kept, r.scan.envelope(tooLong), nil
	}
}
