// Package app puts the program together: it opens the store and the accounts, builds
// the bundles, and builds the router over them. Only this package knows which bundles
// there are and where each keeps its data.
//
// Everything is made when it is first needed. Do runs a command, and waits at its end
// for what must not be broken off. Begin with App; bundles.go has the list of bundles.
package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kota/auth"
	"kota/bundles"
	"kota/bundles/gmail"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/tenant"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/usage"
)

// An App is one run of the program: what it was given, and what its commands
// share. Everything is made when a command first needs it.
type App struct {
	term.Terminal
	Env   func(string) string
	Flags config.Flags

	Config config.Config
	Log    *slog.Logger
	loaded bool

	constructing sync.Once
	all          []bundles.Bundle
	Serving      atomic.Pointer[entrypoint.Router] // that calls come by; nil before router

	Poster   gmail.Poster // the zero one, which asks public addresses alone, but in tests
	database database
	Inflight Inflight
	clock    userZone
	usage    *usage.Counter  // nil before router, and where nothing is counted
	Meaning  *SemanticSearch // nil before router, and where words alone find

	opening  sync.Once
	signedIn *auth.Accounts
	clients  sync.Map // of http.Clients as auth gives them: as the bundles get them
}

// Load reads the configuration, once.
func (a *App) Load() error {
	if a.loaded {
		return nil
	}
	config, err := config.Load(a.Env, a.Flags, Known(a.Bundles()))
	if err != nil {
		return err
	}
	a.Config = config
	a.Log = slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: config.Log}))
	if a.Flags.Owner != "" {
		if err := a.selectOwner(a.Flags.Owner); err != nil {
			return err
		}
	}
	a.loaded = true
	return nil
}

// Router builds the router over the bundles as configured.
func (a *App) Router() (*entrypoint.Router, error) {
	if err := a.Load(); err != nil {
		return nil, err
	}
	all := slices.Clone(a.Bundles())
	for i := range all {
		all[i].Enabled = a.Config.Bundles[all[i].Key].Enabled
	}
	policy := a.Policy()
	a.signInState(all, &policy)
	asking := a.Asking()
	options := pipeline.Options{
		Bundles: all, Policy: policy, Log: a.Log,
		Trouble: func(key string) string { return a.Advise(a.healthProblem(key)) }, Adviser: a,
		Approver: asking, Approvals: asking, Limiter: a, Contacts: a.contacts(), Now: a.Now,
		Auditor: a.auditor(),
	}
	a.count(&options)
	if a.Meaning = a.newMeaning(policy); a.Meaning != nil {
		options.Meaning = a.Meaning.similarActions
	}
	r, err := pipeline.New(options)
	if err != nil {
		return nil, mistake.Errorf("%s: %v", a.Config.Name(), err)
	}
	a.Serving.Store(r)
	return r, nil
}

// Do runs a command of that name. It contains a panic, waits for what must not be
// broken off, and closes what was opened.
func (a *App) Do(ctx context.Context, name string, command func(context.Context) error) (err error) {
	defer a.Inflight.NoteSignal(ctx)()
	defer func() {
		if p := recover(); p != nil {
			err = entrypoint.Panicked(slog.New(slog.NewTextHandler(a.Stderr, nil)), name, p)
		}
		err = a.advised(errors.Join(err, a.Finish(ctx)))
	}()
	return command(ctx)
}

// Finish ends what serves nobody any more: what must not be broken off is waited
// for, within the bounds of unfinished.wait.
func (a *App) Finish(ctx context.Context) error {
	a.Inflight.wait(ctx)
	a.Meaning.close()
	a.flushUsage()
	return a.CloseDB()
}

// Policy returns what the chosen profile and the gates allow.
func (a *App) Policy() policy.Policy { return a.Config.PolicyOf(a.Config.Profile) }

// Now is the time, or the one that KOTA_NOW fixes.
func (a *App) Now() time.Time {
	if a.Config.Now == nil {
		return time.Now()
	}
	return a.Config.Now()
}

// Known is what bundles.yaml may name.
func Known(all []bundles.Bundle) []config.KnownBundle {
	names := make([]config.KnownBundle, 0, len(all))
	for _, b := range all {
		k := config.KnownBundle{Key: b.Key, Tags: slices.Clone(b.Tags)}
		for _, action := range b.Actions {
			k.Tools = append(k.Tools, action.Tool)
			k.Tags = append(k.Tags, action.Tags...)
		}
		names = append(names, k)
	}
	return names
}

// Registry is the folders of those whom the HTTP server serves.
func (a *App) Registry() tenant.Registry { return tenant.NewRegistry(a.Config) }

// selectOwner makes all that follows be about the owner whom the flag names.
func (a *App) selectOwner(name string) error {
	folder, err := a.Registry().Select(name, a.Now())
	if err != nil {
		return err
	}
	a.Config = a.Config.For(folder.Name, folder.Path)
	return nil
}

// Version is KOTA's, as CHANGELOG.md has it.
const Version = "0.1.0"

// Owner is under which name everything is kept of the one person that a home is of.
// It is also who started KOTA, or has its token: others have a folder each, see tenant.Registry.
const Owner = "local"

// ForOwner returns the app that serves an owner beside this one.
func (a *App) ForOwner(folder tenant.Folder) *App {
	return &App{
		Env: a.Env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: a.Stderr}, Flags: a.Flags,
		Config: a.Config.For(folder.Name, folder.Path), Log: a.Log.With("owner", folder.Name), loaded: true,
		Poster: a.Poster,
	}
}
