package book

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	people "google.golang.org/api/people/v1"

	"kota/bundles"
	"kota/bundles/contacts/internal/card"
	"kota/bundles/contacts/internal/match"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// Fields are the fields of contacts in the copy. Photos are not among them. metadata says that
// somebody was deleted.
const (
	Fields      = "names,nicknames,emailAddresses,phoneNumbers,organizations,occupations,relations,birthdays,memberships,userDefined,biographies,metadata"
	otherFields = "names,emailAddresses,phoneNumbers,metadata"
	colleagues  = "names,emailAddresses,phoneNumbers,organizations,metadata"
	OwnSource   = "READ_SOURCE_TYPE_CONTACT" // without what people wrote in their own profiles
	colleague   = "DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE"
	pageSize    = 1000

	refreshAfter      = 5 * time.Minute
	refreshOtherAfter = time.Hour // other contacts and colleagues
)

// People returns the people of a source. If the copy is too old, it asks Google what
// has changed. If that fails, it returns the copy and the error in stale. It returns SCOPE_MISSING
// for a source that the account has not granted.
func (b *Book) People(ctx context.Context, source string) (index *match.Index, stale error, err error) {
	if scope := sourceScopes[source]; scope != "" {
		if _, err := b.Client(bundles.WithScopes(ctx, []string{scope}), b.Account.Name); err != nil {
			return nil, nil, err
		}
	}
	copies, err := b.Copies(ctx, b.Account.Key())
	if err != nil {
		return nil, nil, persist.Explain(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	sync, err := copies.Sync(ctx, source)
	if err != nil {
		return nil, nil, persist.Explain(err)
	}
	known := b.copies[source]
	if known == nil {
		known = &peopleCopy{}
		b.copies[source] = known
	}
	after := refreshAfter
	if source != card.Contacts {
		after = refreshOtherAfter
	}
	if now := b.Now(); sync.Version == 0 || now.Sub(sync.At).Abs() >= after && now.Sub(known.checked).Abs() >= after {
		stale = b.refresh(ctx, copies, source, sync)
		known.checked = now
		if stale != nil && sync.Version == 0 {
			known.checked = time.Time{}
			return nil, nil, stale
		}
		if sync, err = copies.Sync(ctx, source); err != nil {
			return nil, nil, persist.Explain(err)
		}
	}
	if known.index == nil || known.version != sync.Version {
		if err := known.load(ctx, copies, source); err != nil {
			return nil, nil, err
		}
	}
	return known.index, stale, nil
}

var sourceScopes = map[string]string{card.Other: ScopeOther, card.Directory: ScopeDirectory}

func (k *peopleCopy) load(ctx context.Context, copies Copies, source string) error {
	all, sync, err := copies.All(ctx, source)
	if err != nil {
		return persist.Explain(err)
	}
	list := make([]card.Card, 0, len(all))
	for _, one := range all {
		c := card.Card{}
		if err := json.Unmarshal([]byte(one.Card), &c); err != nil {
			return fmt.Errorf("read the contact %s: %w", one.ID, err)
		}
		list = append(list, c)
	}
	k.index, k.version = match.NewIndex(list), sync.Version
	return nil
}

// refresh makes the copy equal to the source. It starts over if the token of the last sync is no
// longer good.
func (b *Book) refresh(ctx context.Context, copies Copies, source string, sync store.ContactSync) error {
	u, err := b.read(ctx, source, sync.Token)
	if sync.Token != "" && isBadToken(err) {
		u, err = b.read(ctx, source, "")
	}
	if err != nil {
		return err
	}
	u.From = sync.Version
	return persist.Explain(copies.Update(ctx, source, u))
}

// isBadToken reports whether Google refuses a sync token: an expired one with 400 and a reason,
// although its samples say 410, and one of other parameters with 400 too.
func isBadToken(err error) bool {
	f := (*google.Failure)(nil)
	return errors.As(err, &f) && (f.Status == http.StatusBadRequest || f.Status == http.StatusGone)
}

// read reads all pages of a source: everything, or with a token what has changed.
func (b *Book) read(ctx context.Context, source, token string) (store.ContactUpdate, error) {
	u := store.ContactUpdate{Replace: token == ""}
	for page := ""; ; {
		list, next, sync, err := b.readPage(ctx, source, token, page)
		if source == card.Directory && token == "" && page == "" && isBadToken(err) {
			return u, nil // a consumer account: it has no directory
		}
		if err != nil {
			return u, fmt.Errorf("read %s: %w", source, err)
		}
		for _, p := range list {
			if err := addTo(&u, p); err != nil {
				return u, err
			}
		}
		if next == "" {
			u.Token = sync
			return u, nil
		}
		page = next
	}
}

func addTo(u *store.ContactUpdate, p *people.Person) error {
	if p.Metadata != nil {
		u.Removed = append(u.Removed, p.Metadata.PreviousResourceNames...)
		if p.Metadata.Deleted {
			u.Removed = append(u.Removed, p.ResourceName)
			return nil
		}
	}
	one, err := Stored(card.FromPerson(p))
	if err != nil {
		return err
	}
	u.Contacts = append(u.Contacts, one)
	return nil
}

// Stored returns a card in its stored form.
func Stored(c card.Card) (store.Contact, error) {
	raw, err := json.Marshal(c)
	return store.Contact{ID: c.ID, Card: string(raw)}, err
}

func (b *Book) readPage(ctx context.Context, source, token, page string) (list []*people.Person, next, sync string, err error) {
	switch source {
	case card.Other:
		call := b.API.OtherContacts.List().ReadMask(otherFields).PageSize(pageSize).RequestSyncToken(true).Context(ctx)
		if token != "" {
			call.SyncToken(token)
		}
		if page != "" {
			call.PageToken(page)
		}
		answer, err := call.Do()
		if err != nil {
			return nil, "", "", err
		}
		return answer.OtherContacts, answer.NextPageToken, answer.NextSyncToken, nil
	case card.Directory:
		call := b.API.People.ListDirectoryPeople().ReadMask(colleagues).Sources(colleague).PageSize(pageSize).RequestSyncToken(true).Context(ctx)
		if token != "" {
			call.SyncToken(token)
		}
		if page != "" {
			call.PageToken(page)
		}
		answer, err := call.Do()
		if err != nil {
			return nil, "", "", err
		}
		return answer.People, answer.NextPageToken, answer.NextSyncToken, nil
	}
	call := b.API.People.Connections.List("people/me").PersonFields(Fields).Sources(OwnSource).PageSize(pageSize).RequestSyncToken(true).Context(ctx)
	if token != "" {
		call.SyncToken(token)
	}
	if page != "" {
		call.PageToken(page)
	}
	answer, err := call.Do()
	if err != nil {
		return nil, "", "", err
	}
	return answer.Connections, answer.NextPageToken, answer.NextSyncToken, nil
}

// Why returns why a source could not be read, in few words.
func Why(err error) string {
	switch metadata.CodeOf(err) {
	case metadata.ScopeMissing:
		return "permission not granted"
	case metadata.Refused:
		return "not allowed"
	}
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return strings.TrimPrefix(e.Message, "Google Contacts: ")
	}
	return "failed"
}
