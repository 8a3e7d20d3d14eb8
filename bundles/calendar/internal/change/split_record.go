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

// saveSplit stores the undo record of a split and returns its id. A repeated split
// updates the existing record.
func saveSplit(ctx context.Context, a *agenda.Agenda, k series.SplitRecord, title string) (undo string, err error) {
	list, err := series.Splits(ctx, a.Undos())
	if err != nil {
		return "", err
	}
	for _, one := range list {
		if one.NewSeries == k.NewSeries && one.Account == a.Account.Key() {
			return one.Undo, a.Undos().Amend(ctx, one.Undo, title, k)
		}
	}
	return a.Undos().Save(ctx, a.Account.Key(), title, series.UndoKind, k)
}

// digest returns a digest of the arguments, except for dry_run.
func (in UpdateArgs) digest() (string, error) {
	in.DryRun = false
	text, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("write the call: %w", err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:]), nil
}

// answerRepeatedSplit returns the answer of a call that repeats the call which split the
// series. For any other call it returns the error of the missing instance.
func answerRepeatedSplit(ctx context.Context, a *agenda.Agenda, in UpdateArgs, t *series.Target, missing *series.MissingInstanceError) (Answer, error) {
	digest, err := in.digest()
	if err != nil {
		return Answer{}, err
	}
	if missing.Split == nil || missing.Split.CallDigest != digest {
		return Answer{}, missing
	}
	done := missing.Split
	made, err := a.Get(ctx, t.Calendar.Id, done.NewSeries)
	if err != nil {
		return Answer{}, series.ErrNoEvent(err, done.NewSeries)
	}
	if !done.Done {
		done.Done = true
		one := *made
		t.Single = &one
		if err := a.Undos().Amend(ctx, done.Undo, done.Title(t), done.SplitRecord); err != nil {
			return Answer{}, err
		}
	}
	out := Answer{Status: "unchanged", Timezone: t.Zone.String(), Undo: done.Undo, Earlier: t.Row(ctx, t.Series), EarlierEnd: t.Series.Recurrence}
	out.addNotes("an earlier call already split the series, so nothing was done now")
	out.setEvent(ctx, t, made)
	return out, nil
}

// isAlreadyEnded reports whether a deletion of the following instances has nothing left to
// do. That is so if the series has no instance from the missing one on, and KOTA knows of
// no series that was split off there.
func isAlreadyEnded(missing *series.MissingInstanceError, scope string) bool {
	return scope == series.ScopeFollowing && missing.Ended && missing.Split == nil && metadata.CodeOf(missing) == metadata.NotFound
}
