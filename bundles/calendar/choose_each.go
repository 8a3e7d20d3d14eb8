package calendar

import (
	"context"
	"errors"
	"time"

	"kota/bundles/internal/google"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// readTime bounds what a read does in several calendars.
const readTime = 30 * time.Second

// each reads every source at the same time. A source that fails does so for
// itself, and is listed, unless it is the only one or all fail: then the first
// one's error is returned. So is any that has no code, as of a panic.
func (s selection) each(ctx context.Context, read func(ctx context.Context, i int) error) ([]calendarError, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	errs := make([]error, len(s.sources))
	all := panicsafe.New(max(1, len(s.sources)))
	for i := range s.sources {
		all.Go(func() error {
			errs[i] = read(ctx, i)
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	var failed []calendarError
	for i, err := range errs {
		if err == nil {
			continue
		}
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) {
			return nil, err
		}
		from := s.sources[i]
		failed = append(failed, calendarError{
			Calendar: titleOf(from.entry), Account: from.accountIn(s), Code: e.Code, Message: e.Message, Hint: e.Hint, source: i,
			Provenance: from.set.whoseName(ctx, from.entry),
		})
	}
	if len(failed) == len(s.sources) && len(failed) > 0 {
		return nil, errs[0]
	}
	return failed, nil
}

// account is the name of the account, or that of every one.
func (s selection) account() string {
	if s.every {
		return google.EveryAccount
	}
	return s.sources[0].agenda.account.Name
}

// accountIn is the name of the source's account where there are several.
func (from source) accountIn(s selection) string {
	if !s.every {
		return ""
	}
	return from.agenda.account.Name
}
