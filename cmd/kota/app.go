package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/term"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
	"kota/store"
)

// An app is one run of the program: what it was given, and what its commands
// share. Everything is made when a command first needs it.
type app struct {
	env            func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
	flags          configFlags

	config Config
	log    *slog.Logger
	loaded bool

	constructing sync.Once
	all          []bundles.Bundle

	opening sync.Once
	db      *store.DB
	dbErr   error
}

// load reads the configuration, once.
func (a *app) load() error {
	if a.loaded {
		return nil
	}
	config, err := loadConfig(a.env, a.flags, known(a.bundles()))
	if err != nil {
		return err
	}
	a.config, a.loaded = config, true
	a.log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: config.Log}))
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
	r, err := entrypoint.New(entrypoint.Options{Bundles: all, Policy: a.policy(), Log: a.log, Confirm: a.confirm()})
	if err != nil {
		return nil, usagef("%s: %v", a.configName(), err)
	}
	return r, nil
}

func (a *app) policy() entrypoint.Policy {
	profile := a.config.Profiles[a.config.Profile]
	return entrypoint.Policy{
		Profile: a.config.Profile, Effects: profile.Effects, Bundles: profile.Bundles, Actions: profile.Actions,
		Send: entrypoint.Gate(a.config.Send), Destroy: entrypoint.Gate(a.config.Destroy),
	}
}

// configName is what messages call the configuration.
func (a *app) configName() string {
	if a.config.File == "" {
		return "the built-in bundles.yaml"
	}
	return a.config.File
}

// openDB opens kota.db on the first call and returns the same on every other.
func (a *app) openDB(ctx context.Context) (*store.DB, error) {
	a.opening.Do(func() {
		// The first caller's deadline is not everybody's.
		ctx := context.WithoutCancel(ctx)
		a.db, a.dbErr = store.Open(ctx, a.dbPath(), store.Options{Now: a.config.Now, Logger: a.log, Version: version})
	})
	return a.db, a.dbErr
}

func (a *app) dbPath() string { return filepath.Join(a.config.Home, "kota.db") }

// openSoon opens a database that exists once the client has been told what it
// can call, which it waits for, and before a model has thought of a call: the
// first one does not wait, and a broken file is reported at the start.
func (a *app) openSoon() {
	const afterHello = 100 * time.Millisecond
	if _, err := os.Stat(a.dbPath()); err != nil {
		return
	}
	time.AfterFunc(afterHello, func() {
		if _, err := a.openDB(context.Background()); err != nil && !errors.Is(err, store.ErrClosed) {
			a.log.Error("open database", "path", a.dbPath(), "cause", err)
		}
	})
}

func (a *app) close() {
	a.opening.Do(func() { a.dbErr = store.ErrClosed })
	if a.db != nil {
		_ = a.db.Close()
	}
}

// printJSON writes v on stdout: indented for people, on one line for programs.
func (a *app) printJSON(v any) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	if isTerminal(a.stdout) {
		encoder.SetIndent("", "  ")
	}
	return encoder.Encode(v)
}

// isTerminal reports whether a person is at the other end of a stream.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// everyBundle are the descriptions of all bundles there are, as if on.
func everyBundle(all []bundles.Bundle) []metadata.Bundle {
	descriptions := make([]metadata.Bundle, 0, len(all))
	for _, b := range all {
		b.Bundle.Enabled = true
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
func known(all []bundles.Bundle) []knownBundle {
	names := make([]knownBundle, 0, len(all))
	for _, b := range all {
		k := knownBundle{Key: b.Key}
		for _, action := range b.Actions {
			k.Tools = append(k.Tools, action.Tool)
		}
		names = append(names, k)
	}
	return names
}
