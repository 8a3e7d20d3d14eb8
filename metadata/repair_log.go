package metadata

import (
	"slices"
	"strconv"
	"strings"
)

// How values are read that were sent as text: where the schema wants another
// type, or a list. A note ends in it.
const (
	FromText  = "read from text"
	ListOfOne = "read as a list of one"
	SplitList = "split at its commas"
)

// maxNotes is how many repairs of one call are reported.
const maxNotes = 20

// A repairLog notes the repairs of one call for its caller. The notes have names of
// the schema and never values.
type repairLog struct {
	misspelt bool // whether a name with one typo is read as the right one
	path     []string
	notes    []string
	room     [4]string // for a path as deep as most
}

// newRepairLog begins the repair of a call of that effect.
func newRepairLog(effect Effect) *repairLog {
	m := &repairLog{misspelt: Writes.Covers(effect)}
	m.path = m.room[:0]
	return m
}

func (m *repairLog) enter(name string) { m.path = append(m.path, name) }

func (m *repairLog) leave() { m.path = m.path[:len(m.path)-1] }

// at reports whether the value that repair is at is an argument of one of the
// names.
func (m *repairLog) at(names []string) bool {
	return len(m.path) == 1 && slices.Contains(names, m.path[0])
}

// note notes what was done to the value that repair is at.
func (m *repairLog) note(how string) {
	where := strings.ReplaceAll(strings.Join(m.path, "."), ".[]", "[]")
	if where == "" {
		where = "the arguments"
	}
	m.say(where + " " + how)
}

// renamed notes that a member of that value was given the name it is known by.
func (m *repairLog) renamed(from, to string) {
	if !isPlainWord(from) {
		from = strconv.Quote(shorten(from))
	}
	m.enter(from)
	m.note("read as " + to)
	m.leave()
}

// say adds a note, once.
func (m *repairLog) say(note string) {
	if len(m.notes) < maxNotes && !slices.Contains(m.notes, note) {
		m.notes = append(m.notes, note)
	}
}

// nameOf is what a note calls a member. Names that the schema does not declare
// are its caller's own, and none of the log's business.
func (s *shape) nameOf(name string) string {
	if s.property(name) == nil {
		return "*"
	}
	return name
}
