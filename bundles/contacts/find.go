package contacts

import (
	"context"
	"strings"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/contacts/internal/card"
	"kota/metadata"
)

// A Finder finds the people of all accounts by name, for the recipients of mail and events.
type Finder struct{ *contacts }

// OpenFinder returns a Finder. It uses no dependency before the first call.
func OpenFinder(deps Deps) *Finder { return &Finder{open(deps)} }

// maxFound bounds the people of one source.
const maxFound = 20

// Find returns the people whom a name may mean, one for each address. Those in the user's own
// contacts whose name or nickname has all words of it are exact. People whom Google saved from mail
// are only similar, because others chose their names, and so are contacts that were written after
// reading what others wrote. Accounts without the permission are left out.
func (f *Finder) Find(ctx context.Context, name string) (bundles.People, error) {
	found := bundles.People{}
	accounts, err := f.Accounts()
	if err != nil {
		return found, err
	}
	ctx = bundles.WithScopes(ctx, []string{book.ScopeRead})
	for _, account := range accounts {
		b, err := f.Open(ctx, account.Name)
		if code := metadata.CodeOf(err); code == metadata.ScopeMissing || code == metadata.SignInRequired {
			continue
		}
		if err != nil {
			return found, err
		}
		if err := findIn(ctx, b, name, &found); err != nil {
			return found, err
		}
	}
	return found, nil
}

func findIn(ctx context.Context, b *book.Book, name string, found *bundles.People) error {
	index, _, err := b.People(ctx, card.Contacts)
	if err != nil {
		return err
	}
	noted, err := b.Noted(ctx)
	if err != nil {
		return err
	}
	for _, hit := range index.Search(name, maxFound) {
		for _, person := range peopleOf(hit.Card, "in contacts") {
			person.Untrusted = noted[hit.Card.ID]
			if hit.Exact && !person.Untrusted {
				found.Exact = append(found.Exact, person)
			} else {
				found.Similar = append(found.Similar, person)
			}
		}
	}
	if len(found.Exact) > 0 {
		return nil
	}
	index, _, err = b.People(ctx, card.Other)
	if err != nil {
		return nil // the permission is optional
	}
	for _, hit := range index.Search(name, maxFound) {
		for _, person := range peopleOf(hit.Card, "known from mail") {
			person.Untrusted = true
			found.Similar = append(found.Similar, person)
		}
	}
	return nil
}

// peopleOf returns somebody once for each address, with what tells the address apart.
func peopleOf(c *card.Card, source string) []bundles.Person {
	people := []bundles.Person{}
	for _, e := range c.Emails {
		known := append(append([]string{}, workOf(c)...), e.Type, source)
		words := []string{}
		for _, word := range known {
			if word != "" {
				words = append(words, word)
			}
		}
		people = append(people, bundles.Person{ID: c.ID, Name: c.Label(), Address: e.Value, Known: strings.Join(words, ", ")})
	}
	return people
}
