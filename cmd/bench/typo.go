package main

import "math/rand/v2"

// typo returns word with one slip of the finger: a letter left out, put in,
// taken for another, or swapped with its neighbour. The first letter stays and
// the slip is within the word, which must have three bytes of ASCII.
func typo(word string, r *rand.Rand) string {
	at := 1 + r.IntN(len(word)-2)
	other := string(rune('a' + r.IntN(26)))
	for other == word[at:at+1] {
		other = string(rune('a' + r.IntN(26)))
	}
	switch r.IntN(4) {
	case 0:
		return word[:at] + word[at+1:]
	case 1:
		return word[:at] + other + word[at:]
	case 2:
		return word[:at] + other + word[at+1:]
	}
	if word[at] == word[at+1] {
		return word[:at] + word[at+1:]
	}
	return word[:at] + word[at+1:at+2] + word[at:at+1] + word[at+2:]
}
