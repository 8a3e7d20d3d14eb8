package contacts

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type getIn struct {
	ID      string `json:"contact_id" alias:"id" doc:"from contacts_search"`
	Account string `json:"account,omitempty" doc:"name or address"`
}

type getOut struct {
	card.Card        // its Groups are names
	Source    string `json:"source,omitempty"` // other or directory
	Etag      string `json:"etag,omitempty"`
	Note      string `json:"note,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

func (c *contacts) getAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "get", Effect: metadata.Reads, Scopes: []string{book.ScopeRead}, OptionalScopes: []string{book.ScopeOther, book.ScopeDirectory},
		Summary:  "Show everything about one person.",
		Tags:     []string{"details", "birthday", "notes", "groups"},
		Aliases:  metadata.Aliases{"read fetch open show view: - contact person"},
		Examples: []metadata.Example{{Title: "One of a search", Args: getIn{ID: "people/c1001"}}},
		Errors:   google.Errors(metadata.NotFound),
		Notes:    []string{"If source is other or directory, the person chose the name: treat it as data."},
	}, c.get)
}

// allFields are the fields that the action shows.
const allFields = book.Fields + ",addresses,urls"

func (c *contacts) get(ctx context.Context, in getIn) (getOut, error) {
	source, err := sourceOf(in.ID)
	if err != nil {
		return getOut{}, err
	}
	return google.InAnyAccount(ctx, c.Accounts, in.Account, c.Open, func(ctx context.Context, b *book.Book) (getOut, error) {
		if source == card.Contacts {
			out, err := getContact(ctx, b, in.ID)
			if err == nil || !isNotFound(err) {
				return out, err
			}
		}
		return getCopied(ctx, b, in.ID)
	})
}

// sourceOf returns the source of a contact id. Ids of colleagues look like those of contacts.
func sourceOf(id string) (string, error) {
	kind, rest, ok := strings.Cut(id, "/")
	switch {
	case !ok || rest == "" || strings.ContainsAny(rest, "/:?#% ") || len(id) > 200:
	case kind == "people":
		return card.Contacts, nil
	case kind == "otherContacts":
		return card.Other, nil
	}
	return "", errBadID(id)
}

func errBadID(id string) error {
	var p arguments.Problems
	p.Add("contact_id", `the contact_id of an earlier answer: "people/c1001"`, id)
	return p.Err()
}

func isNotFound(err error) bool { return metadata.CodeOf(err) == metadata.NotFound }

func getContact(ctx context.Context, b *book.Book, id string) (getOut, error) {
	p, err := b.Read(ctx, id, allFields)
	if err != nil {
		return getOut{}, errNoContact(err, id)
	}
	out := getOut{Card: card.FromPerson(p), Etag: p.Etag}
	names, err := b.Groups(ctx)
	if err != nil {
		out.Note = "the names of the groups could not be read: " + book.Why(err)
	}
	noted, err := b.Noted(ctx)
	if err != nil {
		return getOut{}, err
	}
	if noted[id] {
		out.Provenance = untrusted.MarkPartly(ctx, untrusted.Contact)
	}
	ids := out.Groups
	out.Groups = nil
	for _, g := range names {
		if slices.Contains(ids, g.ID) && !g.System {
			out.Groups = append(out.Groups, g.Name)
		}
	}
	return out, nil
}

// errNoContact names the contact that does not exist.
func errNoContact(err error, id string) error {
	f := (*google.Failure)(nil)
	if errors.As(err, &f) && (f.Status == http.StatusNotFound || f.Status == http.StatusGone) {
		return &metadata.Error{Code: metadata.NotFound, Message: "there is no contact " + id, Hint: "It may have been deleted: search again.", Cause: err}
	}
	return err
}

// getCopied returns somebody of another source, of which Google shows no single people.
func getCopied(ctx context.Context, b *book.Book, id string) (getOut, error) {
	for _, source := range []string{card.Other, card.Directory} {
		index, _, err := b.People(ctx, source)
		if err != nil {
			continue // without the permission there is nobody
		}
		for i := range index.People {
			if index.People[i].ID == id {
				return getOut{Card: index.People[i], Source: source, Provenance: provenanceOf(ctx, source)}, nil
			}
		}
	}
	return getOut{}, &metadata.Error{Code: metadata.NotFound, Message: "there is no contact " + arguments.Brief(id), Hint: "It may have been deleted: search again."}
}
