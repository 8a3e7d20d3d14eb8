package storetest

import (
	"context"
	"encoding/json"
	"time"

	"kota/store"
	"kota/store/semantic"
)

// Records has the stores of the user's data: mail, memories, their vectors, and the diary.
type Records interface {
	Mail(tenant, account string) Mail
	Contacts(tenant, account string) Contacts
	Memories(tenant string) Memories
	MemoryVectors(tenant string) semantic.Source
	TextVectors(tenant string) semantic.VectorStore
	// CheckSecrets returns the number of secrets of a tenant, and decrypts one.
	CheckSecrets(ctx context.Context, tenant string) (int, error)
	Diary(tenant string) Diary
}

// Contacts caches the people of one account.
type Contacts interface {
	Sync(ctx context.Context, source string) (store.ContactSync, error)
	All(ctx context.Context, source string) ([]store.Contact, store.ContactSync, error)
	Update(ctx context.Context, source string, u store.ContactUpdate) error
	Put(ctx context.Context, source string, changed []store.Contact, removed []string) error
	Forget(ctx context.Context) error
}

// Mail caches the summaries of the messages of one mailbox.
type Mail interface {
	History(ctx context.Context) (uint64, error)
	Summaries(ctx context.Context, ids []string) (map[string]*store.MailSummary, uint64, error)
	SentHeaders(ctx context.Context) ([]string, error)
	Update(ctx context.Context, u store.MailUpdate) error
	Forget(ctx context.Context) error
}

// Memories stores values under keys.
type Memories interface {
	MemoryReader
	MemoryWriter
	MemoryVersions
	Recaller
}

// A MemoryReader reads stored memories.
type MemoryReader interface {
	Get(ctx context.Context, key string) (*store.Memory, error)
	List(ctx context.Context, f store.Filter, p store.Page) ([]*store.Memory, string, error)
	Similar(ctx context.Context, key string, limit int) ([]string, error)
	Categories(ctx context.Context) ([]store.Category, error)
	Stats(ctx context.Context) (store.Stats, error)
	Reveal(found *store.Memory) (json.RawMessage, error)
}

// A MemoryWriter changes memories.
type MemoryWriter interface {
	Set(ctx context.Context, e store.Entry) (store.WriteResult, error)
	SetMany(ctx context.Context, entries []store.Entry) ([]store.WriteResult, error)
	Update(ctx context.Context, e store.Edit) (store.WriteResult, error)
	Delete(ctx context.Context, target store.Target, dryRun bool) (store.DeleteResult, error)
	Erase(ctx context.Context, target store.Target, dryRun bool) (store.EraseResult, error)
	Touch(ids ...int64)
}

// MemoryVersions reads and restores earlier versions of memories.
type MemoryVersions interface {
	GetAt(ctx context.Context, key string, at time.Time) (*store.Memory, error)
	History(ctx context.Context, key string, limit int) ([]store.MemoryRevision, error)
	HistorySince(ctx context.Context, since time.Time, limit int) ([]store.MemoryRevision, error)
	Restore(ctx context.Context, undo string) ([]store.WriteResult, error)
	RestoreVersion(ctx context.Context, key string, version int64) (store.WriteResult, error)
	Undoable(ctx context.Context, limit int) ([]store.UndoableChange, error)
	PreviewUndo(ctx context.Context, undo string) ([]store.UndoPreview[store.Memory], error)
}

// A Recaller searches memories.
type Recaller interface {
	// Index indexes everything written so far. Searches are correct without it.
	Index(ctx context.Context) error
	Recall(ctx context.Context, q store.RecallQuery) (store.RecallResult, error)
}

// A Diary stores entries, tasks and documents.
type Diary interface {
	Entries
	Statistics
	Tasks
	Documents
	DiaryVersions
	// Index indexes everything written so far. Searches and sums are correct without it.
	Index(ctx context.Context) error
}

// Entries stores and finds what happened on a day.
type Entries interface {
	Log(ctx context.Context, l store.LogRequest) (store.LogResult, error)
	EditEntry(ctx context.Context, e store.EntryEdit) (store.EditResult[store.DayEntry], error)
	Entry(ctx context.Context, id string) (*store.DayEntry, error)
	Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error)
	SearchEntries(ctx context.Context, q store.DiaryQuery, f store.EntryFilter) (store.SearchResult[store.DayEntry], error)
	OnThisDay(ctx context.Context, date string, limit int) ([]*store.DayEntry, error)
}

// Statistics sums up entries.
type Statistics interface {
	Days(ctx context.Context, f store.EntryFilter) ([]store.DaySummary, error)
	Measure(ctx context.Context, metric string, f store.EntryFilter) ([]store.PeriodSummary, error)
	Measures(ctx context.Context, f store.EntryFilter) ([]store.MetricSummary, error)
	Types(ctx context.Context, f store.EntryFilter) ([]store.TypeCount, error)
}

// Tasks stores and lists what must be done on a day or later.
type Tasks interface {
	AddTasks(ctx context.Context, tasks []store.Task, key string) (store.LogResult, error)
	ChangeTasks(ctx context.Context, operation string, c store.TaskChange, ids ...string) (store.TaskChangeResult, error)
	Tasks(ctx context.Context, day store.TaskQuery) (store.TaskList, error)
}

// Documents stores and finds plans, reviews and notes.
type Documents interface {
	SaveDocument(ctx context.Context, s store.DocumentSave) (store.SaveResult, error)
	Document(ctx context.Context, id string) (*store.Document, error)
	Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error)
	SearchDocuments(ctx context.Context, q store.DiaryQuery, f store.DocumentFilter) (store.SearchResult[store.Document], error)
}

// DiaryVersions deletes and restores rows of a diary.
type DiaryVersions interface {
	Delete(ctx context.Context, ids ...string) (store.DiaryDeleteResult, error)
	DeleteVersion(ctx context.Context, id string, version int64) (store.DiaryDeleteResult, error)
	Erase(ctx context.Context, ids []string, dryRun bool) (store.EraseResult, error)
	History(ctx context.Context, id string, limit int) ([]store.Revision, error)
	Restore(ctx context.Context, undo string) (store.RestoreResult, error)
	RestoreVersion(ctx context.Context, id string, version int64, ifVersion *int64) (store.RestoreResult, error)
	Undoable(ctx context.Context, limit int) ([]store.UndoableChange, error)
	PreviewUndo(ctx context.Context, undo string) ([]store.UndoPreview[json.RawMessage], error)
}
