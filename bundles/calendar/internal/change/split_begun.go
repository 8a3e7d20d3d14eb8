package change

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/series"
	"kota/metadata"
)

// keepSplit stores the undo record of a split and returns its id. Further tries update the
// same record.
func keepSplit(ctx context.Context, a *agenda.Agenda, k series.SplitRecord, title string) (undo string, err error) {
	list, err := series.Splits(ctx, a.Undos())
	if err != nil {
		return "", err
	}
	for _, one := range list {
		if one.Made == k.Made && one.Account == a.Account.Key() {
			return one.Undo, a.Undos().Amend(ctx, one.Undo, title, k)
		}
	}
	return a.Undos().Save(ctx, a.Account.Key(), title, series.UndoKind, k)
}

// digest identifies what a call asks for.
func (in UpdateArgs) digest() (string, error) {
	in.DryRun = false
	text, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("write the call: %w", err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:]), nil
}

// dividedAlready answers a repeat of a call that has already divided the series. Otherwise
// it returns the error of the missing instance.
func dividedAlready(ctx context.Context, a *agenda.Agenda, in UpdateArgs, t *series.Target, missing *series.MissingInstance) (Answer, error) {
	asked, err := in.digest()
	if err != nil {
		return Answer{}, err
	}
	if missing.Split == nil || missing.Split.Asked != asked {
		return Answer{}, missing
	}
	done := missing.Split
	made, err := a.Get(ctx, t.Calendar.Id, done.Made)
	if err != nil {
		return Answer{}, series.NoEvent(err, done.Made)
	}
	if !done.Done {
		done.Done = true
		one := *made
		t.One = &one
		if err := a.Undos().Amend(ctx, done.Undo, done.Title(t), done.SplitRecord); err != nil {
			return Answer{}, err
		}
	}
	out := Answer{Status: "unchanged", Timezone: t.Zone.String(), Undo: done.Undo, Earlier: t.Row(ctx, t.Series), EarlierEnd: t.Series.Recurrence}
	out.note("this call was done before: the series is divided already")
	out.show(ctx, t, made)
	return out, nil
}

// endedAlready reports whether a deletion of the following instances has nothing left
// to do: the series has no instance at or after the missing one, and KOTA knows of no
// later series that was split off it.
func endedAlready(missing *series.MissingInstance, scope string) bool {
	return scope == series.ScopeFollowing && missing.Over && missing.Split == nil && metadata.CodeOf(missing) == metadata.NotFound
}
