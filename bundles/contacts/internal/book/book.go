// Package book has the people of the user's accounts: the copies that KOTA keeps of them, and how
// these stay equal to Google's. The actions read people here. Start with [Books.Open] and
// [Book.People].
package book

import (
	"context"
	"net/http"
	"sync"
	"time"

	people "google.golang.org/api/people/v1"

	"kota/bundles/contacts/internal/match"
	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/store"
)

// OAuth scopes.
const (
	ScopeRead      = "https://www.googleapis.com/auth/contacts.readonly"
	ScopeWrite     = "https://www.googleapis.com/auth/contacts"
	ScopeOther     = "https://www.googleapis.com/auth/contacts.other.readonly"
	ScopeDirectory = "https://www.googleapis.com/auth/directory.readonly"
)

// Deps holds the dependencies of the books: see contacts.Deps.
type Deps struct {
	Accounts func() ([]google.Account, error)
	Client   func(ctx context.Context, account string) (*http.Client, error)
	Endpoint func() string
	Copies   func(ctx context.Context, account string) (Copies, error)
	Names    func(context.Context) (persist.NameStore, error)
	UndoRows func(context.Context) (persist.UndoStore, error)
	Now      func() time.Time
}

// Copies stores the copies of the people of one account.
type Copies interface {
	Sync(ctx context.Context, source string) (store.ContactSync, error)
	All(ctx context.Context, source string) ([]store.Contact, store.ContactSync, error)
	Update(ctx context.Context, source string, u store.ContactUpdate) error
	Put(ctx context.Context, source string, changed []store.Contact, removed []string) error
}

// Books are the people of all accounts.
type Books struct {
	Deps
	mu     sync.Mutex
	opened map[string]*Book // by account name
}

// New returns the people of the accounts. It uses no dependency before the first call.
func New(deps Deps) *Books { return &Books{Deps: deps, opened: map[string]*Book{}} }

// A Book has the people of one account. There is one per account until somebody signs in again.
type Book struct {
	*Books
	Account google.Account
	API     *people.Service
	base    *http.Client
	Writes  sync.Mutex // Google wants the changes of a user one after the other
	mu      sync.Mutex // guards copies; held during a sync, so that there is one at a time
	copies  map[string]*peopleCopy
}

// peopleCopy is a copy in memory.
type peopleCopy struct {
	version int64
	index   *match.Index
	checked time.Time // when Google was last asked, also in vain
}

// Open returns the people of the account with that name or address; "" means the default account. It
// returns SIGN_IN_REQUIRED if no account is signed in.
func (b *Books) Open(ctx context.Context, name string) (*Book, error) {
	accounts, err := b.Accounts()
	if err != nil {
		return nil, err
	}
	account, err := google.FindAccount(accounts, name)
	if err != nil {
		return nil, err
	}
	base, err := b.Client(ctx, account.Name)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if known := b.opened[account.Name]; known != nil && known.base == base && known.Account == account {
		return known, nil
	}
	client := google.Client(base, google.Options{Account: account.Name, Endpoint: b.Endpoint()})
	opened := &Book{Books: b, Account: account, API: google.NewPeople(client, b.Endpoint()), base: base, copies: map[string]*peopleCopy{}}
	b.opened[account.Name] = opened
	return opened, nil
}
