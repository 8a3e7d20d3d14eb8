package store

import (
	"strconv"
	"strings"
)

// CreationUndoID returns the undo id of a call that created rows. It joins the id of the first
// entry and that of the first task. If there are several entries or tasks, their number follows
// the id: "ejmbx4h.3+t0abc12". The entries of one call have consecutive numbers, and so have
// its tasks.
func CreationUndoID(entries []*DayEntry, tasks []*Task) string {
	parts := []string{}
	part := func(first string, n int) {
		if n > 1 {
			first += "." + strconv.Itoa(n)
		}
		parts = append(parts, first)
	}
	if len(entries) > 0 {
		part(entries[0].ID, len(entries))
	}
	if len(tasks) > 0 {
		part(tasks[0].ID, len(tasks))
	}
	return strings.Join(parts, "+")
}

// ParseCreationUndoID returns the ids of the created rows from an undo id of CreationUndoID.
// The id of a document is such an undo id too. For any other text, ParseCreationUndoID returns
// nil.
func ParseCreationUndoID(undo string) []string {
	ids := []string{}
	for part := range strings.SplitSeq(undo, "+") {
		first, count, several := strings.Cut(part, ".")
		prefix, number := parseRowID(first)
		n, err := 1, error(nil)
		if several {
			n, err = strconv.Atoi(count)
		}
		if number == 0 || err != nil || n < 1 || len(ids)+n > 2*MaxEntries {
			return nil
		}
		for i := range int64(n) {
			ids = append(ids, DiaryID(prefix, number+i))
		}
	}
	return ids
}

// parseRowID returns the prefix and number of the id of an entry, task or document, or 0, 0 for
// any other text.
func parseRowID(id string) (prefix byte, number int64) {
	for _, prefix := range []byte{EntryPrefix, TaskPrefix, DocumentPrefix} {
		if number := DiaryNumber(prefix, id); number != 0 {
			return prefix, number
		}
	}
	return 0, 0
}

// IsDiaryUndo reports whether an undo id has a form that the diary uses. It does not check
// whether the id exists.
func IsDiaryUndo(undo string) bool {
	return DiaryNumber(UndoPrefix, undo) != 0 || ParseCreationUndoID(undo) != nil
}
