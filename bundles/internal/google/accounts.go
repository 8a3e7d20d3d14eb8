package google

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// Account is a signed-in Google account.
type Account struct {
	Name    string // the user's name for it
	Address string // its mail address; "" if not known yet
}

// AllAccounts is the name that stands for all accounts at once.
const AllAccounts = "*"

// Key returns the key under which the account's rows are stored: the mail
// address, or the name if the address is unknown. With the address as the key,
// another account that later gets the same name has none of these rows.
func (a Account) Key() string {
	if a.Address != "" {
		return a.Address
	}
	return a.Name
}

// FindAccount returns the account of the list with that name or address,
// ignoring case. "" stands for the first account, which is the default. If
// nobody is signed in, it returns an account with that name, and opening it
// says how to sign in. If somebody is signed in, it returns VALIDATION_ERROR
// for AllAccounts and for an unknown account. The error for an unknown account
// lists the existing accounts.
func FindAccount(list []Account, name string) (Account, error) {
	if len(list) == 0 {
		return Account{Name: name}, nil
	}
	if name == "" {
		return list[0], nil
	}
	if name == AllAccounts {
		return Account{}, arguments.Invalid("account", "one account", strconv.Quote(name)).
			WithHint("\"*\" only works for reading: name one account, or omit it for the default one.")
	}
	known := []string{}
	for _, a := range list {
		if strings.EqualFold(a.Name, name) || strings.EqualFold(a.Address, name) {
			return a, nil
		}
		known = append(known, a.Name)
	}
	return Account{}, unknownAccount(name, known)
}

func unknownAccount(name string, known []string) error {
	problem := metadata.Problem{Path: "account", Expected: "one of " + strings.Join(known, ", "), Got: strconv.Quote(name)}
	if near := metadata.Nearest(name, known, 1); len(near) > 0 {
		problem.Suggestion = near[0]
	}
	e := metadata.Errorf(metadata.ValidationError, "no account %q is signed in", name).
		WithHint("Name one of these accounts, or omit account for the default one: %s.", strings.Join(known, ", "))
	e.Problems = []metadata.Problem{problem}
	return e
}

// AccountName returns the name of the account that FindAccount finds, or
// AllAccounts for AllAccounts.
func AccountName(list []Account, name string) (string, error) {
	if name == AllAccounts {
		return name, nil
	}
	account, err := FindAccount(list, name)
	return account.Name, err
}

// CheckCursor returns nil if a cursor from origin may continue in requested:
// they must be the same account, or requested must be "". Either can be
// AllAccounts. Otherwise it returns VALIDATION_ERROR. If origin is an account
// that is not in the list, it returns badCursor. The cursor may then belong to
// somebody else, so the error must not reveal its content.
func CheckCursor(list []Account, origin, requested string, badCursor *metadata.Error) error {
	if origin != AllAccounts && !slices.ContainsFunc(list, func(a Account) bool { return a.Name == origin }) {
		return badCursor
	}
	if requested == "" {
		return nil
	}
	requested, err := AccountName(list, requested)
	if err != nil || requested == origin {
		return err
	}
	return arguments.Invalid("cursor", "one of the account "+strconv.Quote(requested), "one of "+strconv.Quote(origin)).
		WithHint("Omit account to continue with the cursor, or omit the cursor to start again in this account.")
}

// AccountError is the error of one of several accounts.
type AccountError struct {
	Account string        `json:"account"`
	Code    metadata.Code `json:"error"`
	Message string        `json:"message"`
	Hint    string        `json:"hint,omitempty"`
}

// readTimeout is the time limit for a read in the accounts, however many requests
// it sends. People wait for the answer, and clients give up on a call after a
// minute.
const readTimeout = 30 * time.Second

// InAccounts reads in the account of that name, or in every account
// concurrently for AllAccounts, within 30 seconds. In each account it calls
// open, for a mailbox or a calendar, and then do. The answers are in the order
// of the accounts. For a named account, InAccounts returns that account's error.
// For AllAccounts, it lists the errors of the accounts that failed. If all
// failed, it returns the error of the first account. It always returns an error
// that is not a *metadata.Error, for example the error of a panic.
func InAccounts[D, T any](ctx context.Context, accounts func() ([]Account, error), name string,
	open func(context.Context, string) (D, error), do func(context.Context, D) (T, error),
) ([]T, []AccountError, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	if name != AllAccounts {
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
		list = []Account{{}} // opening it says how to sign in
	}
	answers, errs := make([]T, len(list)), make([]error, len(list))
	group := panicsafe.New(len(list))
	for i, account := range list {
		group.Go(func() error {
			var d D
			if d, errs[i] = open(ctx, account.Name); errs[i] == nil {
				answers[i], errs[i] = do(ctx, d)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err // a panic
	}
	return gather(list, answers, errs)
}

// InAnyAccount is InAccounts for what only one account can do, such as reading a
// message. For AllAccounts it returns the answer of the first account that
// can.
func InAnyAccount[D, T any](ctx context.Context, accounts func() ([]Account, error), name string,
	open func(context.Context, string) (D, error), do func(context.Context, D) (T, error),
) (T, error) {
	answers, _, err := InAccounts(ctx, accounts, name, open, do)
	if err != nil {
		var none T
		return none, err
	}
	return answers[0], nil
}

// gather separates the accounts' answers from their errors.
func gather[T any](list []Account, answers []T, errs []error) ([]T, []AccountError, error) {
	var succeeded []T
	var failed []AccountError
	for i, err := range errs {
		if err == nil {
			succeeded = append(succeeded, answers[i])
			continue
		}
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) {
			return nil, nil, err
		}
		failed = append(failed, AccountError{Account: list[i].Name, Code: e.Code, Message: e.Message, Hint: e.Hint})
	}
	if len(succeeded) == 0 {
		return nil, nil, errs[0]
	}
	return succeeded, failed, nil
}
