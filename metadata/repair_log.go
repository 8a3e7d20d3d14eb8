package metadata

import (
	"slices"
	"strconv"
	"strings"
)

// The ways to read a text where the schema requires another type or a list. The note on such
// a repair ends with one of them.
const (
	FromText  = "read from text"
	ListOfOne = "read as a list of one"
	SplitList = "split at its commas"
)

// maxNotes is the maximum number of reported repairs of one call.
const maxNotes = 20

// A repairLog notes the repairs of one call for its caller. The notes contain names of
// arguments and never their texts.
type repairLog struct {
	correctTypos bool     // whether to correct a name with one typo
	path         []string // names of the current value and the values around it; "[]" for items
	notes        []string
	pathBuffer   [4]string // memory for a path of usual depth
}

// newRepairLog returns an empty log for a call with this effect.
func newRepairLog(effect Effect) *repairLog {
	m := &repairLog{correctTypos: Writes.Covers(effect)}
	m.path = m.pathBuffer[:0]
	return m
}

func (m *repairLog) push(name string) { m.path = append(m.path, name) }

func (m *repairLog) pop() { m.path = m.path[:len(m.path)-1] }

// isArgument reports whether the current value is an argument with one of the names.
func (m *repairLog) isArgument(names []string) bool {
	return len(m.path) == 1 && slices.Contains(names, m.path[0])
}

// note notes how the current value was repaired.
func (m *repairLog) note(how string) {
	where := strings.ReplaceAll(strings.Join(m.path, "."), ".[]", "[]")
	if where == "" {
		where = "the arguments"
	}
	m.add(where + " " + how)
}

// noteRename notes that a member of the current value was renamed.
func (m *repairLog) noteRename(from, to string) {
	if !isPlainWord(from) {
		from = strconv.Quote(shorten(from))
	}
	m.push(from)
	m.note("read as " + to)
	m.pop()
}

// add adds a note, unless the log already has it.
func (m *repairLog) add(note string) {
	if len(m.notes) < maxNotes && !slices.Contains(m.notes, note) {
		m.notes = append(m.notes, note)
	}
}

// loggedName returns the name of a member for a note. It returns "*" for a name that the schema
// does not declare, because such a name may be private.
func (s *shape) loggedName(name string) string {
	if s.property(name) == nil {
		return "*"
	}
	return name
}
