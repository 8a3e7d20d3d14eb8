// Package undo lists what can be undone in the enabled bundles. It undoes a change
// with the undo action of its bundle. Begin with Do and List.
package undo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/contacts"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/diary"
	memorystore "kota/store/tables/memory"
	undostore "kota/store/tables/undo"
)

// Do undoes a change. It calls the undo action of the change's bundle with the
// same checks, questions and records as any other action that arrives by the channel. It
// returns the call and the JSON of its answer.
func Do(ctx context.Context, a *app.App, router *entrypoint.Router, by entrypoint.Channel, id string, overwrite bool) (*entrypoint.Call, []byte, error) {
	bundle, err := bundleOfUndo(ctx, a, id)
	if err != nil {
		return nil, nil, err
	}
	action, input := undoAction(a, bundle), map[string]any{"undo_id": id}
	if overwrite {
		if !slices.ContainsFunc(action.Input.Params(), func(p metadata.Param) bool { return p.Name == "overwrite" }) {
			return nil, nil, mistake.Errorf("--overwrite only works for changes of mail and of the calendar; %s belongs to %s", id, bundle)
		}
		input["overwrite"] = true
	}
	args, err := json.Marshal(input)
	if err != nil {
		return nil, nil, err
	}
	call := &entrypoint.Call{Channel: by, Tool: action.Tool, Args: args}
	_, text, err := router.Answer(ctx, call)
	return call, text, withUnknownHint(err, bundle)
}

// undoAction returns the action that undoes changes of a bundle. It panics if
// there is none.
func undoAction(a *app.App, bundle string) bundles.Action {
	for _, b := range a.Bundles() {
		for _, action := range b.Actions {
			if b.Key == bundle && action.Undoes {
				return action
			}
		}
	}
	panic("nothing undoes changes of " + bundle)
}

// bundleOfUndo returns the bundle of the change with that undo id.
func bundleOfUndo(ctx context.Context, a *app.App, id string) (string, error) {
	switch {
	case memory.Undoes(id):
		return "memory", nil
	case daily.Undoes(id):
		return "daily", nil
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return "", err
	}
	bundle, err := undostore.BundleOf(ctx, db, app.Owner, id)
	if errors.Is(err, store.ErrNotFound) {
		return "", metadata.Errorf(metadata.NotFound, "there is no change %.60q to undo", id).WithHint(unknownHint)
	}
	return bundle, err
}

const unknownHint = "`kota undo` lists the last changes with their ids. Changes can be undone for 30 days."

// withUnknownHint replaces the hint of an error for an unknown change. The
// hints of memory and daily name a tool for models, which is of no use to a
// user.
func withUnknownHint(err error, bundle string) error {
	unknown := (*metadata.Error)(nil)
	if (bundle != "memory" && bundle != "daily") || !errors.As(err, &unknown) || unknown.Code != metadata.NotFound {
		return err
	}
	hinted := *unknown
	return hinted.WithHint(unknownHint)
}

// List returns the last changes of the enabled bundles, at most limit, newest
// first.
func List(ctx context.Context, a *app.App, limit int) ([]bundles.Undoable, error) {
	if err := a.Load(); err != nil {
		return nil, err
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return nil, err
	}
	all := []bundles.Undoable{}
	for _, source := range []struct {
		bundle string
		read   func() ([]bundles.Undoable, error)
	}{
		{"memory", func() ([]bundles.Undoable, error) {
			return memory.Undoable(ctx, memorystore.New(db, app.Owner), limit)
		}},
		{"daily", func() ([]bundles.Undoable, error) {
			return daily.Undoable(ctx, diary.New(db, app.Owner), limit)
		}},
		{"gmail", func() ([]bundles.Undoable, error) { return gmail.Undoable(ctx, a.MailDeps(), limit) }},
		{"calendar", func() ([]bundles.Undoable, error) { return calendar.Undoable(ctx, a.CalendarDeps(), limit) }},
		{"contacts", func() ([]bundles.Undoable, error) { return contacts.Undoable(ctx, a.ContactsDeps(), limit) }},
	} {
		if !a.Config.Bundles[source.bundle].Enabled {
			continue
		}
		changes, err := source.read()
		if err != nil {
			return nil, err
		}
		all = append(all, changes...)
	}
	slices.SortStableFunc(all, func(x, y bundles.Undoable) int { return y.At.Compare(x.At) })
	all = all[:min(limit, len(all))]
	for i := range all {
		all[i].At = all[i].At.In(a.Zone()).Truncate(time.Second)
	}
	return all, nil
}

// Print prints a line for each change.
func Print(a *app.App, changes []bundles.Undoable) error {
	if len(changes) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "There is nothing to undo.")
		return err
	}
	rows := [][]string{}
	for _, c := range changes {
		rows = append(rows, []string{c.ID, c.At.Format("2006-01-02 15:04"), c.Bundle, c.Account, c.Title})
	}
	return a.PrintTable(rows)
}
