// Package drafts reads drafts and undoes changes of drafts.
//
// An undo overwrites or deletes a draft that somebody changed later only if the user
// wants that. The lost draft is saved and can be restored.
//
// Start reading at UndoChange and UndoSave.
package drafts
