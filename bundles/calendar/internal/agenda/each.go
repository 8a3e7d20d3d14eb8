package agenda

import (
	"context"
	"errors"
	"time"

	"kota/bundles/internal/google"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// readTimeout limits how long one call reads from its calendars.
const readTimeout = 30 * time.Second

// Each runs read for all sources at the same time and returns the errors of the sources
// that fail. If every source fails, Each returns only the first error. If a source fails
// with an error that has no code, for example after a panic, Each returns only that error.
func (s Selection) Each(ctx context.Context, read func(ctx context.Context, i int) error) ([]CalendarError, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	errs := make([]error, len(s.Sources))
	all := panicsafe.New(max(1, len(s.Sources)))
	for i := range s.Sources {
		all.Go(func() error {
			errs[i] = read(ctx, i)
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	var failed []CalendarError
	for i, err := range errs {
		if err == nil {
			continue
		}
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) {
			return nil, err
		}
		from := s.Sources[i]
		failed = append(failed, CalendarError{
			Calendar: Title(from.Entry), Account: from.AccountIn(s), Code: e.Code, Message: e.Message, Hint: e.Hint, Source: i,
			Provenance: from.Set.TitleProvenance(ctx, from.Entry),
		})
	}
	if len(failed) == len(s.Sources) && len(failed) > 0 {
		return nil, errs[0]
	}
	return failed, nil
}

// Account returns the name of the account, or "*" for every account.
func (s Selection) Account() string {
	if s.EveryAccount {
		return google.AllAccounts
	}
	return s.Sources[0].Agenda.Account.Name
}

// AccountIn returns the name of the source's account if the selection covers every account,
// else "".
func (from Source) AccountIn(s Selection) string {
	if !s.EveryAccount {
		return ""
	}
	return from.Agenda.Account.Name
}
