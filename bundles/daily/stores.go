package daily

import (
	"context"

	"kota/bundles/internal/persist"
	"kota/store"
)

// A Diary is the part of the store that the bundle needs: the days of one tenant.
type Diary interface {
	Entries
	Tasks
	Documents
	Figures
	Changes
}

// Entries reads and changes log entries.
type Entries interface {
	Log(ctx context.Context, l store.LogRequest) (store.LogResult, error)
	Entry(ctx context.Context, id string) (*store.DayEntry, error)
	Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error)
	SearchEntries(ctx context.Context, q store.DiaryQuery, f store.EntryFilter) (store.SearchResult[store.DayEntry], error)
	EditEntry(ctx context.Context, e store.EntryEdit) (store.EditResult[store.DayEntry], error)
	OnThisDay(ctx context.Context, date string, limit int) ([]*store.DayEntry, error)
}

// Tasks reads and changes tasks.
type Tasks interface {
	Tasks(ctx context.Context, day store.TaskQuery) (store.TaskList, error)
	AddTasks(ctx context.Context, tasks []store.Task, key string) (store.LogResult, error)
	ChangeTasks(ctx context.Context, operation string, c store.TaskChange, ids ...string) (store.TaskChangeResult, error)
}

// Documents reads and changes plans, reviews and other documents.
type Documents interface {
	Document(ctx context.Context, id string) (*store.Document, error)
	Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error)
	SearchDocuments(ctx context.Context, q store.DiaryQuery, f store.DocumentFilter) (store.SearchResult[store.Document], error)
	SaveDocument(ctx context.Context, s store.DocumentSave) (store.SaveResult, error)
}

// Figures sums up the log.
type Figures interface {
	Days(ctx context.Context, f store.EntryFilter) ([]store.DaySummary, error)
	Measure(ctx context.Context, metric string, f store.EntryFilter) ([]store.PeriodSummary, error)
	Measures(ctx context.Context, f store.EntryFilter) ([]store.MetricSummary, error)
	Types(ctx context.Context, f store.EntryFilter) ([]store.TypeCount, error)
}

// Changes lists changes and undoes them, restores earlier versions, and deletes
// entries, tasks and documents.
type Changes interface {
	History(ctx context.Context, id string, limit int) ([]store.Revision, error)
	Restore(ctx context.Context, undo string) (store.RestoreResult, error)
	RestoreVersion(ctx context.Context, id string, version int64, ifVersion *int64) (store.RestoreResult, error)
	DeleteVersion(ctx context.Context, id string, version int64) (store.DiaryDeleteResult, error)
	Undoable(ctx context.Context, limit int) ([]store.UndoableChange, error)
}

// A StageStore keeps unfinished flows.
type StageStore = persist.StageStore
