// Package store defines what KOTA stores: memories, the diary, outbox items, undo records,
// approvals and the audit log. It also defines the errors that every store returns, and rules for
// any database, such as how names are normalized and values are merged.
//
// It does not depend on a database. Package kota/store/sqlite stores these types in a file. Start
// with Memory, DayEntry and OutboxItem, then errors.go.
package store
