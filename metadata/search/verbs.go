package search

import (
	"slices"
	"strings"

	"kota/metadata"
	"kota/metadata/words"
)

// verbClasses are classes of English verbs with the same meaning, one class on each line. A
// person may say "remove" where a tool says "delete". No class names a tool, a product or a
// kind of record. Words that often mean something else (new, make, open, set, put, look) are
// absent: in measurements they made the search worse.
const verbClasses = `
create add insert register append generate
get read show list view display fetch retrieve print return
find search locate lookup query
update edit change modify revise adjust alter
delete remove erase discard drop clear rid purge strip
save store write record persist
send deliver post submit
move rename relocate transfer
connect link attach join
start begin launch run execute
stop end cancel abort halt
convert translate transform
`

// readingVerbs are the verbs of reading in the names of tools, in the forms used there. They
// include words that verbClasses leaves out.
const readingVerbs = "get gets read reads show shows list lists view views display fetch fetches retrieve find finds search searches locate lookup look query see check count open peek"

// AsksToRead reports whether a word of the name is a verb of reading, as in memory_get and
// findEvent. A caller that uses such a name does not want to change anything.
func AsksToRead(name string) bool {
	verbs := strings.Fields(readingVerbs)
	for _, t := range words.Split(name, maxQueryWords) {
		if slices.ContainsFunc(append(t.Parts, t.Text), func(word string) bool { return slices.Contains(verbs, word) }) {
			return true
		}
	}
	return false
}

// MayAskToRead reports whether a word of the name is a verb of reading, or such a verb with one
// typo: "raed_message". A verb of sending or deleting does not count as such a typo.
func MayAskToRead(name string) bool {
	if AsksToRead(name) {
		return true
	}
	verbs := strings.Fields(readingVerbs)
	return slices.ContainsFunc(words.SplitName(name), func(word string) bool {
		s := words.Stem(word)
		return !sendingStems()[s] && !deletingStems()[s] && slices.ContainsFunc(verbs, func(verb string) bool { return metadata.OneTypo(word, verb) })
	})
}
