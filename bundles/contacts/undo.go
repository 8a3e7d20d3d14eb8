package contacts

import (
	"context"
	"encoding/json"
	"strings"

	people "google.golang.org/api/people/v1"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// The kinds of undo records.
const (
	kindCreated = "created"
	kindUpdated = "updated"
	kindDeleted = "deleted"
	kindMerged  = "merged"
)

// content are fields of a contact, by name, as they can be written.
type content = map[string]json.RawMessage

// A contactRecord is the undo record of a contact that was made or deleted: the whole contact.
type contactRecord struct {
	ID      string  `json:"id"`
	Content content `json:"content"`
}

func recordOf(p *people.Person) (contactRecord, error) {
	all, err := book.Content(p, allNames)
	return contactRecord{p.ResourceName, all}, err
}

// A changeRecord is the undo record of a change.
type changeRecord struct {
	ID     string   `json:"id"`
	Fields []string `json:"fields"`
	Before content  `json:"before"`
	After  content  `json:"after,omitempty"` // nil if the outcome is unknown
}

func undoers() map[string]persist.Undoer[*book.Book, changeOut] {
	scopes := []string{book.ScopeRead, book.ScopeWrite}
	return map[string]persist.Undoer[*book.Book, changeOut]{
		kindCreated: {Scopes: scopes, Undo: persist.UndoFunc(undoCreate)},
		kindUpdated: {Scopes: scopes, Undo: persist.UndoFunc(undoUpdate)},
		kindDeleted: {Scopes: scopes, Undo: persist.UndoFunc(undoDelete)},
		kindMerged:  {Scopes: scopes, Undo: persist.UndoFunc(undoMerge)},
	}
}

type undoOut struct {
	Undone  string             `json:"undone,omitempty"` // title of the change
	Contact *row               `json:"contact,omitempty"`
	Note    string             `json:"note,omitempty"`
	Recent  []persist.Undoable `json:"recent,omitempty"` // the last ten changes, if undo_id is absent

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of the title in Undone
}

func (c *contacts) undoAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "undo", Effect: metadata.Writes, Undoes: true, Scopes: []string{book.ScopeRead},
		Summary:  "Undo a change of a contact.",
		Tags:     []string{"restore", "revert"},
		Examples: []metadata.Example{{Title: "What can be undone", Args: persist.UndoIn{}}},
		Errors:   google.Errors(metadata.NotFound, metadata.Conflict, metadata.OutcomeUnknown),
		Notes: []string{
			"If the contact was changed again since, it fails with CONFLICT and the present values; overwrite undoes it anyway. A change can be undone once, for 30 days.",
		},
	}, c.undo)
}

func (c *contacts) undo(ctx context.Context, in persist.UndoIn) (undoOut, error) {
	all := func(changeOut) bool { return true }
	done, err := persist.Undo(ctx, c.Undos(), in, undoers(), c.Open, all)
	out := undoOut{Undone: done.Title, Note: done.Note, Recent: done.Recent, Provenance: done.Provenance}
	if done.Result.Contact.ID != "" {
		out.Contact = &done.Result.Contact
	}
	if done.Result.Note != "" {
		out.Note = done.Result.Note
	}
	return out, err
}

// Undoable returns the last changes that contacts_undo can revert, newest first, at most limit.
func Undoable(ctx context.Context, deps Deps, limit int) ([]bundles.Undoable, error) {
	return open(deps).Undos().Undoable(ctx, limit)
}

// undoCreate deletes a contact that is as it was made.
func undoCreate(ctx context.Context, b *book.Book, r persist.UndoAttempt, k contactRecord) (changeOut, error) {
	b.Writes.Lock()
	defer b.Writes.Unlock()
	now, err := b.Read(ctx, k.ID, book.AllFields)
	if err = errNoContact(err, k.ID); isNotFound(err) {
		return changeOut{Note: "the contact was already deleted"}, nil
	}
	if err != nil {
		return changeOut{}, err
	}
	is, err := book.Content(now, allNames)
	if err != nil {
		return changeOut{}, err
	}
	if err := conflict(r, "the contact was changed since it was made", k.Content, is, allNames); err != nil {
		return changeOut{}, err
	}
	return changeOut{Note: "the contact is deleted"}, b.Delete(ctx, k.ID)
}

// undoUpdate restores the fields that a change has changed.
func undoUpdate(ctx context.Context, b *book.Book, r persist.UndoAttempt, k changeRecord) (changeOut, error) {
	b.Writes.Lock()
	defer b.Writes.Unlock()
	now, err := b.Read(ctx, k.ID, book.AllFields)
	if err != nil {
		return changeOut{}, errNoContact(err, k.ID)
	}
	is, err := book.Content(now, k.Fields)
	if err != nil {
		return changeOut{}, err
	}
	one := card.FromPerson(now)
	if len(differences(k.Before, is)) == 0 {
		return changeOut{Contact: rowOf(ctx, &one, card.Contacts), Note: "the contact is as it was before the change"}, nil
	}
	if err := conflict(r, "the contact was changed again", k.After, is, k.Fields); err != nil {
		return changeOut{}, err
	}
	old, err := book.FromContent(k.Before)
	if err != nil {
		return changeOut{}, err
	}
	old.Etag = now.Etag
	changed, err := b.Update(ctx, k.ID, old, strings.Join(k.Fields, ","))
	if book.IsStale(err) {
		err = errChanged(k.ID)
	}
	if err != nil {
		return changeOut{}, err
	}
	one = card.FromPerson(changed)
	return changeOut{Contact: rowOf(ctx, &one, card.Contacts)}, nil
}

// conflict returns the CONFLICT with the present values of the fields that were changed again.
func conflict(r persist.UndoAttempt, what string, after, now content, fields []string) error {
	problems := []metadata.Problem{}
	for _, field := range differences(pick(after, fields), now) {
		problems = append(problems, persist.ChangedProblem(field, string(now[field])))
	}
	if len(problems) == 0 {
		return nil
	}
	return r.ConflictUnlessOverwrite(what, problems...)
}

// undoDelete makes the contact again from the kept copy.
func undoDelete(ctx context.Context, b *book.Book, _ persist.UndoAttempt, k contactRecord) (changeOut, error) {
	b.Writes.Lock()
	defer b.Writes.Unlock()
	p, err := book.FromContent(k.Content)
	if err != nil {
		return changeOut{}, err
	}
	made, err := b.Create(ctx, p)
	if err != nil {
		return changeOut{}, err
	}
	one := card.FromPerson(made)
	return changeOut{Contact: rowOf(ctx, &one, card.Contacts), Note: "the contact has a new contact_id"}, nil
}
