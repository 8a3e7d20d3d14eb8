package gmail

import (
	"context"
	"fmt"
	"net/http"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"kota/bundles/internal/google"
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

// find returns the account that name means: see google.FindAccount.
func (g *gmail) find(name string) (Account, error) {
	list, err := g.Accounts()
	if err != nil {
		return Account{Name: name}, err
	}
	return google.FindAccount(list, name)
}

// accountName returns the name of the account that name means, or "*".
func (g *gmail) accountName(name string) (string, error) {
	list, err := g.Accounts()
	if err != nil {
		return "", err
	}
	return google.AccountName(list, name)
}
