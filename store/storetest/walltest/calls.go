package walltest

import (
	"time"

	"kota/store"
	"kota/store/semantic"
	"kota/store/storetest"
)

// A call has the arguments of one call after the context. A call with ok must succeed, although a
// row of another tenant has the same key.
type call struct {
	args []any
	ok   bool
}

func with(args ...any) call    { return call{args, false} }
func allowed(args ...any) call { return call{args, true} }

// calls returns the calls of the methods whose arguments cannot be made of ids alone, by store and
// method.
func calls(r rows) map[string][]call {
	text := storetest.JSONText("bob's")
	wide, zero := store.EntryFilter{}, time.Time{}
	all, page := store.Filter{}, store.EntryPage{Limit: 99}
	target := func(key string) store.Target { return store.Target{Key: key} }
	every := store.Target{Filter: store.Filter{Prefix: "c"}}
	entry := store.DayEntry{Date: "2026-11-21", Zone: "UTC", Type: "note", Text: "bob's"}
	earlier := entry
	earlier.Date = "2024-11-21"
	logging := store.LogRequest{Entries: []store.DayEntry{entry, earlier}, Key: r.callKey}
	review := store.Document{Type: "week_review", Period: "2026-W47", Unique: true, Title: "bob's", Body: "bob's", Fields: []byte(`{}`)}
	edited := store.Document{Row: store.Row{ID: r.document}, Type: "note", Title: "bob's", Body: "bob's", Fields: []byte(`{}`)}
	sent := r.item
	sent.Status = store.OutboxSent
	wanted := store.OutboxItem{Account: "label", Key: "key", Digest: "digest", Kind: "send", Summary: text}
	byDigest := wanted
	byDigest.Key = ""
	done := store.TaskDone
	bobs := "bob's"
	return map[string][]call{
		"Usage.Add":            {allowed("2026-11-21", []store.UsageCount{{Day: "2026-11-21", Tool: "t", Channel: "direct", Count: 1}}, []store.ToolPair{{Tool: "t", Other: "u", Count: 1}})},
		"Usage.Between":        {allowed("2026-01-01", "2027-01-01")},
		"Undos.Save":           {allowed(store.UndoRecord{Kind: "label", Title: "bob's", Before: text})},
		"Limits.Allow":         {allowed("label", 1, []store.Limit{{Max: 1, Window: time.Hour}})},
		"Limits.Refund":        {with("label"), with("label"), with("label")},
		"Approvals.Enqueue":    {allowed(store.Approval{Call: "call", Digest: "digest", Tool: "t", Effect: "sends", Args: text, Shown: text})},
		"Approvals.Consume":    {with(r.approval, "label", []store.Limit(nil)), with(r.decided, "label", []store.Limit(nil))},
		"Approvals.SetOutcome": {with(r.approval, store.ApprovalDone, text)},
		"Outbox.ClaimOrCreate": {allowed(byDigest, zero, time.Minute), allowed(wanted, zero, time.Minute)},
		"Outbox.Find":          {with(wanted, zero), with(byDigest, zero)},
		"Outbox.ExtendLease":   {with(r.item, time.Hour)},
		"Outbox.Save":          {with(&sent, time.Duration(0))},
		"Outbox.Forget":        {with(r.item)},
		"Contacts.Update":      {allowed("label", store.ContactUpdate{Token: "bob's", Contacts: []store.Contact{{ID: "label", Card: "bob's"}}})},
		"Contacts.Put":         {allowed("label", []store.Contact{{ID: "label", Card: "bob's"}}, []string{"label"})},
		"Mail.Update":          {allowed(store.MailUpdate{To: 9, Summaries: []*store.MailSummary{{ID: "label", Snippet: "bob's"}}})},

		"Memories.List": {allowed(all, store.Page{Limit: 99}), allowed(all, store.Page{Limit: 99, Order: store.Newest}),
			allowed(store.Filter{Archived: true}, store.Page{Limit: 99}), allowed(store.Filter{Tags: []string{"label"}}, store.Page{Limit: 99})},
		"Memories.Reveal":       {with(r.sealed)},
		"Memories.Set":          {allowed(store.Entry{Key: r.secret, Value: text, Mode: store.Create}), allowed(store.Entry{Key: r.expired, Value: text, Mode: store.Create})},
		"Memories.SetMany":      {allowed([]store.Entry{{Key: "cakes", Value: text}})},
		"Memories.Update":       {with(store.Edit{Key: asked, Category: &bobs}), with(store.Edit{Key: "cakes", RenameTo: "old bread"})},
		"Memories.Delete":       {with(target(asked), false), with(every, false)},
		"Memories.Erase":        {with(target(asked), false), with(target(r.expired), false), with(every, false)},
		"Memories.Touch":        {with([]int64{r.memory.ID, r.sealed.ID})},
		"Memories.GetAt":        {with(asked, time.Now()), with(r.expired, r.memory.Created.Add(time.Millisecond))},
		"Memories.HistorySince": {allowed(zero, 99)},
		"Memories.Recall": {allowed(store.RecallQuery{Text: marker, Limit: 9}), allowed(store.RecallQuery{Text: asked, Limit: 9}), allowed(store.RecallQuery{Text: asked, Limit: 1}),
			allowed(store.RecallQuery{Limit: 9}), allowed(store.RecallQuery{Text: "mrzpn", Limit: 9}), allowed(store.RecallQuery{Text: "zz", Filter: store.Filter{Tags: []string{"label"}}, Limit: 9})},
		"MemoryVectors.Vectors": {allowed("model", 2, visit)},
		"MemoryVectors.Keep":    {with("model", r.vectors[:1], []semantic.Vector{{0, 1}})},

		"Diary.Log":             {allowed(logging), allowed(logging)}, // the second one returns the rows of the first
		"Diary.EditEntry":       {with(store.EntryEdit{ID: r.entry, Text: &bobs})},
		"Diary.Entries":         {allowed(wide, page), allowed(wide, store.EntryPage{Limit: 99, Newest: true}), allowed(store.EntryFilter{Type: "note"}, page)},
		"Diary.SearchEntries":   {allowed(store.DiaryQuery{Text: marker, Limit: 9}, wide), allowed(store.DiaryQuery{Text: "marzipans", Limit: 9}, wide)},
		"Diary.Days":            {allowed(wide)},
		"Diary.Measure":         {allowed("km", wide), allowed("mood", wide)},
		"Diary.Measures":        {allowed(wide)},
		"Diary.Types":           {allowed(wide)},
		"Diary.AddTasks":        {allowed([]store.Task{{Text: "bob's", Added: "2026-11-21"}}, "bob's key")},
		"Diary.ChangeTasks":     {with("done", store.TaskChange{State: &done, On: "2026-11-21"}, []string{r.task})},
		"Diary.Tasks":           {allowed(store.TaskQuery{On: "2026-11-21", From: "2000-01-01", IncludeLater: true, Limit: 99}), allowed(store.TaskQuery{On: "2026-11-21", IDs: []string{r.task}, Limit: 9})},
		"Diary.SaveDocument":    {allowed(store.DocumentSave{Document: review, Key: r.callKey + " document"}), with(store.DocumentSave{Document: edited})},
		"Diary.Documents":       {allowed(store.DocumentFilter{}, 99), allowed(store.DocumentFilter{Type: "week_review"}, 9)},
		"Diary.SearchDocuments": {allowed(store.DiaryQuery{Text: marker, Limit: 9}, store.DocumentFilter{})},
	}
}

// visit stands for a function that reports its arguments as results.
type visitor struct{}

var visit visitor
