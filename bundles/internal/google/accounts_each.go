package google

import (
	"context"
	"errors"
	"time"

	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// An AccountError says what went wrong with one of several accounts.
type AccountError struct {
	Account string        `json:"account"`
	Code    metadata.Code `json:"error"`
	Message string        `json:"message"`
	Hint    string        `json:"hint,omitempty"`
}

// readTime bounds what a read does in the accounts, whatever it asks of Google:
// people wait for the answer, and clients give up on a call after a minute.
const readTime = 30 * time.Second

// InAccounts reads in the account of that name, or in every account at the same
// time for EveryAccount, within 30 seconds: it opens what is read, a mailbox or
// a calendar, and does the same in each. The answers are in the order of the
// accounts. With one account its error is returned; of several, those that
// failed are listed, unless all did: then the error is the first one's. An
// error that is no *metadata.Error, as of a panic, is returned in any case.
func InAccounts[D, T any](ctx context.Context, accounts func() ([]Account, error), name string,
	open func(context.Context, string) (D, error), do func(context.Context, D) (T, error),
) ([]T, []AccountError, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	if name != EveryAccount {
		d, err := open(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		answer, err := do(ctx, d)
		return []T{answer}, nil, err
	}
	list, err := accounts()
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 0 {
		list = []Account{{}} // whose opening says how to sign in
	}
	answers, errs := make([]T, len(list)), make([]error, len(list))
	all := panicsafe.New(len(list))
	for i, account := range list {
		all.Go(func() error {
			var d D
			if d, errs[i] = open(ctx, account.Name); errs[i] == nil {
				answers[i], errs[i] = do(ctx, d)
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, nil, err // a panic
	}
	return gather(list, answers, errs)
}

// InWhichever is InAccounts for what only one account can do, as with a message
// that only one has: for EveryAccount the answer is that of the first that can.
func InWhichever[D, T any](ctx context.Context, accounts func() ([]Account, error), name string,
	open func(context.Context, string) (D, error), do func(context.Context, D) (T, error),
) (T, error) {
	answers, _, err := InAccounts(ctx, accounts, name, open, do)
	if err != nil {
		var none T
		return none, err
	}
	return answers[0], nil
}

// gather separates the answers of the accounts that gave one from the errors
// of the others.
func gather[T any](list []Account, answers []T, errs []error) ([]T, []AccountError, error) {
	var given []T
	var failed []AccountError
	for i, err := range errs {
		if err == nil {
			given = append(given, answers[i])
			continue
		}
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) {
			return nil, nil, err
		}
		failed = append(failed, AccountError{Account: list[i].Name, Code: e.Code, Message: e.Message, Hint: e.Hint})
	}
	if len(given) == 0 {
		return nil, nil, errs[0]
	}
	return given, failed, nil
}
