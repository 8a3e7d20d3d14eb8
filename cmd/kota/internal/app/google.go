package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"kota/auth"
	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/contacts"
	"kota/bundles/gmail"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/signin"
	"kota/entrypoint/policy"
	"kota/metadata"
	"kota/store/engine"
	"kota/store/postgres"
	"kota/store/tables/names"
	"kota/store/tables/undo"
)

// Accounts returns the Google accounts in Config.Home, or in the database of the server.
func (a *App) Accounts() *auth.Accounts {
	a.accountsOnce.Do(func() {
		options := a.accountOptions()
		options.Vault, options.ClientVault, options.Now = a.Vault(), a.operatorVault(), a.serverNow
		a.accounts = auth.Open(options)
	})
	return a.accounts
}

// serverNow returns the time of the database server, if it is open. So replicas whose clocks differ agree
// which renewal of a sign-in is the later one.
func (a *App) serverNow() time.Time {
	if !a.Config.FixedNow && a.Config.HasServer() && a.server.mu.TryLock() { // locked: it connects, which may take long
		defer a.server.mu.Unlock()
		if a.server.opened != nil {
			return a.server.opened.Now()
		}
	}
	return a.Now()
}

// AccountsInFiles returns the Google accounts in Config.Home, also if the database is on a server.
func (a *App) AccountsInFiles() *auth.Accounts { return auth.Open(a.accountOptions()) }

// AccountsIn returns the Google accounts in this owner's part of a database, which need not be the
// configured one.
func (a *App) AccountsIn(part *postgres.DB) *auth.Accounts {
	options := a.accountOptions()
	options.Vault = a.vaultIn(part)
	return auth.Open(options)
}

func (a *App) accountOptions() auth.Options {
	options := auth.Options{Home: a.Config.Home, Now: a.Now, Log: a.Log, ClientHome: a.Config.Operator, NoNewKey: a.Policy().ReadsOnly()}
	if a.Config.Tokens == config.TokensInFiles {
		options.Keyring = auth.NoKeyring
	}
	return options
}

// MailDeps returns what the gmail bundle needs.
func (a *App) MailDeps() gmail.Deps {
	return gmail.Deps{
		Accounts: a.googleAccounts, Client: a.googleClient,
		Endpoint: func() string { return a.Config.GoogleEndpoint },
		Stores:   a.mailStores(), Now: a.LocalNow, Hold: a.Inflight.begin,
		Files: func() gmail.Files {
			return gmail.Files{From: a.Config.Attachments.From, Into: a.Config.Attachments.Into, Excluded: a.Config.Home, Remote: a.Config.Owner != ""}
		},
		Poster: a.Poster,
	}
}

// correspondents says which addresses are the user's own or have received mail
// from the user. Sent mail that cannot be read counts as absent.
type correspondents struct {
	sent *gmail.Correspondence
	log  *slog.Logger
}

func (a *App) correspondents() correspondents {
	return correspondents{gmail.OpenCorrespondence(a.MailDeps(), func(address, recipient string) bool {
		same, ok := policy.ParseRecipient(address)
		return ok && same == recipient
	}), a.Log}
}

func (c correspondents) Known(ctx context.Context, address string, before time.Time) bool {
	wrote, err := c.sent.WroteTo(ctx, address, before)
	if err != nil {
		c.log.Debug("look for earlier mail to a recipient", "code", metadata.CodeOf(err))
	}
	return wrote
}

// CalendarDeps returns what the calendar bundle needs.
func (a *App) CalendarDeps() calendar.Deps {
	return calendar.Deps{
		Accounts: a.googleAccounts, Client: a.googleClient,
		Endpoint: func() string { return a.Config.GoogleEndpoint },
		Stores:   a.calendarStores(), Now: a.LocalNow, Hold: a.Inflight.begin,
		Zone: a.Zone, PrimaryZone: a.calendarZone,
		Invitation: a.Invitation,
	}
}

// ContactsDeps returns what the contacts bundle needs.
func (a *App) ContactsDeps() contacts.Deps {
	return contacts.Deps{
		Accounts: a.googleAccounts, Client: a.googleClient,
		Endpoint: func() string { return a.Config.GoogleEndpoint },
		Copies:   a.contactCopies, Now: a.LocalNow,
		Undos: openPart(a, func(db engine.DB) contacts.UndoStore { return undo.New(db, Owner, "contacts") }),
		Names: openPart(a, func(db engine.DB) contacts.NameStore { return names.New(db, Owner) }),
	}
}

// Invitation returns the calendar file in a message, if mail may be read.
func (a *App) Invitation(ctx context.Context, account, message string) ([]byte, error) {
	switch {
	case !a.profileShows("gmail_get_message"):
		return nil, metadata.Errorf(metadata.Unavailable, "the invitations in mail cannot be read").
			WithHint("Give the event_id, or the invitation's text as ics.")
	case !a.Config.Bundles["gmail"].Enabled:
		return nil, metadata.Errorf(metadata.Unavailable, "mail is off, so its invitations cannot be read").
			WithHint("The user can turn it on with `kota bundles enable gmail`. Or give the event_id, or the invitation's text as ics.")
	}
	return gmail.Invitation(a.MailDeps())(ctx, account, message)
}

// googleAccounts returns the signed-in accounts, the default account first. If
// accounts exist but none is the default, an account without a name comes
// first.
func (a *App) googleAccounts() ([]gmail.Account, error) {
	all, err := a.Accounts().List()
	if err != nil {
		return nil, signin.Explain(err)
	}
	accounts := make([]gmail.Account, 0, len(all)+1)
	if len(all) > 0 && !all[0].Default { // no account is the default: using the account "" reports that
		accounts = append(accounts, gmail.Account{})
	}
	for _, account := range all {
		accounts = append(accounts, gmail.Account{Name: account.Name, Address: account.Address})
	}
	return accounts, nil
}

// googleClient returns the client with the account's authorization. It returns
// SCOPE_MISSING, before any request to Google, if the account has not granted
// what the call in ctx needs.
func (a *App) googleClient(ctx context.Context, account string) (*http.Client, error) {
	client, signedIn, err := a.Accounts().HTTPClient(ctx, account)
	if errors.Is(err, auth.ErrSignedOut) && !a.HasClient() {
		err = auth.ErrNoClient
	}
	if err != nil {
		return nil, signin.Explain(err)
	}
	if missing := signin.MissingScopes(signedIn.Scopes, bundles.ScopesOf(ctx)); len(missing) > 0 {
		return nil, metadata.Errorf(metadata.ScopeMissing, "the account %s has not granted %s", signedIn.Name, strings.Join(signin.DescribeScopes(missing), " and ")).
			WithHint("The user can grant it: run `kota auth login --account %s` and tick every box.", bundles.ShellWord(signedIn.Name))
	}
	return a.wrapClient(client), nil
}

// HasClient reports whether an OAuth client is stored, valid or not.
func (a *App) HasClient() bool {
	_, err := a.Accounts().Client()
	return !errors.Is(err, auth.ErrNoClient)
}

// wrapClient returns a client with KOTA's own sign-in errors. Before a request
// that changes something, the returned client writes to the audit log; under a
// profile that only reads, it refuses the request. The same argument always gives
// the same result, because bundles cache data per client.
func (a *App) wrapClient(client *http.Client) *http.Client {
	if known, ok := a.googleClients.Load(client); ok {
		return known.(*http.Client)
	}
	wrapped := *client
	wrapped.Transport = signInErrorTransport{a.Tracer.Transport(client.Transport)}
	if a.Policy().ReadsOnly() {
		wrapped.Transport = readOnlyTransport{wrapped.Transport}
	} else {
		wrapped.Transport = auditTransport{wrapped.Transport, a}
	}
	known, _ := a.googleClients.LoadOrStore(client, &wrapped)
	return known.(*http.Client)
}

// signInErrorTransport returns sign-in errors as *metadata.Error.
type signInErrorTransport struct{ next http.RoundTripper }

func (e signInErrorTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := e.next.RoundTrip(r)
	if err != nil {
		return nil, signin.Explain(err)
	}
	return response, nil
}
