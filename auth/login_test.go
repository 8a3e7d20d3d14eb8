package auth_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"testing"
)

func TestSignsInThroughTheBrowser(t *testing.T) {
	w := newWorld(t)
	l := w.login("")
	l.Name = func(ctx context.Context, client *http.Client) (string, error) {
		resp, err := client.Get(w.URL + "/api/profile")
		if err != nil {
			return "", err
		}
		body, err := io.ReadAll(resp.Body)
		return string(body) + "@Example.com", err
	}
	account, err := w.Login(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if account.Name != "hello@example.com" || account.Address != "hello@Example.com" || !account.Default || account.Problem != nil {
		t.Errorf("got %+v", account)
	}
	if !slices.Equal(account.Scopes, []string{readonly, send}) || !account.SignedIn.Equal(w.now()) {
		t.Errorf("got %+v", account)
	}
	if body, err := w.get(""); body != "hello" || err != nil {
		t.Errorf("got %q, %v", body, err)
	}
	w.reopen()
	if body, err := w.get("HELLO@example.com"); body != "hello" || err != nil {
		t.Errorf("after a restart: got %q, %v", body, err)
	}
	if n := w.count("refresh_token"); n != 0 {
		t.Errorf("%d renewals", n)
	}
}
