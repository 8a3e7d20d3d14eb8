// Package app puts the program together: it opens the store and the accounts,
// builds the bundles, and builds the router over them. Only this package knows
// which bundles exist and where each stores its data.
//
// Everything is made when it is first needed. Do runs a command, then waits for
// the work that must not be interrupted. Begin with App; bundles.go has the
// list of bundles.
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
	"kota/cmd/kota/internal/footprint"
	"kota/cmd/kota/internal/metrics"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/tenant"
	"kota/cmd/kota/internal/term"
	"kota/cmd/kota/internal/tracing"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/usage"
	"kota/store/semantic/static"
)

// App is one run of the program for one owner: its input, and what its commands share.
// Everything is made when a command first needs it.
type App struct {
	term.Terminal
	Env   func(string) string
	Flags config.Flags

	Config config.Config
	Log    *slog.Logger
	loaded bool

	operator      *App // for the app of another owner: the one of the user who runs KOTA
	buildOnce     sync.Once
	bundles       []bundles.Bundle
	ServingRouter atomic.Pointer[entrypoint.Router] // the router that serves the calls; nil before Router is called

	Poster     gmail.Poster // its zero value sends requests only to public addresses; tests replace it
	database   opener
	server     *sharedServer // nil without a database server
	ownsServer bool          // this app closes the server
	Inflight   Inflight
	userZone   userZone
	usage      *usage.Counter   // nil before Router is called and if uses are not counted
	Semantic   *SemanticSearch  // nil before Router is called and if semantic search is off
	local      *static.Model    // nil until Load, and without search.model; all owners share it
	Metrics    *metrics.Metrics // of all owners; nil: none are kept
	Tracer     *tracing.Tracer  // of all owners; nil: no traces are sent

	accountsOnce  sync.Once
	accounts      *auth.Accounts
	googleClients sync.Map // maps each client of package auth to the wrapped client that bundles get
}

// Load reads the configuration, unless an earlier Load has succeeded.
func (a *App) Load() error {
	if a.loaded {
		return nil
	}
	config, err := config.Load(a.Env, a.Flags, KnownBundles(a.Bundles()))
	if err != nil {
		return err
	}
	a.Config = config
	if config.HasServer() {
		a.server, a.ownsServer = &sharedServer{}, true
	}
	a.Log = slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: config.Log}))
	if a.Flags.Owner != "" {
		if err := a.selectOwner(a.Flags.Owner); err != nil {
			return err
		}
	}
	if config.SearchModel != "" {
		a.local = static.New(config.SearchModel, footprint.Allow)
	}
	a.loaded = true
	return nil
}

// Router builds the router over the bundles as configured.
func (a *App) Router() (*entrypoint.Router, error) {
	if err := a.Load(); err != nil {
		return nil, err
	}
	configured := slices.Clone(a.Bundles())
	for i := range configured {
		configured[i].Enabled = a.Config.Bundles[configured[i].Key].Enabled
	}
	policy := a.Policy()
	a.addMissingScopes(configured, &policy)
	approver := a.Approver()
	options := pipeline.Options{
		Bundles: configured, Policy: policy, Log: a.Log,
		Problem: func(key string) string { return a.Advise(a.healthProblem(key)) }, Adviser: a,
		Approver: approver, Approvals: approver, Limiter: a, Contacts: a.correspondents(), FindPeople: a.peopleFinder(), Now: a.Now,
		Auditor: a.auditor(), CountCall: a.Metrics.CountCall, TimeCall: a.Metrics.TimeCall, Trace: a.Tracer.Call,
	}
	a.countUses(&options)
	if a.Semantic = a.newSemanticSearch(policy); a.Semantic != nil {
		options.SemanticSearch = a.Semantic.similarActions
	}
	r, err := pipeline.New(options)
	if err != nil {
		return nil, mistake.Errorf("%s: %v", a.Config.Name(), err)
	}
	a.ServingRouter.Store(r)
	return r, nil
}

// Do runs a command. It reports a panic under the command's name, waits for
// work that must not be interrupted, and closes what was opened.
func (a *App) Do(ctx context.Context, name string, command func(context.Context) error) (err error) {
	defer a.Inflight.NoteSignal(ctx)()
	defer func() {
		if p := recover(); p != nil {
			err = entrypoint.ReportPanic(slog.New(slog.NewTextHandler(a.Stderr, nil)), name, p)
		}
		err = a.adviseError(errors.Join(err, a.Finish(ctx)))
	}()
	return command(ctx)
}

// Finish ends a run. It waits for work that must not be interrupted, within the
// limits of Inflight.wait, and closes the database.
func (a *App) Finish(ctx context.Context) error {
	a.Inflight.wait(ctx)
	a.Semantic.close()
	a.flushUsage()
	return a.CloseDB()
}

// Policy returns what the chosen profile and the gates allow.
func (a *App) Policy() policy.Policy { return a.Config.PolicyOf(a.Config.Profile) }

// Now returns the time, or the time that KOTA_NOW fixes.
func (a *App) Now() time.Time {
	if a.Config.Now == nil {
		return time.Now()
	}
	return a.Config.Now()
}

// KnownBundles returns the bundles, tools and tags that bundles.yaml may name.
func KnownBundles(all []bundles.Bundle) []config.KnownBundle {
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

// Registry returns the folders of the HTTP server's tenants.
func (a *App) Registry() tenant.Registry { return tenant.NewRegistry(a.Config) }

// selectOwner switches the configuration to the folder of the named owner.
func (a *App) selectOwner(name string) error {
	folder, err := a.Registry().Select(name, a.Now())
	if err != nil {
		return err
	}
	a.Config = a.Config.ForOwner(folder.Name, folder.Path)
	return nil
}

// Version is KOTA's version, as in CHANGELOG.md.
const Version = "0.1.0"

// Owner is the owner name in the rows of every database. It is always the same,
// because each owner has a separate folder and database; see tenant.Registry.
const Owner = "local"

// ForOwner returns the app that serves another owner.
func (a *App) ForOwner(folder tenant.Folder) *App {
	return &App{
		Env: a.Env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: a.Stderr}, Flags: a.Flags,
		Config: a.Config.ForOwner(folder.Name, folder.Path), Log: a.Log.With("owner", folder.Name), loaded: true,
		Poster: a.Poster, local: a.local, Metrics: a.Metrics, Tracer: a.Tracer, server: a.server, operator: a,
	}
}
