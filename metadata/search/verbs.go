package search

import (
	"slices"
	"strings"
	"sync"

	"kota/metadata"
	"kota/metadata/words"
)

// verbClasses are classes of English verbs for the same act, one class a line: a person may
// say "remove" and a tool "delete". They are about keeping records in general and name no
// tool, product or kind of record. Words that often mean something else (new, make, open,
// set, put, look) are absent: measurements showed that they mislead more than they help.
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

// verbClass maps a verb's stem to the other stems of its class. It is built on the first search.
var verbClass = sync.OnceValue(func() map[string][]string {
	classes := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(verbClasses), "\n") {
		verbs := strings.Fields(line)
		for _, verb := range verbs {
			for _, fellow := range verbs {
				if s := words.Stem(fellow); fellow != verb {
					classes[words.Stem(verb)] = append(classes[words.Stem(verb)], s)
				}
			}
		}
	}
	return classes
})

// readingVerbs are the verbs of reading in the names of tools, in the forms used there. See
// verbClasses for the reason why that list lacks some of them.
const readingVerbs = "get gets read reads show shows list lists view views display fetch fetches retrieve find finds search searches locate lookup look query see check count open peek"

// AsksToRead reports whether a word of the name is a verb of reading, as in memory_get and
// findEvent. A caller with such a name does not want to change anything.
func AsksToRead(name string) bool {
	verbs := strings.Fields(readingVerbs)
	for _, t := range words.Split(name, maxQueryWords) {
		if slices.ContainsFunc(append(t.Parts, t.Text), func(word string) bool { return slices.Contains(verbs, word) }) {
			return true
		}
	}
	return false
}

// MayAskToRead reports whether a word of the name is a verb of reading, or nearly one:
// "raed_message". A verb of sending or deleting does not count as nearly one.
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
