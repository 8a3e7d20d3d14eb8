package gmail

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/bundles/internal/safely"
	"kota/metadata"
)

// A mailbox is the mail of one account, with what is known of it: made once
// for an account, and anew when somebody signs in again.
type mailbox struct {
	*gmail
	account Account
	base    *http.Client // as the outside gave it
	client  *http.Client // the same, with KOTA's rules for talking to Google
	api     *gmailapi.Service
	address string // of an account whose address the outside does not know; "" until Gmail was asked
	known   labelCache
	senders identityCache
}

// me is how Gmail's API calls the account that is signed in.
const me = "me"

// everyAccount asks for all accounts at once.
const everyAccount = "*"

// open returns the mailbox of the account of that name or address; "" means
// the default account. It answers SIGN_IN_REQUIRED when nobody is signed in.
func (g *gmail) open(ctx context.Context, name string) (*mailbox, error) {
	account, err := g.find(name)
	if err != nil {
		return nil, err
	}
	base, err := g.Client(ctx, account.Name)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if m := g.mailboxes[account.Name]; m != nil && m.base == base && m.account == account {
		return m, nil
	}
	client := google.Client(base, google.Options{Account: account.Name, Endpoint: g.Endpoint()})
	api, err := gmailapi.NewService(ctx, option.WithHTTPClient(client), option.WithEndpoint(google.GmailBase(g.Endpoint())))
	if err != nil {
		return nil, fmt.Errorf("open mailbox: %w", err)
	}
	m := &mailbox{gmail: g, account: account, base: base, client: client, api: api}
	g.mailboxes[account.Name] = m
	return m, nil
}

// find returns the account that name means. With nobody signed in it is
// returned as it is called: whoever opens it says how to sign in.
func (g *gmail) find(name string) (Account, error) {
	accounts, err := g.Accounts()
	if err != nil || len(accounts) == 0 {
		return Account{Name: name}, err
	}
	if name == "" {
		return accounts[0], nil
	}
	if name == everyAccount {
		return Account{}, arguments.Invalid("account", "one account", strconv.Quote(name)).WithHint("\"*\" is for reads: name one account, or leave it out for the default one.")
	}
	known := []string{}
	for _, a := range accounts {
		if strings.EqualFold(a.Name, name) || strings.EqualFold(a.Address, name) {
			return a, nil
		}
		known = append(known, a.Name)
	}
	problem := metadata.Problem{Path: "account", Expected: "one of " + strings.Join(known, ", "), Got: fmt.Sprintf("%q", name)}
	if near := metadata.Nearest(name, known, 1); len(near) > 0 {
		problem.Suggestion = near[0]
	}
	e := metadata.Errorf(metadata.ValidationError, "no account %q is signed in", name).
		WithHint("Name one of these accounts, or leave account out for the default one: %s.", strings.Join(known, ", "))
	e.Problems = []metadata.Problem{problem}
	return Account{}, e
}

// accountName returns the name of the account that name means, or "*".
func (g *gmail) accountName(name string) (string, error) {
	if name == everyAccount {
		return name, nil
	}
	account, err := g.find(name)
	return account.Name, err
}

// An accountError says what went wrong with one of several accounts.
type accountError struct {
	Account string        `json:"account"`
	Code    metadata.Code `json:"error"`
	Message string        `json:"message"`
	Hint    string        `json:"hint,omitempty"`
}

// readTime bounds what a read does in the accounts, whatever it asks of Gmail:
// people wait for the answer, and clients give up on a call after a minute.
const readTime = 30 * time.Second

// inAccounts does the same in the account of that name, or in every account
// for "*". The answers are in the order of the accounts. With one account its
// error is returned; of several, those that failed are listed, unless all did.
func inAccounts[T any](ctx context.Context, g *gmail, name string, do func(context.Context, *mailbox) (T, error)) ([]T, []accountError, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	if name != everyAccount {
		m, err := g.open(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		answer, err := do(ctx, m)
		return []T{answer}, nil, err
	}
	accounts, err := g.Accounts()
	if err != nil {
		return nil, nil, err
	}
	if len(accounts) == 0 {
		accounts = []Account{{}} // whose opening says how to sign in
	}
	answers, errs := make([]T, len(accounts)), make([]error, len(accounts))
	all := safely.New(len(accounts))
	for i, account := range accounts {
		all.Go(func() error {
			var m *mailbox
			if m, errs[i] = g.open(ctx, account.Name); errs[i] == nil {
				answers[i], errs[i] = do(ctx, m)
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, nil, err // a panic
	}
	return gather(accounts, answers, errs)
}

// inWhichever does something that only one account can do, with a message that
// only one has: in the account of that name, or for "*" in the first that can.
func inWhichever[T any](ctx context.Context, g *gmail, name string, do func(context.Context, *mailbox) (T, error)) (T, error) {
	answers, _, err := inAccounts(ctx, g, name, do)
	if err != nil {
		var none T
		return none, err
	}
	return answers[0], nil
}

// gather separates the answers of the accounts that gave one from the errors
// of the others.
func gather[T any](accounts []Account, answers []T, errs []error) ([]T, []accountError, error) {
	var given []T
	var failed []accountError
	for i, err := range errs {
		if err == nil {
			given = append(given, answers[i])
			continue
		}
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) {
			return nil, nil, err
		}
		failed = append(failed, accountError{Account: accounts[i].Name, Code: e.Code, Message: e.Message, Hint: e.Hint})
	}
	if len(given) == 0 {
		return nil, nil, errs[0]
	}
	return given, failed, nil
}
