package walltest

import (
	"encoding/json"
	"testing"
	"time"

	"kota/store"
	"kota/store/semantic"
	"kota/store/storetest"
)

// marker is in every text of ann, and markedNumber is one of its numbers. No result of another
// tenant may contain them.
const (
	marker       = "marzipan"
	markedNumber = 42424242
)

// asked is another spelling of a key of ann. Errors may repeat it.
const asked = "MARZIPAN_Cake"

// rows are ids and keys of the rows of ann.
type rows struct {
	stage, undo, undone, approval, call, decided, outbox                       string
	secret, expired, memoryUndo, creationUndo, deletion, entry, task, document string
	diaryUndo, loggedUndo, callKey                                             string
	memory                                                                     *store.Memory
	sealed                                                                     *store.Memory
	item                                                                       store.OutboxItem
	vectors                                                                    []semantic.Item
}

// texts returns all ids and keys, and names that rows of several tenants may have in common.
func (r rows) texts() []string {
	return []string{
		r.stage, r.undo, r.undone, r.approval, r.call, r.decided, "decided", r.outbox, asked, r.secret, r.expired, r.memoryUndo, r.creationUndo, r.deletion,
		r.entry, r.task, r.document, r.diaryUndo, r.loggedUndo, r.callKey, "label", "2026-11-21", "flow", "km",
	}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func mustDo(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// fill stores rows of ann in every store.
func fill(t testing.TB, db storetest.Database) rows {
	t.Helper()
	r := rows{}
	fillControl(t, db, &r)
	fillMemories(t, db, &r)
	fillDiary(t, db, &r)
	return r
}

func fillControl(t testing.TB, db storetest.Database, r *rows) {
	t.Helper()
	ctx, text := t.Context(), storetest.JSONText(marker)
	r.stage = must[*store.Stage](t)(db.Stages("ann").Open(ctx, "flow", marker, text)).Handle
	mustDo(t, db.Usage("ann").Add(ctx, "2026-11-21", []store.UsageCount{{Day: "2026-11-21", Tool: marker, Channel: "direct", Count: 1}}, []store.ToolPair{{Tool: marker, Other: "x", Count: 1}}))
	undos := db.Undos("ann", "gmail")
	record := store.UndoRecord{Account: marker, Kind: "label", Title: marker, Before: text}
	r.undo, r.undone = must[string](t)(undos.Save(ctx, record)), must[string](t)(undos.Save(ctx, record))
	mustDo(t, undos.Done(ctx, r.undone))
	mustDo(t, db.Limits("ann").Allow(ctx, "label", 1, []store.Limit{{Max: 1, Window: time.Hour}}))
	approvals := db.Approvals("ann")
	call := store.Approval{Call: "call", Digest: "digest", Tool: marker, Effect: "sends", Args: text, Shown: text, Reason: marker}
	r.call, r.approval = call.Call, must[store.Approval](t)(approvals.Enqueue(ctx, call)).ID
	call.Call = "decided"
	r.decided = must[store.Approval](t)(approvals.Enqueue(ctx, call)).ID
	mustDo(t, approvals.SetOutcome(ctx, r.decided, store.ApprovalDone, text))
	r.item = store.OutboxItem{Account: "label", Key: "key", Digest: "digest", Kind: marker, Summary: text, Raw: []byte(marker)}
	item, held, err := db.Outbox("ann", "gmail").ClaimOrCreate(ctx, r.item, time.Time{}, -1) // its lease has expired
	if err != nil || !held {
		t.Fatal(held, err)
	}
	r.item, r.outbox = item, item.ID
	mustDo(t, db.Names("ann").Record(ctx, "label", "label", []string{marker}))
	contact := store.Contact{ID: "label", Card: marker}
	mustDo(t, db.Contacts("ann", "gmail").Update(ctx, "label", store.ContactUpdate{Token: marker, Contacts: []store.Contact{contact}}))
	summary := &store.MailSummary{ID: "label", Thread: marker, Date: time.UnixMilli(1).UTC(), Snippet: marker, Headers: [][2]string{{"Subject", marker}}, Labels: []string{marker}}
	mustDo(t, db.Mail("ann", "gmail").Update(ctx, store.MailUpdate{To: markedNumber, Summaries: []*store.MailSummary{summary}}))
}

func fillMemories(t testing.TB, db storetest.Database, r *rows) {
	t.Helper()
	ctx, m := t.Context(), db.Memories("ann")
	private := marker
	set := func(e store.Entry) store.WriteResult {
		e.Category, e.Tags, e.Source = &private, []string{"label", marker}, marker
		return must[store.WriteResult](t)(m.Set(ctx, e))
	}
	key := marker + " cake"
	r.secret, r.expired = "pin", "old cake"
	r.creationUndo = set(store.Entry{Key: key, Value: storetest.JSONText("first " + marker)}).Undo
	r.memoryUndo = set(store.Entry{Key: key, Value: storetest.JSONText("cake of " + marker)}).Undo
	set(store.Entry{Key: r.secret, Value: storetest.JSONText(marker), Secret: new(true)})
	set(store.Entry{Key: r.expired, Value: storetest.JSONText(marker)})
	set(store.Entry{Key: "old bread", Value: storetest.JSONText(marker)})
	r.deletion = must[store.DeleteResult](t)(m.Delete(ctx, store.Target{Filter: store.Filter{Prefix: "old "}}, false)).Undo
	r.memory, r.sealed = must[*store.Memory](t)(m.Get(ctx, key)), must[*store.Memory](t)(m.Get(ctx, r.secret))
	vectors := db.MemoryVectors("ann")
	r.vectors = must[[]semantic.Item](t)(vectors.Missing(ctx, "model", 2, 0, 9))
	mustDo(t, vectors.Keep(ctx, "model", r.vectors, []semantic.Vector{{1, 0}}))
}

func fillDiary(t testing.TB, db storetest.Database, r *rows) {
	t.Helper()
	ctx, d := t.Context(), db.Diary("ann")
	r.callKey = "logged"
	logged := must[store.LogResult](t)(d.Log(ctx, store.LogRequest{
		Entries: []store.DayEntry{
			{Date: "2026-11-21", Zone: "UTC", Type: "note", Text: marker, Section: marker, Tags: []string{marker}, Mood: 3, Metrics: map[string]any{"km": 4.0}},
			{Date: "2025-11-21", Zone: "UTC", Type: "note", Text: marker},
		},
		Tasks: []store.Task{{Text: marker, Added: "2026-11-21"}, {Text: marker, Added: "2026-11-21"}}, Key: r.callKey,
	}))
	r.entry, r.task, r.loggedUndo = logged.Entries[0].ID, logged.Tasks[0].ID, logged.Undo
	done := store.TaskDone
	must[store.TaskChangeResult](t)(d.ChangeTasks(ctx, "done", store.TaskChange{State: &done, On: "2026-11-21"}, logged.Tasks[1].ID))
	cakes := "cakes of " + marker
	r.diaryUndo = must[store.EditResult[store.DayEntry]](t)(d.EditEntry(ctx, store.EntryEdit{ID: r.entry, Text: &cakes})).Undo
	review := store.Document{Type: "week_review", Period: "2026-W47", Unique: true, Title: marker, Body: marker, Fields: json.RawMessage(`{}`)}
	r.document = must[store.SaveResult](t)(d.SaveDocument(ctx, store.DocumentSave{Document: review})).Document.ID
}
