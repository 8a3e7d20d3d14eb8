package google

import (
	"slices"
	"strconv"
	"strings"

	"kota/bundles/internal/arguments"
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
