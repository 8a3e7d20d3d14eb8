package book

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	people "google.golang.org/api/people/v1"

	"kota/bundles"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// AllFields are all fields of a contact that can be written. A deleted contact is kept with them.
const AllFields = "addresses,biographies,birthdays,calendarUrls,clientData,emailAddresses,events,externalIds,genders,imClients,interests,locales,locations," +
	"memberships,miscKeywords,names,nicknames,occupations,organizations,phoneNumbers,relations,sipAddresses,urls,userDefined"

// BundleKey is the key of the bundle, also in its rows in the store.
const BundleKey = "contacts"

// Undos returns the undo records of the bundle.
func (b *Books) Undos() persist.Undos { return UndosIn(b.Deps) }

// UndosIn returns the undo records of the bundle in a store.
func UndosIn(deps Deps) persist.Undos {
	return persist.Undos{Store: deps.UndoRows, Bundle: BundleKey, Tool: "contacts_undo", Source: untrusted.Contact, Now: deps.Now}
}

// Read returns a contact with these fields, as the user keeps it.
func (b *Book) Read(ctx context.Context, id, fields string) (*people.Person, error) {
	return b.API.People.Get(id).PersonFields(fields).Sources(OwnSource).Context(ctx).Do()
}

// Create makes a contact.
func (b *Book) Create(ctx context.Context, p *people.Person) (*people.Person, error) {
	made, err := b.API.People.CreateContact(p).PersonFields(AllFields).Sources(OwnSource).Context(ctx).Do()
	if err == nil {
		b.put(ctx, made)
	}
	return made, err
}

// Update replaces the fields of the mask of a contact that has p.Etag. It returns an error for which
// IsStale is true if the contact has another etag by now.
func (b *Book) Update(ctx context.Context, id string, p *people.Person, mask string) (*people.Person, error) {
	changed, err := b.API.People.UpdateContact(id, p).UpdatePersonFields(mask).PersonFields(AllFields).Sources(OwnSource).Context(ctx).Do()
	if err == nil {
		b.put(ctx, changed)
	}
	return changed, err
}

// Delete deletes a contact.
func (b *Book) Delete(ctx context.Context, id string) error {
	_, err := b.API.People.DeleteContact(id).Context(ctx).Do()
	if err == nil {
		b.change(ctx, nil, []string{id})
	}
	return err
}

// IsStale reports whether a change failed because the contact has another etag. Google answers 400,
// not 412.
func IsStale(err error) bool {
	f := (*google.Failure)(nil)
	stale := []string{"failedPrecondition", "FAILED_PRECONDITION"}
	return errors.As(err, &f) && f.Status == http.StatusBadRequest && slices.Contains(stale, f.Reason)
}

func (b *Book) put(ctx context.Context, p *people.Person) {
	if one, err := Stored(card.FromPerson(p)); err == nil {
		b.change(ctx, []store.Contact{one}, nil)
	}
}

// change changes the copy as Google was changed, because a sync shows it only minutes later. If that
// fails, the next sync shows the change.
func (b *Book) change(ctx context.Context, changed []store.Contact, removed []string) {
	ctx = context.WithoutCancel(ctx)
	if copies, err := b.Copies(ctx, b.Account.Key()); err == nil {
		_ = copies.Put(ctx, card.Contacts, changed, removed)
	}
}

// kindContact is the kind of the ids that Note records.
const kindContact = "contact"

// Note records that a contact may have words of others, if the session of the call has read such
// words. Names of these contacts are no recipients.
func (b *Book) Note(ctx context.Context, id string) error {
	if !bundles.HasUntrusted(ctx) {
		return nil
	}
	names, err := b.Names(ctx)
	if err != nil {
		return persist.Explain(err)
	}
	return persist.Explain(names.Record(context.WithoutCancel(ctx), b.Account.Key(), kindContact, []string{id}))
}

// Noted returns the ids that Note has recorded.
func (b *Book) Noted(ctx context.Context) (map[string]bool, error) {
	names, err := b.Names(ctx)
	if err != nil {
		return nil, persist.Explain(err)
	}
	noted, err := names.Recorded(ctx, b.Account.Key(), kindContact)
	return noted, persist.Explain(err)
}

// Content returns fields of a person as they can be written, by name: without what Google derives.
func Content(p *people.Person, fields []string) (map[string]json.RawMessage, error) {
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	kept := map[string]json.RawMessage{}
	for _, field := range fields {
		items := []map[string]any{}
		if all[field] == nil || json.Unmarshal(all[field], &items) != nil {
			continue
		}
		for _, item := range items {
			for _, derived := range []string{"metadata", "formattedType", "canonicalForm", "displayNameLastFirst", "text"} {
				delete(item, derived)
			}
			if field == "names" && (item["givenName"] != nil || item["familyName"] != nil) {
				delete(item, "displayName")
				delete(item, "unstructuredName")
			}
		}
		if kept[field], err = json.Marshal(items); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// FromContent returns the person with these fields.
func FromContent(content map[string]json.RawMessage) (*people.Person, error) {
	raw, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	p := &people.Person{}
	return p, json.Unmarshal(raw, p)
}
