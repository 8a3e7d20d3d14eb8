package auth_test

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"kota/auth"
)

func TestEndedSignInAsksGoogleOnce(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.advance(8 * 24 * time.Hour)
	clear(w.refresh) // Google has ended the sign-in
	for range 3 {
		for _, err := range callTogether(32, func() error { _, err := w.get("ann"); return err }) {
			ended, ok := errors.AsType[*auth.ExpiredError](err)
			if !ok || ended.Account != "ann" || ended.Cause != auth.Revoked {
				t.Fatalf("got %v", err)
			}
			for _, cause := range []string{"ann", "Testing", "7 days", "removed", "password", "6 months", "100", "Sign in again"} {
				if !strings.Contains(err.Error(), cause) {
					t.Errorf("%q is not said in %v", cause, err)
				}
			}
		}
	}
	if n := w.count("refresh_token"); n != 1 {
		t.Errorf("%d token requests", n)
	}
	t.Run("and again after a while", func(t *testing.T) {
		w.advance(2 * time.Minute)
		if _, err := w.get("ann"); !isA[*auth.ExpiredError](err) || w.count("refresh_token") != 2 {
			t.Errorf("got %v after %d token requests", err, w.count("refresh_token"))
		}
	})
	t.Run("until another process signs in", func(t *testing.T) {
		here := w.Accounts
		w.restart()
		w.signInAs("ann")
		w.Accounts = here
		if body, err := w.get("ann"); body != "hello" || err != nil {
			t.Errorf("got %q, %v", body, err)
		}
	})
	t.Run("or signs out", func(t *testing.T) {
		client, _, err := w.HTTPClient(t.Context(), "ann")
		if err != nil {
			t.Fatal(err)
		}
		if err := auth.Open(w.options).Logout(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		_, err = client.Get(w.URL + "/api/x")
		if ended, ok := errors.AsType[*auth.ExpiredError](err); !ok || ended.Cause != auth.LoggedOut {
			t.Errorf("got %v", err)
		}
	})
}

func TestEndOfSignInIsStoredUntilNextSuccess(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	ended := func() time.Time {
		t.Helper()
		w.restart() // as another program would
		ann, err := w.Find("ann")
		if err != nil || ann.Problem != nil {
			t.Fatalf("got %+v, %v", ann, err)
		}
		return ann.Ended
	}
	if err := w.Check(t.Context(), "ann"); err != nil || !ended().IsZero() || w.count("refresh_token") != 1 {
		t.Errorf("before its end: %v, after %d renewals", err, w.count("refresh_token"))
	}
	live := maps.Clone(w.refresh)
	clear(w.refresh) // Google has ended it
	for range 2 {
		if err := w.Check(t.Context(), "ann"); !isA[*auth.ExpiredError](err) || !ended().Equal(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)) {
			t.Errorf("got %v, ended %v", err, ended())
		}
		w.advance(2 * time.Hour)
	}
	maps.Copy(w.refresh, live) // the refusal was a mistake of Google's
	if _, err := w.get("ann"); err != nil || !ended().IsZero() {
		t.Errorf("after a success: %v, ended %v", err, ended())
	}
	clear(w.refresh)
	if err := w.Check(t.Context(), "ann"); err == nil || ended().IsZero() {
		t.Fatal("it has not ended again")
	}
	if w.signInAs("ann"); !ended().IsZero() {
		t.Errorf("after a sign-in: ended %v", ended())
	}
	w.Close()
	if err := w.Check(t.Context(), "ann"); !isA[*auth.UnreachableError](err) || !ended().IsZero() {
		t.Errorf("without a network: %v, ended %v", err, ended())
	}
}
