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
)

// buildBundle returns the bundle that construct makes. If construct panics, which is a
// bug in KOTA, only this bundle is marked broken.
func (a *App) buildBundle(key string, construct func() bundles.Bundle) (b bundles.Bundle) {
	defer func() {
		if p := recover(); p != nil {
			fault := entrypoint.ReportPanic(slog.New(slog.NewTextHandler(a.Stderr, nil)), "bundle "+key, p)
			about := metadata.Bundle{Key: key, Name: key, Description: "The bundle could not be started", Category: metadata.Core, Tags: []string{}}
			b = bundles.Broken(about, pipeline.InternalErrorReason(key, fault))
		}
	}()
	return construct()
}

// healthProblem says what keeps a bundle from working now and what to do, or ""
// if no problem is known.
func (a *App) healthProblem(key string) string {
	i := slices.IndexFunc(a.Bundles(), func(b bundles.Bundle) bool { return b.Key == key })
	if i < 0 {
		return ""
	}
	if needsAccount(a.Bundles()[i]) {
		return a.accountsProblem()
	}
	return a.DatabaseProblem()
}

// accountsProblem says why no Google account can be used, or "" if one can.
func (a *App) accountsProblem() string {
	all, err := a.Accounts().List()
	if err != nil {
		return signin.ProblemOf(err).String()
	}
	hint := a.SignInHint()
	for i, account := range all {
		t := a.accountProblem(account)
		if t.Problem == "" {
			return ""
		}
		if i == 0 {
			hint = fmt.Sprintf("the account %s: %s", account.Name, t)
		}
	}
	return hint
}

// DatabaseProblem says why the database cannot be used, or "" if it can be used
// or does not exist yet. A server must also accept writes now. It does not retry within retryAfter of a failure and
// waits at most maxWait. Calls that do not need the database are thus answered
// even if another program has locked the file.
func (a *App) DatabaseProblem() string {
	const (
		retryAfter = 5 * time.Second
		maxWait    = time.Second
	)
	at, err := a.database.lastFailure()
	if err == nil || time.Since(at) > retryAfter {
		if !a.HasDatabase() {
			return ""
		}
		ctx, cancel := context.WithTimeout(context.Background(), maxWait)
		defer cancel()
		db := Database(nil)
		if db, err = a.OpenDB(ctx); err == nil {
			err = a.database.checkServer(ctx, db)
		}
	}
	switch {
	case err == nil:
		return ""
	case a.Config.HasServer() && errors.Is(err, context.DeadlineExceeded):
		return a.DescribeDatabase() + " does not answer: calls wait up to 15 seconds for it. Run `kota doctor`"
	case a.Config.HasServer():
		return fmt.Sprintf("%v. Run `kota doctor`: it says what to do", err)
	case errors.Is(err, context.DeadlineExceeded):
		return "another program has locked the database, or the disk is slow: calls wait up to 30 seconds for it. Run `kota doctor`, or stop that program"
	}
	return fmt.Sprintf("%v. Run `kota doctor`: it says how to repair it; nothing was overwritten", err)
}

// checkServer returns why the server of an open database accepts no writes now, or nil. It asks the
// server at most once in a second, because each search for actions wants to know.
func (d *opener) checkServer(ctx context.Context, db Database) error {
	if _, server := db.(ServerDatabase); !server {
		return nil
	}
	const validFor = time.Second
	d.mu.Lock()
	at, err := d.checkedAt, d.checked
	d.mu.Unlock()
	if time.Since(at) < validFor {
		return err
	}
	err = db.Writable(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checkedAt, d.checked = time.Now(), err
	return err
}
