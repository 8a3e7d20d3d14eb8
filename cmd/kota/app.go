package main

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
	"kota/metadata"
)

// An app is one run of the program: what it was given, and what its commands
// share. Everything is made when a command first needs it.
type app struct {
	term.Terminal
	env   func(string) string
	flags config.Flags

	config config.Config
	log    *slog.Logger
	loaded bool

	constructing sync.Once
	all          []bundles.Bundle
	serving      atomic.Pointer[entrypoint.Router] // that calls come by; nil before router

	poster     gmail.Poster // the zero one, which asks public addresses alone, but in tests
	database   database
	unfinished unfinished
	clock      userZone
	ledger     *entrypoint.Ledger // nil before router, and where nothing is counted
	meaning    *meaning           // nil before router, and where words alone find

	opening  sync.Once
	signedIn *auth.Accounts
	clients  sync.Map // of http.Clients as auth gives them: as the bundles get them
}

// load reads the configuration, once.
func (a *app) load() error {
	if a.loaded {
		return nil
	}
	config, err := config.Load(a.env, a.flags, known(a.bundles()))
	if err != nil {
		return err
	}
	a.config = config
	a.log = slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: config.Log}))
	if a.flags.Owner != "" {
		if err := a.selectOwner(a.flags.Owner); err != nil {
			return err
		}
	}
	a.loaded = true
	return nil
}

// router builds the router over the bundles as configured.
func (a *app) router() (*entrypoint.Router, error) {
	if err := a.load(); err != nil {
		return nil, err
	}
	all := slices.Clone(a.bundles())
	for i := range all {
		all[i].Enabled = a.config.Bundles[all[i].Key].Enabled
	}
	policy := a.policy()
	a.signInState(all, &policy)
	asking := a.asking()
	options := pipeline.Options{
		Bundles: all, Policy: policy, Log: a.log,
		Trouble: func(key string) string { return a.advise(a.trouble(key)) }, Advice: a.advise,
		Approve: asking.Approve, Told: asking.Told, Limit: a.limit,
		Known: a.knownBefore(), Now: a.now,
		Audit: a.recording(), Changes: a.changes,
	}
	a.count(&options)
	if a.meaning = a.newMeaning(policy); a.meaning != nil {
		options.Meaning = a.meaning.similarActions
	}
	r, err := pipeline.New(options)
	if err != nil {
		return nil, mistake.Errorf("%s: %v", a.config.Name(), err)
	}
	a.serving.Store(r)
	return r, nil
}

// do runs a command of that name. It contains a panic, waits for what must not be
// broken off, and closes what was opened.
func (a *app) do(ctx context.Context, name string, command func(context.Context) error) (err error) {
	defer a.unfinished.heed(ctx)()
	defer func() {
		if p := recover(); p != nil {
			err = entrypoint.Panicked(slog.New(slog.NewTextHandler(a.Stderr, nil)), name, p)
		}
		err = a.advised(errors.Join(err, a.finish(ctx)))
	}()
	return command(ctx)
}

// finish ends what serves nobody any more: what must not be broken off is waited
// for, within the bounds of unfinished.wait.
func (a *app) finish(ctx context.Context) error {
	a.unfinished.wait(ctx)
	a.meaning.close()
	a.flushUsage()
	return a.closeDB()
}

// everyBundle are the descriptions of all bundles there are, on or off as that
// configuration has them.
func (a *app) everyBundle(config config.Config) []metadata.Bundle {
	descriptions := make([]metadata.Bundle, 0, len(a.bundles()))
	for _, b := range a.bundles() {
		b.Bundle.Enabled = config.Bundles[b.Key].Enabled
		descriptions = append(descriptions, b.Bundle)
	}
	return descriptions
}

func (a *app) now() time.Time {
	if a.config.Now == nil {
		return time.Now()
	}
	return a.config.Now()
}

// known is what bundles.yaml may name.
func known(all []bundles.Bundle) []config.KnownBundle {
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

// registry is the folders of those whom the HTTP server serves.
func (a *app) registry() tenant.Registry { return tenant.NewRegistry(a.config) }

// selectOwner makes all that follows be about the owner whom the flag names.
func (a *app) selectOwner(name string) error {
	folder, err := a.registry().Select(name, a.now())
	if err != nil {
		return err
	}
	a.config = a.config.For(folder.Name, folder.Path)
	return nil
}

// version is KOTA's, as CHANGELOG.md has it.
const version = "0.1.0"

// owner is under which name everything is kept of the one person that a home is of.
// It is also who started KOTA, or has its token: see houses for others.
const owner = "local"

// forOwner returns the app that serves an owner beside this one.
func (a *app) forOwner(folder tenant.Folder) *app {
	return &app{
		env: a.env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: a.Stderr}, flags: a.flags,
		config: a.config.For(folder.Name, folder.Path), log: a.log.With("owner", folder.Name), loaded: true,
		poster: a.poster,
	}
}
