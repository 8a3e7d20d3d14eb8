package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"kota/bundles"
	"kota/cmd/kota/internal/signin"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/metadata"
	"kota/store/sqlite"
)

// made returns the bundle that construct makes. Where it panics, a fault of
// KOTA's, the bundle is broken and the others are none the worse.
func (a *App) made(key string, construct func() bundles.Bundle) (b bundles.Bundle) {
	defer func() {
		if p := recover(); p != nil {
			fault := entrypoint.Panicked(slog.New(slog.NewTextHandler(a.Stderr, nil)), "bundle "+key, p)
			about := metadata.Bundle{Key: key, Name: key, Description: "It could not be made", Category: metadata.Core, Tags: []string{}}
			b = bundles.Broken(about, pipeline.Misfit(key, fault))
		}
	}()
	return construct()
}

// trouble says what keeps a bundle from working now, and what to do; "" when
// nothing is known to.
func (a *App) trouble(key string) string {
	i := slices.IndexFunc(a.Bundles(), func(b bundles.Bundle) bool { return b.Key == key })
	if i < 0 {
		return ""
	}
	if needsAccount(a.Bundles()[i]) {
		return a.accountsTrouble()
	}
	return a.DatabaseTrouble()
}

// accountsTrouble says why no Google account can be used, "" when one can.
func (a *App) accountsTrouble() string {
	all, err := a.Accounts().List()
	if err != nil {
		return signin.TroubleOf(err).String()
	}
	said := a.SignInMissing()
	for i, account := range all {
		t := a.accountTrouble(account)
		if t.Problem == "" {
			return ""
		}
		if i == 0 {
			said = fmt.Sprintf("the account %s: %s", account.Name, t)
		}
	}
	return said
}

// DatabaseTrouble says why the database cannot be used, "" when it can, or is
// not there yet. One that could not be opened is not tried again for a while, and
// one that does not open is not waited for: who only looks at what there is, is
// answered while another program has the file.
func (a *App) DatabaseTrouble() string {
	const (
		while    = 5 * time.Second
		patience = time.Second
	)
	at, err := a.database.lastFailure()
	if err == nil || time.Since(at) > while {
		if sqlite.Absent(a.DbPath()) {
			return ""
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, err = a.OpenDB(ctx)
	}
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.DeadlineExceeded):
		return "another program has the database to itself, or the disk is slow: calls wait for it for half a minute. Run `kota doctor`, or end that program"
	}
	return fmt.Sprintf("%v. Run `kota doctor`: it says how to mend it; nothing was overwritten", err)
}
