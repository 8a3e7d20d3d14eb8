package guide

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"kota/auth"
	"kota/cmd/kota/internal/accounts"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/signin"
)

// GoogleOptions are the flags of `kota auth setup`.
type GoogleOptions struct {
	File      string // the downloaded JSON file; "": ask for it
	Account   string // a name for the account; "": its address
	NoBrowser bool
}

// SetUpGoogle walks through Google's console, stores the OAuth client, signs in, and
// reads from each enabled bundle. Each step is skipped if it is done or if the user
// skips it.
func SetUpGoogle(ctx context.Context, a *app.App, in GoogleOptions) error {
	g := &guide{ctx: ctx, a: a, command: "kota auth setup", asks: true, noBrowser: in.NoBrowser}
	if !a.CanAsk() {
		return g.noTerminal("Run `kota auth client FILE`, then `kota auth login`; `kota auth client` prints the steps.")
	}
	if err := a.Load(); err != nil {
		return err
	}
	return g.end(g.setUpGoogle(in.File, in.Account))
}

func (g *guide) setUpGoogle(file, account string) error {
	before, _ := g.a.Accounts().Client()
	if stored, err := g.storeClient(file); err != nil || !stored {
		return err
	}
	after, _ := g.a.Accounts().Client()
	google, err := g.enable()
	if err != nil || len(google) == 0 {
		return err
	}
	if err := g.signIn(account, before.ID == after.ID); err != nil {
		return err
	}
	for _, bundle := range google {
		g.read(bundle.read, "{}")
	}
	return nil
}

// googleBundle is a bundle that the guide switches on.
type googleBundle struct {
	key   string
	read  string // the action that it calls to test the sign-in
	enter bool   // whether Enter switches it on
}

var googleBundles = []googleBundle{{"gmail", "gmail_list_labels", true}, {"calendar", "calendar_list_calendars", true}, {"contacts", "contacts_list", false}}

// storeClient stores the OAuth client of the file. Without a file it keeps the stored
// client, or walks through Google's console. It reports whether a client is stored.
func (g *guide) storeClient(file string) (bool, error) {
	if file != "" {
		return g.storeFile(file), nil
	}
	client, err := g.a.Accounts().Client()
	switch {
	case err == nil:
		keep, err := g.agrees("The OAuth client "+accounts.Describe(client)+" is stored. Keep it?", true)
		if err != nil || keep {
			return keep, err
		}
	case !errors.Is(err, auth.ErrNoClient):
		g.say("%s", signin.ProblemOf(err).Problem)
	}
	if err := g.walk(); err != nil {
		return false, err
	}
	return g.storeDownload()
}

// walk shows the steps in Google's console one after the other.
func (g *guide) walk() error {
	answers := "Enter: next, o: open the page, s: skip the steps"
	if g.noBrowser {
		answers = "Enter: next, s: skip the steps"
	}
	for i, step := range signin.ClientSteps() {
		g.say("\n%s", strings.TrimSuffix(step.Text(i+1), "\n"))
		for {
			answer, err := g.ask("Done?", answers)
			if err != nil || strings.EqualFold(answer, "s") {
				return err
			}
			if !strings.EqualFold(answer, "o") || g.noBrowser {
				break
			}
			for _, page := range step.Pages {
				if accounts.OpenBrowser(page.URL) != nil {
					g.say("The browser could not be opened; open the address yourself.")
				}
			}
		}
	}
	return nil
}

// storeDownload finds the downloaded file, asks about it, and stores its client. It
// asks until a file is an OAuth client or the user skips it.
func (g *guide) storeDownload() (bool, error) {
	folder := downloads(g.a.Env)
	offered := ""
	for {
		if found, when := newestClientFile(folder); found != "" && found != offered {
			offered = found
			agreed, err := g.agrees("Use "+found+", of "+when.In(g.a.Zone()).Format("2006-01-02 15:04")+"?", true)
			if err != nil {
				return false, err
			}
			if agreed && g.storeFile(found) {
				return true, nil
			}
		} else if found == "" {
			g.say("%s has no client_secret*.json.", folder)
		}
		answer, err := g.ask("Where is the downloaded file?", "its path, Enter: look again, s: skip")
		switch path := unquote(answer, g.a.Env("HOME")); {
		case err != nil:
			return false, err
		case strings.EqualFold(answer, "s"):
			g.leave("the OAuth client: `kota auth setup FILE` stores it")
			g.say("No OAuth client was stored. `kota auth setup FILE` goes on with the file.")
			return false, nil
		case path == "":
			offered = ""
		case g.storeFile(path):
			return true, nil
		}
	}
}

// storeFile stores the OAuth client of a file. It prints a problem, and reports
// whether the client was stored.
func (g *guide) storeFile(file string) bool {
	client, err := accounts.SetClient(g.ctx, g.a, file)
	if err != nil {
		g.say("%s", signin.ProblemOf(err).Problem)
		return false
	}
	g.say("Stored the OAuth client %s. You can delete %s.", accounts.Describe(client), file)
	return true
}

// enable asks about each bundle that is off, and returns the bundles that are on.
func (g *guide) enable() (on []googleBundle, err error) {
	file := g.a.Config.File
	if file == "" {
		file = filepath.Join(g.a.Config.Home, "bundles.yaml")
	}
	for _, bundle := range googleBundles {
		if !g.a.Config.Bundles[bundle.key].Enabled {
			agreed, err := g.agrees("Switch "+bundle.key+" on for your assistant?", bundle.enter)
			if err != nil {
				return nil, err
			}
			if !agreed {
				continue
			}
			if _, err := config.SetBundle(file, bundle.key, true, app.KnownBundles(g.a.Bundles())); err != nil {
				return nil, err
			}
			g.say("%s is on now, in %s.", bundle.key, file)
		}
		on = append(on, bundle)
	}
	if len(on) == 0 {
		g.say("Nothing needs a sign-in then. `kota bundles enable gmail` switches mail on.")
	}
	return on, nil
}

// signIn signs in to an account. If an account can be used already with the same
// OAuth client, it asks first.
func (g *guide) signIn(account string, sameClient bool) error {
	return g.fresh(func(a *app.App) error {
		known, err := a.Accounts().List()
		if err == nil && sameClient && len(known) > 0 && a.StateOf(known[0]).Problem == "" {
			if again, err := g.agrees("Signed in as "+known[0].Name+". Sign in again, or to another account?", false); err != nil || !again {
				return err
			}
		}
		return accounts.Login(g.ctx, a, accounts.LoginOptions{Account: account, NoBrowser: g.noBrowser})
	})
}
