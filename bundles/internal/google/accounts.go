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

// An Account is a Google account that is signed in.
type Account struct {
	Name    string // as the user calls it
	Address string // its mail address; "" while it is not known
}

// EveryAccount is the name that asks for all accounts at once.
const EveryAccount = "*"

// Key is what the account's rows are kept under: the mail address, so that
// another account of the same name has none of them, or the name while the
// address is not known.
func (a Account) Key() string {
	if a.Address != "" {
		return a.Address
	}
	return a.Name
}

// FindAccount returns the account of the list that a name or an address means,
// in whatever case; "" is the first, which is the default one. With nobody
// signed in it returns the account as it is called: whoever opens it says how
// to sign in. It answers VALIDATION_ERROR, naming the accounts there are, for an
// unknown one, and for EveryAccount, which is no account.
func FindAccount(list []Account, name string) (Account, error) {
	if len(list) == 0 {
		return Account{Name: name}, nil
	}
	if name == "" {
		return list[0], nil
	}
	if name == EveryAccount {
		return Account{}, arguments.Invalid("account", "one account", strconv.Quote(name)).
			WithHint("\"*\" is for reads: name one account, or leave it out for the default one.")
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
		WithHint("Name one of these accounts, or leave account out for the default one: %s.", strings.Join(known, ", "))
	e.Problems = []metadata.Problem{problem}
	return e
}

// AccountName returns the name of the account that FindAccount finds; it is
// EveryAccount for EveryAccount.
func AccountName(list []Account, name string) (string, error) {
	if name == EveryAccount {
		return name, nil
	}
	account, err := FindAccount(list, name)
	return account.Name, err
}

// CheckCursor returns nil when a cursor that was begun in the account of the
// name own, or in every account, may go on in the one that is asked for: that
// is the same, or none is named. Otherwise it answers VALIDATION_ERROR, and bad
// where own is not of the list: the cursor may be somebody else's, and then nothing
// that is in it is told.
func CheckCursor(list []Account, own, asked string, bad *metadata.Error) error {
	if own != EveryAccount && !slices.ContainsFunc(list, func(a Account) bool { return a.Name == own }) {
		return bad
	}
	if asked == "" {
		return nil
	}
	asked, err := AccountName(list, asked)
	if err != nil || asked == own {
		return err
	}
	return arguments.Invalid("cursor", "one of the account "+strconv.Quote(asked), "one of "+strconv.Quote(own)).
		WithHint("Leave out account to go on with the cursor, or leave out the cursor to begin anew in the account.")
}

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

// gather separates the accounts' answers from their errors.
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
