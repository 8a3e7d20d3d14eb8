// Package drafts reads drafts and undoes changes of drafts.
//
// If somebody changed a draft later, an undo overwrites or deletes the draft only if the
// user wants that. KOTA saves the overwritten or deleted draft, so undo can restore it.
//
// Start reading at UndoChange and UndoSave.
package drafts
