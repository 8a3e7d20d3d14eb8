package mailbox

import (
	"context"
	"net/http"
	"sync"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/google"
	"kota/bundles/internal/persist"
	"kota/store"
)

// A Source holds the external dependencies of mailboxes. See gmail.Deps.
type Source struct {
	Accounts func() ([]google.Account, error)
	Client   func(ctx context.Context, account string) (*http.Client, error)
	Endpoint func() string // base URL of Google's APIs; "" means Google's own
	Stores   Stores
	Now      func() time.Time // the current time in the user's zone
}

// Mailboxes are the mailboxes of the signed-in accounts. Open creates each Mailbox once,
// and creates another after the user signs in again.
type Mailboxes struct {
	Source
	mu     sync.Mutex
	opened map[string]*Mailbox // by account name
}

func New(s Source) *Mailboxes { return &Mailboxes{Source: s, opened: map[string]*Mailbox{}} }

// A Mailbox is the mail of one account, with cached labels and addresses.
type Mailbox struct {
	*Mailboxes
	Account    google.Account
	Client     *http.Client // base with KOTA's rules for requests to Google
	API        *gmailapi.Service
	base       *http.Client // the client that Source returned
	address    string       // the mailbox's address from Gmail, if Account has none; "" until it is read
	labels     labelCache
	identities identityCache
}

// Me is the name of the signed-in account in Gmail's API.
const Me = "me"

// Open returns the mailbox of the account with that name or address. "" means the default
// account. It returns SIGN_IN_REQUIRED if nobody is signed in.
func (all *Mailboxes) Open(ctx context.Context, name string) (*Mailbox, error) {
	account, err := all.find(name)
	if err != nil {
		return nil, err
	}
	base, err := all.Client(ctx, account.Name)
	if err != nil {
		return nil, err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if m := all.opened[account.Name]; m != nil && m.base == base && m.Account == account {
		return m, nil
	}
	client := google.Client(base, google.Options{Account: account.Name, Endpoint: all.Endpoint()})
	m := &Mailbox{Mailboxes: all, Account: account, base: base, Client: client, API: google.NewGmail(client, all.Endpoint())}
	all.opened[account.Name] = m
	return m, nil
}

// Large returns an API client for answers of at most limit bytes. The limit of m.API is
// 8 MiB.
func (m *Mailbox) Large(limit int64) *gmailapi.Service {
	return google.NewGmail(google.WithLimit(m.Client, limit), m.Endpoint())
}

// find returns the account with that name or address: see google.FindAccount.
func (all *Mailboxes) find(name string) (google.Account, error) {
	list, err := all.Accounts()
	if err != nil {
		return google.Account{Name: name}, err
	}
	return google.FindAccount(list, name)
}

// AccountName returns the name of the account with that name or address. It returns "*",
// which means all accounts, unchanged.
func (all *Mailboxes) AccountName(name string) (string, error) {
	list, err := all.Accounts()
	if err != nil {
		return "", err
	}
	return google.AccountName(list, name)
}

// FormatTime returns a time in RFC 3339 in the user's zone, or "" for the zero time.
func (all *Mailboxes) FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(all.Now().Location()).Format(time.RFC3339)
}

// These are the OAuth scopes of the actions: the narrowest that Google documents for
// their methods.
const (
	ScopeRead     = "https://www.googleapis.com/auth/gmail.readonly"
	ScopeModify   = "https://www.googleapis.com/auth/gmail.modify"
	ScopeCompose  = "https://www.googleapis.com/auth/gmail.compose"
	ScopeSettings = "https://www.googleapis.com/auth/gmail.settings.basic"
)

// BundleKey is the key of the bundle, also in stored rows.
const BundleKey = "gmail"

// Stores holds the functions that open the stores of one tenant. Each call opens a store.
type Stores struct {
	Outbox func(context.Context) (persist.OutboxStore, error)
	Undos  func(context.Context) (persist.UndoStore, error)
	Names  func(context.Context) (persist.NameStore, error)
	Cache  func(ctx context.Context, address string) (Cache, error) // for the mailbox with that address
}

// A Cache stores the summaries of the messages of one mailbox.
type Cache interface {
	// History returns the history id up to which the labels are current, or 0 if nothing
	// is stored.
	History(ctx context.Context) (uint64, error)
	// Summaries returns the stored summaries of these messages, by id, and the history id
	// up to which their labels are current.
	Summaries(ctx context.Context, ids []string) (map[string]*store.MailSummary, uint64, error)
	// SentHeaders returns the headers To and Cc of the stored messages that the user sent.
	SentHeaders(ctx context.Context) ([]string, error)
	Update(ctx context.Context, u store.MailUpdate) error
	// Forget deletes everything that is stored for the mailbox.
	Forget(ctx context.Context) error
}
