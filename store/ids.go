package store

import "strings"

// The first characters of ids, by kind.
const (
	EntryPrefix    = 'e'
	TaskPrefix     = 't'
	DocumentPrefix = 'd'
	UndoPrefix     = 'z'
)

// Row numbers are turned into ids by a multiplication, and back by another one. An id with one
// wrong character therefore rarely names a row. If ids contained plain numbers, such an id would
// often name another row.
const (
	idBits    = 30
	shuffle   = 0x2545F491
	unshuffle = 0x1444C71 // shuffle * unshuffle is 1 modulo 1<<30
	alphabet  = "0123456789abcdefghjkmnpqrstvwxyz"
	idDigits  = idBits / 5
	LastID    = 1<<idBits - 1
)

// DiaryID returns the public id of the row with that number. prefix is the constant for the kind
// of the row: EntryPrefix, TaskPrefix, DocumentPrefix or UndoPrefix.
func DiaryID(prefix byte, number int64) string {
	id := [idDigits + 1]byte{prefix}
	shuffled := uint64(number) * shuffle & LastID
	for at := idDigits; at > 0; at-- {
		id[at] = alphabet[shuffled&31]
		shuffled >>= 5
	}
	return string(id[:])
}

// DiaryNumber returns the row number of an id that DiaryID made. It accepts capitals, and reads
// o, i and l as digits. It returns 0 for any other text.
func DiaryNumber(prefix byte, id string) int64 {
	id = strings.ToLower(strings.TrimSpace(id))
	if len(id) != idDigits+1 || id[0] != prefix {
		return 0
	}
	shuffled := uint64(0)
	for _, r := range lookAlikes.Replace(id[1:]) {
		digit := strings.IndexRune(alphabet, r)
		if digit < 0 {
			return 0
		}
		shuffled = shuffled<<5 | uint64(digit)
	}
	return int64(shuffled * unshuffle & LastID)
}

var lookAlikes = strings.NewReplacer("o", "0", "i", "1", "l", "1")
