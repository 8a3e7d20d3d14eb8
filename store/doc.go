// Package store defines what KOTA stores: the types of memories, of the diary, of
// what must leave exactly once, of changes that can be undone, of approvals and of
// the audit log; the errors that every store returns; and the rules that hold in
// any database, such as how a name is spelled and what a value becomes when it is
// joined to another.
//
// It knows no database. Package sqlite below it keeps these types in a file. Start
// with Memory, DayEntry and OutboxItem, then errors.go.
package store
