package googletest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
)

const (
	readonly = "https://www.googleapis.com/auth/gmail.readonly"
	compose  = "https://www.googleapis.com/auth/gmail.compose"
	loopback = "http://127.0.0.1:9/callback" // nothing listens: the test reads the redirect and does not follow it
)

func config(t *testing.T, s *googletest.Server, scopes ...string) *oauth2.Config {
	t.Helper()
	c, err := google.ConfigFromJSON(s.ClientFile(), scopes...)
	if err != nil {
		t.Fatal(err)
	}
	c.RedirectURL = loopback
	return c
}

// requestConsent requests the page and returns its answer and the redirect's parameters.
func requestConsent(t *testing.T, address string) (*http.Response, url.Values) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer, redirectParameters(t, answer)
}

func redirectParameters(t *testing.T, answer *http.Response) url.Values {
	t.Helper()
	to, err := url.Parse(answer.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	return to.Query()
}

// signIn runs the flow and returns the tokens.
func signIn(t *testing.T, c *oauth2.Config, more ...oauth2.AuthCodeOption) *oauth2.Token {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	more = append(more, oauth2.S256ChallengeOption(verifier), oauth2.AccessTypeOffline)
	_, back := requestConsent(t, c.AuthCodeURL("state", more...))
	if back.Get("state") != "state" {
		t.Fatalf("landed with %v", back)
	}
	token, err := c.Exchange(t.Context(), back.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func errorCode(t *testing.T, err error) string {
	t.Helper()
	failed, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok {
		t.Fatalf("got %v, want an OAuth error", err)
	}
	return failed.ErrorCode
}

func TestSignInGrantsTickedScopes(t *testing.T) {
	s := googletest.New(t)
	s.SetTokenLifetime(10 * time.Minute)
	s.SetConsent(fakeapi.Consent{User: ada, Untick: []string{"gmail.compose"}})
	token := signIn(t, config(t, s, readonly, compose))
	if token.RefreshToken == "" || token.Extra("scope") != readonly || token.TokenType != "Bearer" {
		t.Errorf("got %+v", token)
	}
	if left := time.Until(token.Expiry); left < 9*time.Minute || left > 10*time.Minute {
		t.Errorf("it lives %v", left)
	}
}

func TestCodeIsValidOnceAndForItsVerifier(t *testing.T) {
	s := googletest.New(t)
	s.SetConsent(fakeapi.Consent{User: ada})
	c := config(t, s, readonly)
	verifier := oauth2.GenerateVerifier()
	_, back := requestConsent(t, c.AuthCodeURL("s", oauth2.S256ChallengeOption(verifier), oauth2.AccessTypeOffline))
	exchange := func(code, verifier string) error {
		_, err := c.Exchange(t.Context(), code, oauth2.VerifierOption(verifier))
		return err
	}
	for name, err := range map[string]error{
		"another verifier": exchange(back.Get("code"), oauth2.GenerateVerifier()),
		"an invented code": exchange("4/0Ainvented", verifier),
	} {
		if got := errorCode(t, err); got != "invalid_grant" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if err := exchange(back.Get("code"), verifier); err != nil {
		t.Fatal(err)
	}
	if got := errorCode(t, exchange(back.Get("code"), verifier)); got != "invalid_grant" {
		t.Errorf("used twice: %s", got)
	}
	c.ClientSecret = "wrong"
	if got := errorCode(t, exchange(back.Get("code"), verifier)); got != "invalid_client" {
		t.Errorf("a wrong secret: %s", got)
	}
}

func TestRefreshTokenNeedsConsent(t *testing.T) {
	s := googletest.New(t)
	s.SetConsent(fakeapi.Consent{User: ada})
	c := config(t, s, readonly)
	if first := signIn(t, c); first.RefreshToken == "" {
		t.Error("the first consent gave none")
	}
	if second := signIn(t, c); second.RefreshToken != "" {
		t.Error("the second gave one, without prompt=consent")
	}
	c.Scopes = []string{compose}
	third := signIn(t, c, oauth2.ApprovalForce, oauth2.SetAuthURLParam("include_granted_scopes", "true"))
	scopes := strings.Fields(third.Extra("scope").(string))
	if third.RefreshToken == "" || !slices.Contains(scopes, readonly) || !slices.Contains(scopes, compose) {
		t.Errorf("prompt=consent and include_granted_scopes gave %+v with %q", third, scopes)
	}
}

func TestRefreshWorksUntilGrantEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*googletest.Server, *oauth2.Token)
		want string
	}{
		"while nothing happens":          {func(*googletest.Server, *oauth2.Token) {}, ""},
		"over the end of access tokens":  {func(s *googletest.Server, _ *oauth2.Token) { s.ExpireTokens() }, ""},
		"until the user takes it back":   {func(s *googletest.Server, _ *oauth2.Token) { s.RevokeGrants(ada) }, "invalid_grant"},
		"until the client revokes it":    {func(s *googletest.Server, token *oauth2.Token) { revoke(t, s, token.RefreshToken, 200) }, "invalid_grant"},
		"or revokes an access token":     {func(s *googletest.Server, token *oauth2.Token) { revoke(t, s, token.AccessToken, 200) }, "invalid_grant"},
		"not when it revokes what isn't": {func(s *googletest.Server, _ *oauth2.Token) { revoke(t, s, "1//0none", 400) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			s.SetConsent(fakeapi.Consent{User: ada})
			conf := config(t, s, readonly)
			first := signIn(t, conf)
			c.end(s, first)
			next, err := conf.TokenSource(context.Background(), &oauth2.Token{RefreshToken: first.RefreshToken}).Token()
			if c.want != "" {
				if got := errorCode(t, err); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
				return
			}
			if err != nil || next.AccessToken == first.AccessToken || next.Extra("scope") != readonly {
				t.Errorf("got %+v, %v", next, err)
			}
		})
	}
}

func revoke(t *testing.T, s *googletest.Server, token string, want int) {
	t.Helper()
	answer, err := http.PostForm(s.URL()+"/revoke", url.Values{"token": {token}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != want {
		t.Errorf("revoking answered %d, want %d", answer.StatusCode, want)
	}
}

func TestRefreshTokenOfTestingClientExpires(t *testing.T) {
	now := noon
	s := googletest.New(t, googletest.Clock(func() time.Time { return now }))
	s.SetTestingStatus()
	s.SetConsent(fakeapi.Consent{User: ada})
	c := config(t, s, readonly)
	token := signIn(t, c)
	if got := token.Extra("refresh_token_expires_in"); got != json.Number("604799") && got != float64(604799) {
		t.Errorf("refresh_token_expires_in is %v", got)
	}
	now = now.AddDate(0, 0, 7)
	_, err := c.TokenSource(t.Context(), &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	if got := errorCode(t, err); got != "invalid_grant" {
		t.Errorf("got %s", got)
	}
}

func TestConsentPageRefusesInvalidRequest(t *testing.T) {
	s := googletest.New(t)
	s.SetConsent(fakeapi.Consent{User: ada})
	good := url.Values{
		"client_id": {config(t, s).ClientID}, "redirect_uri": {loopback}, "response_type": {"code"}, "state": {"s"},
		"scope": {readonly}, "code_challenge": {strings.Repeat("x", 43)}, "code_challenge_method": {"S256"},
	}
	for name, change := range map[string][2]string{
		"another client":      {"client_id", "x"},
		"a redirect off-host": {"redirect_uri", "https://example.com/callback"},
		"out-of-band":         {"redirect_uri", "urn:ietf:wg:oauth:2.0:oob"},
		"the implicit flow":   {"response_type", "token"},
		"no state":            {"state", ""},
		"no PKCE":             {"code_challenge", ""},
		"plain PKCE":          {"code_challenge_method", "plain"},
		"no scope":            {"scope", ""},
		"an unknown scope":    {"scope", "https://www.googleapis.com/auth/gmail.everything"},
		"an unknown field":    {"audience", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := url.Values{}
			for field, values := range good {
				asked[field] = values
			}
			asked.Set(change[0], change[1])
			answer, back := requestConsent(t, s.URL()+"/o/oauth2/v2/auth?"+asked.Encode())
			if answer.StatusCode != http.StatusBadRequest || back.Get("code") != "" {
				t.Errorf("got %d, landed with %v", answer.StatusCode, back)
			}
		})
	}
}

func TestConsentPageForm(t *testing.T) {
	s := googletest.New(t)
	c := config(t, s, readonly, compose)
	verifier := oauth2.GenerateVerifier()
	address := c.AuthCodeURL("s", oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("login_hint", ada))
	answer, _ := requestConsent(t, address)
	shown, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || strings.Count(string(shown), `type="checkbox" name="scope"`) != 2 || strings.Contains(string(shown), "checked") || !strings.Contains(string(shown), `value="ada@example.com"`) {
		t.Fatalf("the page is %s, %v", shown, err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for name, c := range map[string]struct {
		form          url.Values
		scopes, error string
	}{
		"one box":    {url.Values{"user": {ada}, "scope": {compose}, "do": {"allow"}}, compose, ""},
		"Select all": {url.Values{"user": {ada}, "all": {"all"}, "do": {"allow"}}, readonly + " " + compose, ""},
		"no box":     {url.Values{"user": {ada}, "do": {"allow"}}, "", ""},
		"no":         {url.Values{"user": {""}, "scope": {compose}, "do": {"deny"}}, "", "access_denied"},
	} {
		answer, err := client.PostForm(address, c.form)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if back := redirectParameters(t, answer); back.Get("scope") != c.scopes || back.Get("error") != c.error {
			t.Errorf("%s: landed with %v", name, back)
		}
	}
	s.SetConsent(fakeapi.Consent{User: ada, Deny: true})
	if _, back := requestConsent(t, address); back.Get("error") != "access_denied" || back.Get("state") != "s" {
		t.Errorf("landed with %v", back)
	}
}

func TestSingleScopeHasNoCheckbox(t *testing.T) {
	s := googletest.New(t)
	answer, _ := requestConsent(t, config(t, s, readonly).AuthCodeURL("s", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	shown, err := io.ReadAll(answer.Body)
	if err != nil || strings.Contains(string(shown), "checkbox") || !strings.Contains(string(shown), `type="hidden" name="scope" value="`+readonly) {
		t.Errorf("the page is %s, %v", shown, err)
	}
}

func TestEarlierScopesAreIncludedOnRequest(t *testing.T) {
	s := googletest.New(t)
	s.SetConsent(fakeapi.Consent{User: ada})
	signIn(t, config(t, s, readonly))
	for included, want := range map[string]string{"true": compose + " " + readonly, "false": compose} {
		again := signIn(t, config(t, s, compose), oauth2.ApprovalForce, oauth2.SetAuthURLParam("include_granted_scopes", included))
		if got := again.Extra("scope"); got != want {
			t.Errorf("include_granted_scopes=%s: got %q, want %q", included, got, want)
		}
	}
}

func TestTokenEndpointFaultsAreOAuthErrors(t *testing.T) {
	s := googletest.New(t)
	s.SetConsent(fakeapi.Consent{User: ada})
	c := config(t, s, readonly)
	token := signIn(t, c)
	for _, want := range []string{"temporarily_unavailable", "admin_policy_enforced"} {
		fault := fakeapi.Fault{Method: "token", Status: 503}
		if want != "temporarily_unavailable" {
			fault.Status, fault.Reason = 400, want
		}
		withdraw := s.Fault(fault)
		_, err := c.TokenSource(t.Context(), &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
		if got := errorCode(t, err); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		withdraw()
	}
}
