package index

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"kota/store"
)

// blockFrom returns the block with the rows of a map.
func blockFrom(rows map[uint16]uint8) block {
	b := block{}
	for place, columns := range rows {
		b = b.with(place, columns)
	}
	return b
}

func TestBlockChecksItsForm(t *testing.T) {
	for name, b := range map[string]block{
		"half a row":       {0},
		"the same row":     {0, 0x11, 0, 0x12},
		"a wrong order":    {0, 0x21, 0, 0x11},
		"row 1,024 of it":  {0x40, 0x01},
		"row 4,095 at end": {0, 0x11, 0xff, 0xf1},
	} {
		if err := b.check(); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	full := block{}
	for place := range uint16(blockSize) {
		full = full.with(place, allColumns)
	}
	if err := full.check(); err != nil || len(full) != 2048 {
		t.Errorf("a full block has %d bytes: %v", len(full), err)
	}
	if err := (block{}).check(); err != nil {
		t.Error(err)
	}
}

func TestBlockIsLikeAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b, model := block{}, map[uint16]uint8{}
		places := 1 + r.IntN(blockSize)
		for range r.IntN(300) {
			place, columns := uint16(r.IntN(places)), uint8(r.IntN(16))
			before := slices.Clone(b)
			changed := b.with(place, columns)
			if !bytes.Equal(b, before) {
				t.Fatal("with has changed its block")
			}
			b = changed
			if columns == 0 {
				delete(model, place)
			} else {
				model[place] = columns
			}
		}
		checkBlock(t, b, model)
	}
}

// checkBlock checks that b has exactly the rows of model.
func checkBlock(t *testing.T, b block, model map[uint16]uint8) {
	t.Helper()
	if err := b.check(); err != nil {
		t.Fatal(err)
	}
	if b.count() != len(model) {
		t.Fatalf("%d rows, want %d", b.count(), len(model))
	}
	for place := range uint16(blockSize) {
		if got := b.columns(place); got != model[place] {
			t.Fatalf("row %d has the columns %b, want %b", place, got, model[place])
		}
	}
	for columns := range allColumns + 1 {
		want := []int64{}
		for _, place := range slices.Sorted(maps.Keys(model)) {
			if model[place]&columns != 0 {
				want = append(want, 7<<blockBits|int64(place))
			}
		}
		s := rowSet{}
		s.add(b, columns)
		if got := s.appendAscending([]int64{}, 7, blockSize); !slices.Equal(got, want) {
			t.Fatalf("rows with the columns %b: %v, want %v", columns, got, want)
		}
		slices.Reverse(want)
		if got := s.appendDescending([]int64{}, 7, -1); !slices.Equal(got, want) {
			t.Fatalf("rows with the columns %b: %v, want %v", columns, got, want)
		}
		if got := s.appendDescending([]int64{}, 7, 3); !slices.Equal(got, want[:min(3, len(want))]) {
			t.Fatalf("the newest three rows: %v of %v", got, want)
		}
	}
}

func TestRowSetsIntersect(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	some := func() map[uint16]uint8 {
		rows := map[uint16]uint8{}
		for range r.IntN(600) {
			rows[uint16(r.IntN(blockSize))] = uint8(1 + r.IntN(15))
		}
		return rows
	}
	for range 100 {
		a, b := some(), some()
		both, of := rowSet{}, rowSet{}
		both.add(blockFrom(a), inText)
		of.add(blockFrom(b), inLabelsColumn)
		both.keep(&of)
		want := []int64{}
		for _, place := range slices.Sorted(maps.Keys(a)) {
			if a[place]&inText != 0 && b[place]&inLabelsColumn != 0 {
				want = append(want, int64(place))
			}
		}
		if got := both.appendAscending([]int64{}, 0, blockSize); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

func TestBlockOfNumbers(t *testing.T) {
	for _, id := range []int64{0, 1, 1023, 1024, 1 << 30, 1<<41 - 1} {
		number, place := blockOf(id)
		s := rowSet{}
		s.add(block{}.with(place, inBodyColumn), inBodyColumn)
		if got := s.appendAscending(nil, number, 1); len(got) != 1 || got[0] != id {
			t.Errorf("%d became %v", id, got)
		}
	}
}

func FuzzBlock(f *testing.F) {
	f.Add([]byte{0, 1, 0x11, 3, 0xff, 0xff, 0, 1, 0x10})
	f.Fuzz(func(t *testing.T, changes []byte) {
		b, model := block{}, map[uint16]uint8{}
		for ; len(changes) >= 3; changes = changes[3:] {
			place, columns := (uint16(changes[0])<<8|uint16(changes[1]))%blockSize, changes[2]&allColumns
			b = b.with(place, columns)
			if columns == 0 {
				delete(model, place)
			} else {
				model[place] = columns
			}
		}
		checkBlock(t, b, model)
	})
}

// FuzzBlockOfStrangers reads lists that others may have written: nothing of them may panic.
func FuzzBlockOfStrangers(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3}, uint16(1))
	f.Fuzz(func(t *testing.T, list []byte, place uint16) {
		b := block(list)
		if b.check() != nil {
			return
		}
		place %= blockSize
		changed := b.with(place, inKeyColumn)
		if err := changed.check(); err != nil || changed.columns(place) != inKeyColumn {
			t.Fatal(err, changed)
		}
		s := rowSet{}
		s.add(b, allColumns)
		if got := len(s.appendDescending(nil, 0, -1)); got > b.count() {
			t.Fatalf("%d rows in a block of %d", got, b.count())
		}
	})
}
