package store

import (
	"strconv"
	"strings"
)

// MadeUndo is the undo id of a call that made rows: the id of the first entry and
// of the first task, each with how many follow one another where it is more
// than one, as "ejmbx4h.3+t0abc12". Rows of a call are numbered in a row.
func MadeUndo(entries []*DayEntry, tasks []*Task) string {
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

// MadeRows are the ids that a madeOf stands for, nil for what is none.
func MadeRows(undo string) []string {
	ids := []string{}
	for part := range strings.SplitSeq(undo, "+") {
		first, count, several := strings.Cut(part, ".")
		letter, number := rowNumber(first)
		n, err := 1, error(nil)
		if several {
			n, err = strconv.Atoi(count)
		}
		if number == 0 || err != nil || n < 1 || len(ids)+n > 2*MaxEntries {
			return nil
		}
		for i := range int64(n) {
			ids = append(ids, DiaryID(letter, number+i))
		}
	}
	return ids
}

// rowNumber is the letter and number in the id of an entry, task or document, 0 for none.
func rowNumber(id string) (letter byte, number int64) {
	for _, letter := range []byte{EntryLetter, TaskLetter, DocumentLetter} {
		if number := DiaryNumber(letter, id); number != 0 {
			return letter, number
		}
	}
	return 0, 0
}

// IsDiaryUndo reports whether an undo id is one of a Diary's, known or not.
func IsDiaryUndo(undo string) bool {
	return DiaryNumber(UndoLetter, undo) != 0 || MadeRows(undo) != nil
}
