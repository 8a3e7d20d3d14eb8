package guide

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/clients"
	"kota/cmd/kota/internal/install"
	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint"
)

// Options are the flags of `kota init`.
type Options struct {
	Yes       bool     // do what is safe, and ask nothing
	Clients   []string // the clients to connect; none: those found on this machine
	NoBrowser bool
}

// Init connects clients, makes a test call, and sets up Google. It changes nothing
// that is right already.
func Init(ctx context.Context, a *app.App, in Options) error {
	g := &guide{ctx: ctx, a: a, command: "kota init", asks: !in.Yes, noBrowser: in.NoBrowser}
	if g.asks && !a.CanAsk() {
		return g.noTerminal("Run `kota init --yes`, or the single steps: `kota install CLIENT`, `kota auth client FILE` and `kota auth login`.")
	}
	if err := a.Load(); err != nil {
		return err
	}
	for _, name := range in.Clients {
		if _, ok := clients.Find(name); !ok {
			return mistake.Errorf("unknown client %q%s; known: %s", mistake.Shorten(name), mistake.DidYouMean(name, clients.Names()), strings.Join(clients.Names(), ", "))
		}
	}
	g.say("KOTA's folder is %s.", a.Config.Home)
	for _, step := range []func() error{func() error { return g.connect(in.Clients) }, g.testCall, g.google} {
		if err := step(); err != nil {
			return g.end(err)
		}
	}
	if len(g.left) > 0 {
		g.say("\nLeft out:\n  - %s", strings.Join(g.left, "\n  - "))
	}
	if !g.failed {
		g.say("\nRestart your client and say: \"Remember that I drink flat whites.\" `kota doctor` checks everything.")
	}
	return g.end(nil)
}

// connect connects the named clients, or those that are found.
func (g *guide) connect(names []string) error {
	g.say("\n1. Clients")
	states, err := install.States(g.a)
	if err != nil {
		g.fail("No client was connected: %v", err)
		return nil
	}
	found := false
	for _, s := range states {
		if named := slices.Contains(names, s.Name); named || len(names) == 0 && (s.Found || s.Starts != "") {
			found = true
			if err := g.connectOne(s, named); err != nil {
				return err
			}
		}
	}
	if !found {
		g.say("No client that KOTA knows was found.")
		g.leave("clients: `kota install` lists them, and `kota install CLIENT` connects one")
	}
	return nil
}

// connectOne connects one client. named is whether the user named it.
func (g *guide) connectOne(s *install.State, named bool) error {
	question, enter := "Connect "+s.Title+"?", true
	switch {
	case s.Problem != nil:
		g.fail("%s was not connected: %v", s.Title, s.Problem)
		return nil
	case s.Current:
		g.say("%s starts KOTA already.", s.Title)
		return nil
	case s.Starts != "":
		question, enter = s.Title+" starts "+s.Starts+". Update this entry?", false
	}
	agreed := enter || named
	if g.asks {
		var err error
		if agreed, err = g.agrees(question, enter); err != nil {
			return err
		}
	}
	if !agreed {
		g.leave("%s: `kota install %s`", s.Title, s.Name)
		return nil
	}
	if err := install.Add(g.a, s.Name, install.Options{Name: "kota"}); err != nil {
		g.fail("%s was not connected: %v", s.Title, err)
	}
	return nil
}

// testCall makes a call that reads.
func (g *guide) testCall() error {
	g.say("\n2. Test call")
	if g.asks {
		if agreed, err := g.agrees("Read the stored memories?", true); err != nil || !agreed {
			g.leave("the test call: `kota call memory_list`")
			return err
		}
	}
	g.read("memory_list", `{"limit": 1}`)
	return nil
}

// errNotOffered means that an action is off, or hidden from the assistant.
var errNotOffered = errors.New("it is not offered, because its bundle is off, the profile hides it, or its permission was not granted")

// read calls an action that reads, and says whether it answered.
func (g *guide) read(tool, args string) {
	err := g.fresh(func(a *app.App) error {
		router, err := a.Router()
		if err != nil {
			return err
		}
		if _, offered := router.Action(tool); !offered {
			return errNotOffered
		}
		_, _, err = router.Answer(g.ctx, &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: tool, Args: json.RawMessage(args)})
		return app.TextError(err)
	})
	switch {
	case errors.Is(err, errNotOffered):
		g.say("%s was not called: %v.", tool, err)
	case err != nil:
		g.fail("%s failed: %v", tool, err)
	default:
		g.say("%s answers.", tool)
	}
}

// google sets up Google, unless an account can be used already.
func (g *guide) google() error {
	g.say("\n3. Google")
	const later = "Gmail and Google Calendar: `kota auth setup` in a terminal"
	accounts, err := g.a.Accounts().List()
	if err == nil && len(accounts) > 0 && len(g.a.EnabledScopes()) > 0 && len(g.a.SignInProblems(accounts)) == 0 && g.a.StateOf(accounts[0]).Problem == "" {
		g.say("Signed in as %s. `kota auth setup` adds an account.", accounts[0].Name)
		return nil
	}
	agreed := false
	if g.asks {
		if agreed, err = g.agrees("Connect Gmail and Google Calendar? It takes about ten minutes, once.", false); err != nil {
			return err
		}
	}
	if !agreed {
		g.leave(later)
		return nil
	}
	err = g.setUpGoogle("", "")
	if err == nil || errors.Is(err, errStop) {
		return err
	}
	g.fail("Google is not set up: %s. `kota auth setup` goes on from here.", strings.TrimSuffix(err.Error(), "."))
	return nil
}
