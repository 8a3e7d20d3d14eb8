// Package contacts is the contacts bundle: the people of the user's Google accounts. It finds them in
// copies that KOTA keeps, so that a search makes no request, and never reads photos.
//
// This package contains the actions. They use these packages below internal:
//   - card: a person, cleaned
//   - match: finding people by what is remembered of them
//   - book: the people of an account, and their copies
package contacts

import (
	"context"
	"embed"
	"net/http"
	"time"

	"kota/bundles"
	"kota/bundles/contacts/internal/book"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// A Deps holds the dependencies of the bundle.
type Deps struct {
	// Accounts returns the signed-in Google accounts, the default one first.
	Accounts func() ([]google.Account, error)
	// Client returns an HTTP client with the authorization of the named account for the
	// scopes of the call in ctx. It returns SIGN_IN_REQUIRED or SCOPE_MISSING as a
	// *metadata.Error. It returns the same client for an account until somebody signs in
	// again.
	Client   func(ctx context.Context, account string) (*http.Client, error)
	Endpoint func() string // base URL of Google's APIs; "" means Google's own
	// Copies returns the store of the copies of an account. Each call opens it again.
	Copies func(ctx context.Context, account string) (Copies, error)
	Undos  func(context.Context) (UndoStore, error)
	Names  func(context.Context) (NameStore, error)
	Now    func() time.Time
}

// What the bundle needs from the store.
type (
	Copies    = book.Copies // the copies of the people of one account
	UndoStore = persist.UndoStore
	NameStore = persist.NameStore
)

type contacts struct{ *book.Books }

func open(deps Deps) *contacts {
	return &contacts{book.New(book.Deps{
		Accounts: deps.Accounts, Client: deps.Client, Endpoint: deps.Endpoint, Copies: deps.Copies, Names: deps.Names, UndoRows: deps.Undos, Now: deps.Now,
	})}
}

// New returns the bundle. It uses no dependency before the first call.
func New(deps Deps) bundles.Bundle {
	c := open(deps)
	b := bundles.New(about(),
		c.searchAction(),
		c.getAction(),
		c.listAction(),
		c.createAction(),
		c.updateAction(),
		c.deleteAction(),
		c.mergeAction(),
		c.undoAction(),
	)
	b.Instructions = `Recipients and guests may be names (to: ["raj"]): used if they mean one address, else you get candidates.`
	return b
}

// phrases are the words in which people ask for each action: see metadata.Bundle.
//
//go:embed phrases
var phrases embed.FS

func about() metadata.Bundle {
	return metadata.Bundle{
		Key:         "contacts",
		Name:        "Contacts",
		Description: "Find and keep people in Google Contacts: addresses, numbers, work and birthdays",
		Category:    metadata.Optional,
		Tags:        []string{"contacts", "people", "addresses", "google"},
		Phrases:     phrases,
		Version:     "1",
		Relationships: []metadata.Relationship{
			{Type: metadata.RelatedTo, Bundle: "gmail", Description: "Mail goes to the addresses of contacts"},
			{Type: metadata.RelatedTo, Bundle: "calendar", Description: "Contacts are invited to events"},
		},
		Workflows: []metadata.Workflow{
			{
				Title: "Find somebody's number", Scenario: "The user wants to call somebody and remembers only who it is",
				Steps: []metadata.Step{
					{Tool: "contacts_search", Args: map[string]any{"query": "my dentist"}},
				},
			},
		},
	}
}
