// Package drafts reads drafts and undoes what was done to them.
//
// A draft that somebody changed since is overwritten or deleted only when the
// user wants that, and what is lost is kept and can be brought back.
//
// Start reading at UndoChange and UndoMade.
package drafts
