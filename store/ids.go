package store

import "strings"

// The letters that ids begin with.
const (
	EntryLetter    = 'e'
	TaskLetter     = 't'
	DocumentLetter = 'd'
	UndoLetter     = 'z'
)

// Numbers of rows are shuffled into ids by a multiplication that another one
// reverses: so that a slip of one character names no row at all, instead of the
// next one.
const (
	idBits    = 30
	shuffle   = 0x2545F491
	unshuffle = 0x1444C71 // shuffle * unshuffle is 1, in 30 bits
	alphabet  = "0123456789abcdefghjkmnpqrstvwxyz"
	idDigits  = idBits / 5
	LastID    = 1<<idBits - 1
)

// DiaryID is what the row of that number is called outside.
func DiaryID(letter byte, number int64) string {
	id := [idDigits + 1]byte{letter}
	shuffled := uint64(number) * shuffle & LastID
	for at := idDigits; at > 0; at-- {
		id[at] = alphabet[shuffled&31]
		shuffled >>= 5
	}
	return string(id[:])
}

// DiaryNumber reverses shortID. It reads capitals, and o, i and l as the digits
// they look like, and returns 0 for what is no such id.
func DiaryNumber(letter byte, id string) int64 {
	id = strings.ToLower(strings.TrimSpace(id))
	if len(id) != idDigits+1 || id[0] != letter {
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
