package google_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/internal/google"
	"kota/metadata"
)

var people = []google.Account{{Name: "home", Address: "ann@example.com"}, {Name: "work", Address: "ann@work.example"}, {Name: "new"}}

func listPeople() ([]google.Account, error) { return people, nil }

func TestFindAccountByNameOrAddress(t *testing.T) {
	for name, want := range map[string]string{
		"": "home", "work": "work", "WORK": "work", "Ann@Work.Example": "work", "ann@example.com": "home", "new": "new",
	} {
		if got, err := google.FindAccount(people, name); err != nil || got.Name != want {
			t.Errorf("%q: got %+v, %v", name, got, err)
		}
	}
	if got, err := google.FindAccount(nil, "work"); err != nil || got.Name != "work" {
		t.Errorf("with nobody signed in: %+v, %v", got, err)
	}
}

func TestUnknownAccountErrorListsAccounts(t *testing.T) {
	for name, want := range map[string]string{"wrok": "work", "\x1b[2J": "", "*": ""} {
		_, err := google.FindAccount(people, name)
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) || e.Code != metadata.ValidationError || e.Hint == "" || len(e.Problems) != 1 || e.Problems[0].Path != "account" {
			t.Fatalf("%q: got %v", name, err)
		}
		if e.Problems[0].Suggestion != want || strings.Contains(e.Problems[0].Got, "\x1b") {
			t.Errorf("%q: got the problem %+v", name, e.Problems[0])
		}
	}
}

func TestCursorIsValidForItsAccountOnly(t *testing.T) {
	for _, c := range []struct {
		own, asked string
		want       bool
	}{
		{"home", "", true}, {"work", "", true}, {"*", "", true}, {"home", "ann@example.com", true}, {"*", "*", true},
		{"home", "work", false}, {"home", "*", false}, {"*", "home", false},
	} {
		err := google.CheckCursor(people, c.own, c.asked, nil)
		if (err == nil) != c.want || err != nil && metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("begun in %q, gone on in %q: %v", c.own, c.asked, err)
		}
	}
	bad := metadata.Errorf(metadata.ValidationError, "no cursor")
	for _, asked := range []string{"", "gone", "home", "*"} {
		for _, list := range [][]google.Account{people, nil} {
			if err := google.CheckCursor(list, "gone", asked, bad); err != error(bad) {
				t.Errorf("somebody else's, gone on in %q of %v: %v", asked, list, err)
			}
		}
	}
}

func TestAccountKeyIsItsAddress(t *testing.T) {
	if got := []string{people[0].Key(), people[2].Key()}; !slices.Equal(got, []string{"ann@example.com", "new"}) {
		t.Errorf("got %q", got)
	}
}

// readIn reads in the accounts. open and do return these errors, by account.
func readIn(t *testing.T, name string, opening, doing map[string]error) ([]string, []google.AccountError, error) {
	t.Helper()
	open := func(ctx context.Context, name string) (string, error) {
		if end, ok := ctx.Deadline(); !ok || time.Until(end) > 30*time.Second {
			t.Errorf("%q is opened with no end", name)
		}
		return "mail of " + name, opening[name]
	}
	return google.InAccounts(t.Context(), listPeople, name, open, func(_ context.Context, m string) (string, error) {
		if doing[m] != nil && doing[m].Error() == "panic" {
			panic("at the disco")
		}
		return m, doing[m]
	})
}

func TestOtherAccountsAnswerWhenOneFails(t *testing.T) {
	for _, c := range []struct{ opening, doing map[string]error }{
		{opening: map[string]error{"work": metadata.Errorf(metadata.SignInRequired, "expired").WithHint("Sign in.")}},
		{doing: map[string]error{"mail of work": metadata.Errorf(metadata.SignInRequired, "expired").WithHint("Sign in.")}},
	} {
		answers, failed, err := readIn(t, google.AllAccounts, c.opening, c.doing)
		if err != nil || !slices.Equal(answers, []string{"mail of home", "mail of new"}) {
			t.Errorf("got %q, %v", answers, err)
		}
		if want := []google.AccountError{{Account: "work", Code: metadata.SignInRequired, Message: "expired", Hint: "Sign in."}}; !cmp.Equal(failed, want) {
			t.Error(cmp.Diff(want, failed))
		}
	}
}

func TestAllAccountsFailing(t *testing.T) {
	refused := func(why string) error { return metadata.Errorf(metadata.Refused, "%s", why) }
	_, _, err := readIn(t, google.AllAccounts, map[string]error{"home": refused("first"), "work": refused("second"), "new": refused("third")}, nil)
	if err == nil || !strings.Contains(err.Error(), "first") {
		t.Errorf("of all: %v", err)
	}
	if _, _, err := readIn(t, "work", map[string]error{"work": refused("second")}, nil); err == nil || !strings.Contains(err.Error(), "second") {
		t.Errorf("of one: %v", err)
	}
	_, _, err = google.InAccounts(t.Context(), func() ([]google.Account, error) { return nil, nil }, google.AllAccounts,
		func(_ context.Context, name string) (string, error) { return "", refused("sign in as " + name) },
		func(context.Context, string) (string, error) { return "", nil })
	if err == nil || !strings.Contains(err.Error(), "sign in as ") {
		t.Errorf("of nobody: %v", err)
	}
}

func TestPanicFailsTheWholeCall(t *testing.T) {
	for _, fault := range []string{"panic", "no code"} {
		answers, failed, err := readIn(t, google.AllAccounts, nil, map[string]error{"mail of work": errors.New(fault)})
		if err == nil || metadata.CodeOf(err) == metadata.Refused || answers != nil || failed != nil {
			t.Errorf("%s: got %q, %v, %v", fault, answers, failed, err)
		}
	}
}

func TestInAnyAccountReturnsFirstSuccess(t *testing.T) {
	open := func(_ context.Context, name string) (string, error) { return name, nil }
	one := func(_ context.Context, name string) (string, error) {
		if name != "work" {
			return "", metadata.Errorf(metadata.NotFound, "not in %s", name)
		}
		return "found at " + name, nil
	}
	for name, want := range map[string]string{"*": "found at work", "work": "found at work", "home": ""} {
		got, err := google.InAnyAccount(t.Context(), listPeople, name, open, one)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v", name, got, err)
		}
	}
}
