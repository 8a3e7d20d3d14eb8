package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"kota/auth"
	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/gmail"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/signin"
	"kota/entrypoint"
	"kota/metadata"
)

// accounts returns the Google accounts of KOTA_HOME.
func (a *app) accounts() *auth.Accounts {
	a.opening.Do(func() {
		options := auth.Options{Home: a.config.Home, Now: a.now, Log: a.log, ClientOf: a.config.Operator, NoNewKey: a.policy().ReadsOnly()}
		if a.config.Tokens == config.TokensInFiles {
			options.Keyring = auth.NoKeyring
		}
		a.signedIn = auth.Open(options)
	})
	return a.signedIn
}

// mail is what the gmail bundle needs.
func (a *app) mail() gmail.Deps {
	return gmail.Deps{
		Accounts: a.googleAccounts, Client: a.googleClient,
		Endpoint: func() string { return a.config.GoogleEndpoint },
		Stores:   a.mailStores(), Now: a.localNow, Hold: a.unfinished.begin,
		Files: func() gmail.Files {
			return gmail.Files{From: a.config.Attachments.From, Into: a.config.Attachments.Into, Not: a.config.Home, Away: a.config.Owner != ""}
		},
		Poster: a.poster,
	}
}

// knownBefore says whom the user wrote to before a time. Where that cannot be found
// out nobody is known.
func (a *app) knownBefore() func(context.Context, string, time.Time) bool {
	sent := gmail.OpenCorrespondence(a.mail(), func(address, as string) bool {
		same, ok := entrypoint.ParseRecipient(address)
		return ok && same == as
	})
	return func(ctx context.Context, address string, before time.Time) bool {
		wrote, err := sent.WroteTo(ctx, address, before)
		if err != nil {
			a.log.Debug("look for earlier mail to a recipient", "code", metadata.CodeOf(err))
		}
		return wrote
	}
}

// calendar is what the calendar bundle needs.
func (a *app) calendar() calendar.Deps {
	return calendar.Deps{
		Accounts: a.googleAccounts, Client: a.googleClient,
		Endpoint: func() string { return a.config.GoogleEndpoint },
		Stores:   a.calendarStores(), Now: a.localNow, Hold: a.unfinished.begin,
		Zone: a.zone, PrimaryZone: a.calendarZone,
		Invitation: a.invitation,
	}
}

// invitation returns the calendar file of a mail, where mail may be read.
func (a *app) invitation(ctx context.Context, account, message string) ([]byte, error) {
	switch {
	case !a.shows("gmail_get_message"):
		return nil, metadata.Errorf(metadata.Unavailable, "the invitations in mail cannot be read").
			WithHint("Give the event_id, or the invitation's text as ics.")
	case !a.config.Bundles["gmail"].Enabled:
		return nil, metadata.Errorf(metadata.Unavailable, "mail is off, so that its invitations cannot be read").
			WithHint("The user can turn it on with `kota bundles enable gmail`. Or give the event_id, or the invitation's text as ics.")
	}
	return gmail.Invitation(a.mail())(ctx, account, message)
}

// googleAccounts returns the accounts that are signed in, the default one
// first.
func (a *app) googleAccounts() ([]gmail.Account, error) {
	all, err := a.accounts().List()
	if err != nil {
		return nil, signin.Explain(err)
	}
	named := make([]gmail.Account, 0, len(all)+1)
	if len(all) > 0 && !all[0].Default { // the first is the default one: opening this says what is wrong with it
		named = append(named, gmail.Account{})
	}
	for _, one := range all {
		named = append(named, gmail.Account{Name: one.Name, Address: one.Address})
	}
	return named, nil
}

// googleClient returns the client that carries the account's authorization. It
// answers SCOPE_MISSING before anything is asked of Google when the account has
// not granted what the call in ctx needs.
func (a *app) googleClient(ctx context.Context, account string) (*http.Client, error) {
	client, who, err := a.accounts().HTTPClient(ctx, account)
	if errors.Is(err, auth.ErrSignedOut) && !a.hasClient() {
		err = auth.ErrNoClient
	}
	if err != nil {
		return nil, signin.Explain(err)
	}
	if missing := signin.Missing(who.Scopes, bundles.ScopesOf(ctx)); len(missing) > 0 {
		return nil, metadata.Errorf(metadata.ScopeMissing, "the account %s has not granted %s", who.Name, strings.Join(signin.Rights(missing), " and ")).
			WithHint("The user can grant it: run `kota auth login --account %s` and tick every box.", bundles.ShellWord(who.Name))
	}
	return a.explained(client), nil
}

// hasClient reports whether an OAuth client is stored, be it a good one or not.
func (a *app) hasClient() bool {
	_, err := a.accounts().Client()
	return !errors.Is(err, auth.ErrNoClient)
}

// explained returns the client with errors of the sign-in in KOTA's words: the
// same one for the same client, so that what is known of an account lasts.
func (a *app) explained(client *http.Client) *http.Client {
	if known, ok := a.clients.Load(client); ok {
		return known.(*http.Client)
	}
	wrapped := *client
	wrapped.Transport = explaining{client.Transport}
	if a.policy().ReadsOnly() {
		wrapped.Transport = reading{wrapped.Transport}
	} else {
		wrapped.Transport = auditing{wrapped.Transport, a}
	}
	known, _ := a.clients.LoadOrStore(client, &wrapped)
	return known.(*http.Client)
}

// explaining answers what went wrong with the sign-in as a *metadata.Error.
type explaining struct{ next http.RoundTripper }

func (e explaining) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := e.next.RoundTrip(r)
	if err != nil {
		return nil, signin.Explain(err)
	}
	return response, nil
}
