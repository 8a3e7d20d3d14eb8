package contacts

import (
	"context"
	"strconv"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/google"
	"kota/metadata"
)

type deleteIn struct {
	ID      string `json:"contact_id" alias:"id"`
	Account string `json:"account,omitempty" doc:"name or address"`
}

func (c *contacts) deleteAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "delete", Effect: metadata.Writes, Scopes: []string{book.ScopeRead, book.ScopeWrite},
		Summary:     "Delete a contact.",
		Description: "contacts_undo brings it back for 30 days.",
		Tags:        []string{"remove", "person"},
		Aliases:     metadata.Aliases{"delete remove: - contact person"},
		Examples:    []metadata.Example{{Title: "One of a search", Args: deleteIn{ID: "people/c1002"}}},
		Errors:      google.Errors(metadata.NotFound, metadata.OutcomeUnknown),
		Notes:       []string{"A restored contact has another contact_id, and no photo."},
	}, c.delete)
}

func (c *contacts) delete(ctx context.Context, in deleteIn) (changeOut, error) {
	if source, err := sourceOf(in.ID); err != nil || source != card.Contacts {
		return changeOut{}, errBadID(in.ID)
	}
	b, err := c.Open(ctx, in.Account)
	if err != nil {
		return changeOut{}, err
	}
	b.Writes.Lock()
	defer b.Writes.Unlock()
	p, err := b.Read(ctx, in.ID, book.AllFields)
	if err != nil {
		return changeOut{}, errNoContact(err, in.ID)
	}
	one := card.FromPerson(p)
	record, err := recordOf(p)
	if err != nil {
		return changeOut{}, err
	}
	undo, err := c.Undos().Save(ctx, b.Account.Key(), "delete the contact "+strconv.Quote(one.Label()), kindDeleted, record)
	if err != nil {
		return changeOut{}, err
	}
	if err := b.Delete(ctx, in.ID); err != nil {
		return changeOut{}, c.Undos().Failed(ctx, undo, errNoContact(err, in.ID))
	}
	return changeOut{Status: "deleted", Contact: rowOf(ctx, &one, card.Contacts), Undo: undo}, nil
}
