// Package export writes the diary to a file: everything in order, without deleted rows.
//
// Start at Write. Each format has its own file.
package export

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"kota/bundles/daily/internal/rows"
	"kota/store"
)

// The formats that Write takes.
const (
	JSON     = "json" // {"kota": "daily", "format": 1, "entries": […], "tasks": […], "documents": […]}
	Markdown = "md"   // for people: a heading for each day, the tasks, the documents
	CSV      = "csv"  // for spreadsheets: only the entries, one per line
)

// Formats lists the formats that Write takes.
var Formats = []string{JSON, Markdown, CSV}

// A Diary reads what is exported.
type Diary interface {
	Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error)
	Tasks(ctx context.Context, day store.TaskQuery) (store.TaskList, error)
	Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error)
}

// A Selection is the range of days that is exported, From and To included. An empty bound
// is open. Without bounds the export includes all tasks and documents; with a bound it has
// only entries.
type Selection struct{ From, To string }

// An exportWriter writes one format. begin starts the list with that title:
// "entries", "tasks" or "documents". end returns the first error of all calls.
type exportWriter interface {
	begin(title string)
	entry(e *store.DayEntry)
	task(t *store.Task)
	document(d *store.Document)
	end() error
}

// Write writes what s selects, in order, and returns the number of entries. It calls step
// after each page with the number so far. It leaves out deleted rows and earlier versions.
// Characters that people cannot see become escapes in JSON and are removed from the other
// formats. Write returns store.ErrInvalid for a date that does not exist, and an error for
// a format that is not in Formats.
func Write(ctx context.Context, diary Diary, w io.Writer, format string, s Selection, step func(done int)) (int, error) {
	out, err := exportAs(format, w)
	if err != nil {
		return 0, err
	}
	done := 0
	out.begin("entries")
	for cursor := ""; ; {
		part, next, err := diary.Entries(ctx, store.EntryFilter{From: s.From, To: s.To}, store.EntryPage{Limit: 500, Cursor: cursor})
		if err != nil {
			return done, fmt.Errorf("export the diary: %w", err)
		}
		for _, e := range part {
			out.entry(e)
		}
		done += len(part)
		step(done)
		if cursor = next; cursor == "" {
			break
		}
	}
	if s == (Selection{}) {
		if err := exportTasksAndDocuments(ctx, diary, out); err != nil {
			return done, fmt.Errorf("export the diary: %w", err)
		}
	}
	if err := out.end(); err != nil {
		return done, fmt.Errorf("export the diary: %w", err)
	}
	return done, nil
}

func exportAs(format string, w io.Writer) (exportWriter, error) {
	switch format {
	case JSON:
		return &jsonWriter{errWriter: errWriter{w: w}}, nil
	case Markdown:
		return &markdownWriter{errWriter: errWriter{w: w}}, nil
	case CSV:
		return newCSVWriter(w), nil
	}
	return nil, fmt.Errorf("unknown format %q; known: %s", format, strings.Join(Formats, ", "))
}

// exportTasksAndDocuments writes the tasks and the documents.
func exportTasksAndDocuments(ctx context.Context, diary Diary, out exportWriter) error {
	const never = "9999-12-31"
	tasks, err := diary.Tasks(ctx, store.TaskQuery{On: never, From: rows.FirstDate, To: never, Limit: math.MaxInt})
	if err != nil {
		return err
	}
	out.begin("tasks")
	for _, list := range [][]store.ListedTask{tasks.Open, tasks.Deferred, tasks.Done, tasks.Dropped} {
		for _, one := range list {
			out.task(one.Task)
		}
	}
	out.begin("documents")
	documents, err := diary.Documents(ctx, store.DocumentFilter{}, math.MaxInt32)
	for _, one := range documents {
		out.document(one)
	}
	return err
}

// An errWriter is a writer that keeps its first error, so that its users do not check
// each write.
type errWriter struct {
	w   io.Writer
	err error
}

func (f *errWriter) write(text string) {
	if f.err == nil {
		_, f.err = io.WriteString(f.w, text)
	}
}

// formatTime returns the time of an entry in its own zone, or "" if the entry has no time.
func formatTime(e *store.DayEntry) string {
	if e.Moment.IsZero() {
		return ""
	}
	return rows.MomentOf(e).Format(time.RFC3339)
}
