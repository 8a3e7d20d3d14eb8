package auth_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kota/auth"
)

func TestSignInMergesGrantsOnlyWithAddOrFirst(t *testing.T) {
	w := newMachine(t)
	for _, c := range []struct {
		name    string // of the account
		unnamed bool   // the sign-in does not know the name
		add     bool
		want    bool
	}{
		{"ann", false, false, true}, // no account has that name
		{"bob", false, false, true},
		{"ann", false, false, false},
		{"ann", true, false, false},
		{"eve", true, false, false}, // it might be ann again, or bob
		{"ann", false, true, true},
		{"ann", true, true, true},
	} {
		l := w.login(c.name)
		l.Add = c.add
		if c.unnamed {
			l.Account = ""
		}
		if _, err := w.Login(t.Context(), l); err != nil || w.merged != c.want {
			t.Errorf("%+v: merged is %v, %v", c, w.merged, err)
		}
	}
	w = newMachine(t) // without any account
	l := w.login("ann")
	l.Account = ""
	if _, err := w.Login(t.Context(), l); err != nil || !w.merged {
		t.Errorf("the first of all: merged is %v, %v", w.merged, err)
	}
}

func TestSecondSignInKeepsAccount(t *testing.T) {
	w := newMachine(t)
	first := w.signInAs("ann")
	w.advance(time.Hour)
	t.Run("and its refresh token where Google gives none", func(t *testing.T) {
		w.withhold = true
		again := w.signInAs("ann")
		if !again.SignedIn.After(first.SignedIn) || len(w.names()) != 1 {
			t.Errorf("got %+v", again)
		}
		w.expire()
		if body, err := w.get("ann"); body != "hello" || err != nil {
			t.Errorf("got %q, %v", body, err)
		}
		w.withhold = false
	})
	t.Run("under the name it has, and the hint is its address", func(t *testing.T) {
		hint := ""
		l := w.login("")
		l.Account = "ANN@example.com"
		l.FindAddress = func(context.Context, *http.Client) (string, error) { return "Ann@example.com", nil }
		open := l.Browser
		l.Browser = func(page string) error {
			u, err := url.Parse(page)
			hint = u.Query().Get("login_hint")
			return errors.Join(err, open(page))
		}
		account, err := w.Login(t.Context(), l)
		if err != nil || account.Name != "ann" || hint != "ann@example.com" {
			t.Errorf("got %+v with the hint %q, %v", account, hint, err)
		}
		l.Account = ""
		if account, err := w.Login(t.Context(), l); err != nil || account.Name != "ann" {
			t.Errorf("without a name: got %+v, %v", account, err)
		}
	})
	t.Run("but not for somebody else", func(t *testing.T) {
		before := read(t, filepath.Join(w.home, "tokens", "ann.json"))
		l := w.login("ann")
		l.FindAddress = func(context.Context, *http.Client) (string, error) { return "bob@example.com", nil }
		if _, err := w.Login(t.Context(), l); !isA[*auth.OtherAddressError](err) {
			t.Errorf("got %v", err)
		}
		l.FindAddress = failToFindAddress
		if _, err := w.Login(t.Context(), l); !errors.Is(err, errTest) {
			t.Errorf("got %v", err)
		}
		if read(t, filepath.Join(w.home, "tokens", "ann.json")) != before {
			t.Error("the account has changed")
		}
	})
}

// It is unknown to which person the old refresh token belongs. Tokens of two people must not
// end up in one account.
func TestRefreshTokenIsKeptOnlyForSamePerson(t *testing.T) {
	w := newMachine(t)
	l := w.login("ann")
	l.FindAddress = nil
	for _, withhold := range []bool{false, true} {
		w.withhold = withhold
		if _, err := w.Login(t.Context(), l); errors.Is(err, auth.ErrNoRefreshToken) != withhold {
			t.Errorf("got %v", err)
		}
	}
}

func TestNamedAccountNeedsNoAddress(t *testing.T) {
	w := newMachine(t)
	l := w.login("work")
	var said []string
	l.FindAddress, l.Say = failToFindAddress, func(s string) { said = append(said, s) }
	account, err := w.Login(t.Context(), l)
	if err != nil || account.Name != "work" || account.Address != "" || len(said) != 1 {
		t.Errorf("got %+v, %v, and it said %q", account, err, said)
	}
}

func TestSignInRenamesDamagedFile(t *testing.T) {
	for name, spoil := range damages {
		t.Run(name, func(t *testing.T) {
			w := newMachine(t)
			w.signInAs("ann")
			file := filepath.Join(w.home, "tokens", "ann.json")
			spoil(t, file)
			before, err := os.Readlink(file)
			if err != nil {
				before = read(t, file)
			}
			if account := w.signInAs("ann"); account.Problem != nil {
				t.Errorf("got %v", account.Problem)
			}
			kept, _ := filepath.Glob(file + ".bad-20260314T090000Z")
			if len(kept) != 1 {
				t.Fatalf("kept %v", kept)
			}
			after, err := os.Readlink(kept[0])
			if err != nil {
				after = read(t, kept[0])
				if info, err := os.Stat(kept[0]); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("it is kept with %v, %v", info.Mode(), err)
				}
			}
			if after != before {
				t.Errorf("it was %q, and is kept as %q", before, after)
			}
			if body, err := w.get("ann"); body != "hello" || err != nil {
				t.Errorf("got %q, %v", body, err)
			}
		})
	}
}
