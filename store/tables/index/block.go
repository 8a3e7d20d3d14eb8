package index

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"kota/store"
)

// A block lists up to blockSize rows that have a term, out of blockSize consecutive numbers. Each
// row takes two bytes: its number in the block, shifted left by four, and a bit for each column with
// the term. The rows are in order. A block without rows is empty.
type block []byte

const (
	blockBits = 10
	blockSize = 1 << blockBits // so that a list has at most 2 KB: each change of one row writes all of it
)

// The columns of a block.
const (
	inKeyColumn uint8 = 1 << iota
	inLabelsColumn
	inBodyColumn
	inInitialsColumn

	inText     = inKeyColumn | inLabelsColumn | inBodyColumn
	allColumns = inText | inInitialsColumn
)

// blockOf returns the number of the block with a row, and the number of the row in it.
func blockOf(id int64) (number int64, place uint16) {
	return id >> blockBits, uint16(id & (blockSize - 1))
}

// check returns an error that matches ErrCorrupt unless b has the form of a block.
func (b block) check() error {
	if len(b)%2 != 0 {
		return fmt.Errorf("%w: a list of rows has %d bytes", store.ErrCorrupt, len(b))
	}
	for i := 2; i < len(b); i += 2 {
		if b.at(i-2)>>4 >= b.at(i)>>4 {
			return fmt.Errorf("%w: a list of rows is not in order", store.ErrCorrupt)
		}
	}
	if len(b) > 0 && b.at(len(b)-2)>>4 >= blockSize {
		return fmt.Errorf("%w: a list of rows has the row %d of %d", store.ErrCorrupt, b.at(len(b)-2)>>4, blockSize)
	}
	return nil
}

func (b block) at(i int) uint16 { return binary.BigEndian.Uint16(b[i:]) }

// count returns the number of rows.
func (b block) count() int { return len(b) / 2 }

// search returns where a row is, or belongs, and whether it is there.
func (b block) search(place uint16) (at int, found bool) {
	from, to := 0, len(b)/2
	for from < to {
		middle := (from + to) / 2
		if b.at(2*middle)>>4 < place {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return 2 * from, from < len(b)/2 && b.at(2*from)>>4 == place
}

// columns returns the columns of a row, or 0 if the row is not in b.
func (b block) columns(place uint16) uint8 {
	at, found := b.search(place)
	if !found {
		return 0
	}
	return uint8(b.at(at)) & allColumns
}

// with returns a copy of b in which a row has these columns. Without columns, b lacks the row.
func (b block) with(place uint16, columns uint8) block {
	at, found := b.search(place)
	changed := make(block, 0, len(b)+2)
	changed = append(changed, b[:at]...)
	if columns != 0 {
		changed = binary.BigEndian.AppendUint16(changed, place<<4|uint16(columns&allColumns))
	}
	if found {
		at += 2
	}
	return append(changed, b[at:]...)
}

// A rowSet is a set of the rows of one block.
type rowSet [blockSize / 64]uint64

// add adds the rows that have one of the columns in b.
func (s *rowSet) add(b block, columns uint8) {
	for i := 0; i+1 < len(b); i += 2 {
		if row := b.at(i); uint8(row)&columns != 0 {
			s[row>>10] |= 1 << (row >> 4 & 63)
		}
	}
}

// keep removes the rows that are not in other.
func (s *rowSet) keep(other *rowSet) {
	for i := range s {
		s[i] &= other[i]
	}
}

// appendDescending appends the ids of the rows, the highest first, until ids has limit elements. A
// negative limit is none.
func (s *rowSet) appendDescending(ids []int64, number int64, limit int) []int64 {
	for i := len(s) - 1; i >= 0; i-- {
		for word := s[i]; word != 0; {
			if limit >= 0 && len(ids) >= limit {
				return ids
			}
			top := bits.Len64(word) - 1
			word &^= 1 << top
			ids = append(ids, number<<blockBits|int64(i*64+top))
		}
	}
	return ids
}

// appendAscending appends the ids of the rows, the lowest first, until ids has limit elements.
func (s *rowSet) appendAscending(ids []int64, number int64, limit int) []int64 {
	for i, word := range s {
		for ; word != 0 && len(ids) < limit; word &= word - 1 {
			ids = append(ids, number<<blockBits|int64(i*64+bits.TrailingZeros64(word)))
		}
	}
	return ids
}
