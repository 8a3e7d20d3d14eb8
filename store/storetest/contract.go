package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"kota/store"
)

// A Database is the connection of one process to a database. All implementations must behave the
// same.
type Database interface {
	Control
	Records
	Close() error
}

// Control has the stores for the state of calls: flows, usage, undo records, limits and
// approvals.
type Control interface {
	Stages(tenant string) Stages
	Usage(tenant string) Usage
	Undos(tenant, bundle string) UndoRecords
	Limits(tenant string) Limits
	Approvals(tenant string) Approvals
}

// Records has the stores of the user's data: mail, memories and the diary.
type Records interface {
	Mail(tenant, account string) Mail
	Memories(tenant string) Memories
	Diary(tenant string) Diary
}

// Stages stores flows with several steps.
type Stages interface {
	Open(ctx context.Context, flow, stage string, state json.RawMessage) (*store.Stage, error)
	Get(ctx context.Context, handle string) (*store.Stage, error)
	Save(ctx context.Context, handle, stage string, state json.RawMessage, version int64) (*store.Stage, error)
	Finish(ctx context.Context, handle, stage string, state json.RawMessage, version int64) (*store.Stage, error)
	Cancel(ctx context.Context, handle string) error
	Pending(ctx context.Context, flow string) ([]*store.Stage, error)
}

// Usage counts calls.
type Usage interface {
	Add(ctx context.Context, day string, used []store.UsageCount, pairs []store.ToolPair) error
	Between(ctx context.Context, from, before string) ([]store.UsageCount, error)
	Pairs(ctx context.Context) ([]store.ToolPair, error)
	Clear(ctx context.Context) error
}

// UndoRecords stores changes outside of KOTA that can be undone.
type UndoRecords interface {
	Save(ctx context.Context, change store.UndoRecord) (id string, err error)
	Amend(ctx context.Context, id, title string, before json.RawMessage) error
	Drop(ctx context.Context, id string) error
	Claim(ctx context.Context, id string) (*store.UndoRecord, error)
	Release(ctx context.Context, id string) error
	Done(ctx context.Context, id string) error
	Recent(ctx context.Context, limit int) ([]store.UndoRecord, error)
	OfKind(ctx context.Context, kind string, limit int) ([]store.UndoRecord, error)
}

// Limits counts and limits the calls of a kind in a period of time.
type Limits interface {
	Allow(ctx context.Context, kind string, n int, limits []store.Limit) error
	Refund(ctx context.Context, kind string) error
}

// Approvals stores approvals with and without an outcome, and used nonces.
type Approvals interface {
	ApprovalQueue
	ApprovalOutcomes
	ConsumeNonce(ctx context.Context, nonce string, expires time.Time) error
}

// An ApprovalQueue holds the calls that the user must still approve.
type ApprovalQueue interface {
	Enqueue(ctx context.Context, want store.Approval) (store.Approval, error)
	Get(ctx context.Context, id string) (store.Approval, error)
	Pending(ctx context.Context) ([]store.Approval, error)
	Consume(ctx context.Context, id, kind string, limits []store.Limit) error
	Release(ctx context.Context, id string) (store.Approval, error)
}

// ApprovalOutcomes stores and returns the outcomes of calls that the user approved or rejected.
type ApprovalOutcomes interface {
	SetOutcome(ctx context.Context, id string, status store.ApprovalStatus, outcome json.RawMessage) error
	Reject(ctx context.Context, id string) error
	Fail(ctx context.Context, id string, failure json.RawMessage) error
	TakeOutcome(ctx context.Context, call string) (store.Approval, error)
}

// Mail caches the summaries of the messages of one mailbox.
type Mail interface {
	History(ctx context.Context) (uint64, error)
	Summaries(ctx context.Context, ids []string) (map[string]*store.MailSummary, uint64, error)
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
}

// A Recaller searches memories.
type Recaller interface {
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
	Erase(ctx context.Context, ids []string, dryRun bool) (store.EraseResult, error)
	History(ctx context.Context, id string, limit int) ([]store.Revision, error)
	Restore(ctx context.Context, undo string) (store.RestoreResult, error)
	RestoreVersion(ctx context.Context, id string, version int64, ifVersion *int64) (store.RestoreResult, error)
	Undoable(ctx context.Context, limit int) ([]store.UndoableChange, error)
}

// An Opener opens the database of one test. Each call opens the same database, as another process
// would. The database encrypts secrets with Sealer. It is closed when the test ends, if the test
// leaves it open.
type Opener func(now func() time.Time) Database

// A Contract maps names to tests. Every store must pass them.
type Contract map[string]func(*testing.T, Opener)

// Run checks the contracts of Control and of the mail cache.
func Run(t *testing.T, newOpener func(testing.TB) Opener) {
	RunAll(t, newOpener, map[string]Contract{
		"stages": stagesContract, "usage": usageContract, "undo": undoContract, "limits": limitsContract,
		"approvals": approvalsContract, "mail": mailContract,
	})
}

// RunAll runs contracts. Each test has its own database: newOpener creates it.
func RunAll(t *testing.T, newOpener func(testing.TB) Opener, contracts map[string]Contract) {
	for group, contract := range contracts {
		for name, test := range contract {
			t.Run(group+"/"+name, func(t *testing.T) { test(t, newOpener(t)) })
		}
	}
}

// A Clock does not advance until it is set.
type Clock struct{ at atomic.Pointer[time.Time] }

// NewClock returns a clock set to a Saturday morning.
func NewClock() *Clock { return ClockAt(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) }

// ClockAt returns a clock set to that time.
func ClockAt(at time.Time) *Clock {
	c := &Clock{}
	c.Set(at)
	return c
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return *c.at.Load() }

// Set sets the clock.
func (c *Clock) Set(at time.Time) { c.at.Store(&at) }

// WithClock opens a database with a clock that the test can set.
func WithClock(open Opener) (Database, *Clock) {
	c := NewClock()
	return open(c.Now), c
}

func jsonText(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }
