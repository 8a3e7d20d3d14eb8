package app

import (
	"context"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/contacts"
	"kota/bundles/gmail"
	"kota/bundles/memory"
)

// wellKnown is how often the user must have written to somebody who is in no other source, before
// the name alone is enough. Mail programs copy the names of strangers into answers.
const wellKnown = 3

// peopleFinder returns the function that finds people by name, for the recipients of all bundles. It
// looks in contacts, in cached mail that the user sent, and in memories. A source that the caller
// may not read is left out.
func (a *App) peopleFinder() func(ctx context.Context, name string) (bundles.People, error) {
	book := contacts.OpenFinder(a.ContactsDeps())
	written := gmail.WrittenTo(a.MailDeps())
	return func(ctx context.Context, name string) (bundles.People, error) {
		found, err := bundles.People{}, error(nil)
		if a.checkAvailable("contacts", "contacts_search") == nil {
			if found, err = book.Find(ctx, name); err != nil {
				return found, err
			}
		}
		mailed := []gmail.Correspondent{}
		if a.checkAvailable("gmail", "gmail_search_messages") == nil {
			if mailed, err = written(ctx, name); err != nil {
				return found, err
			}
		}
		if a.checkAvailable("memory", "memory_get") == nil {
			memories, err := a.Memories(ctx)
			if err != nil {
				return found, err
			}
			remembered, err := memory.People(ctx, memories, name)
			if err != nil {
				return found, err
			}
			found.Exact = append(found.Exact, remembered...)
		}
		return joinPeople(found, mailed), nil
	}
}

// joinPeople adds the people to whom the user wrote. Of a contact with several addresses it keeps the
// only one that the user wrote to.
func joinPeople(found bundles.People, mailed []gmail.Correspondent) bundles.People {
	wroteTo := func(p bundles.Person) bool {
		return slices.ContainsFunc(mailed, func(m gmail.Correspondent) bool { return strings.EqualFold(m.Address, p.Address) })
	}
	found.Exact = slices.DeleteFunc(found.Exact, func(p bundles.Person) bool {
		used := 0
		for _, other := range found.Exact {
			if p.ID != "" && other.ID == p.ID && wroteTo(other) {
				used++
			}
		}
		return used == 1 && !wroteTo(p)
	})
	others := []bundles.Person{}
	clear := len(found.Exact) > 0
	for _, m := range mailed {
		clear = clear || m.Times >= wellKnown
		others = append(others, m.Person)
	}
	if clear {
		found.Exact = append(found.Exact, others...)
	} else {
		found.Similar = append(others, found.Similar...)
	}
	return found
}
