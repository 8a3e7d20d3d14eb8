package fakeapi

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Consent says what the user does at the consent page, for a test without a
// browser.
type Consent struct {
	// User is the user who is signed in. "" shows the page and waits for its
	// form.
	User string
	// Deny answers access_denied.
	Deny bool
	// Untick are the scopes whose box the user leaves empty, named as for
	// Token.
	Untick []string
}

// SetConsent makes the authorization endpoint answer at once with a redirect,
// unless c.User is "".
func (s *Server) SetConsent(c Consent) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.consent = c
}

// code is an authorization code: it is valid once, for ten minutes.
type code struct {
	user      *Account
	scopes    []string
	redirect  string
	challenge string
	offline   bool
	used      bool
	expires   time.Time
}

// authorization is a valid request to the authorization endpoint.
type authorization struct {
	redirect  *url.URL
	state     string
	scopes    []string
	challenge string
	offline   bool
	consent   bool // prompt=consent
	included  bool // include_granted_scopes=true
	hint      string
}

// authorize serves the authorization endpoint. GET shows the consent page, or
// decides at once as SetConsent has set. POST receives the page's form.
func (s *Server) authorize(r *http.Request, body []byte) reply {
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		return s.violation("%s wants GET, not %s", r.URL.Path, r.Method)
	}
	request, problem := s.readAuthorization(r.URL.Query())
	if problem != "" {
		return page(http.StatusBadRequest, errorTemplate, problem)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if r.Method == http.MethodPost {
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return page(http.StatusBadRequest, errorTemplate, "invalid_request: "+err.Error())
		}
		ticked := form["scope"]
		if form.Has("all") {
			ticked = request.scopes
		}
		return s.decide(request, form.Get("user"), form.Get("do") != "allow", ticked)
	}
	if s.consent.User == "" {
		return s.showConsent(r, request)
	}
	unticked := longScopes(s.consent.Untick)
	granted := slices.DeleteFunc(slices.Clone(request.scopes), func(scope string) bool { return slices.Contains(unticked, scope) })
	return s.decide(request, s.consent.User, s.consent.Deny, granted)
}

// readAuthorization checks a request as Google's page does. It returns Google's
// error message, or "".
func (s *Server) readAuthorization(query url.Values) (authorization, string) {
	known := []string{"client_id", "redirect_uri", "response_type", "state", "code_challenge", "code_challenge_method", "access_type", "prompt", "scope", "include_granted_scopes", "login_hint", "enable_granular_consent"}
	for name, values := range query {
		if !slices.Contains(known, name) || len(values) != 1 {
			return authorization{}, "invalid_request: parameter " + name + " is unknown or repeated"
		}
	}
	redirect, err := url.Parse(query.Get("redirect_uri"))
	switch {
	case query.Get("client_id") != clientID:
		return authorization{}, "invalid_client: The OAuth client was not found."
	case query.Get("response_type") != "code":
		return authorization{}, "unsupported_response_type: " + query.Get("response_type")
	case err != nil || !isLoopback(redirect):
		return authorization{}, "redirect_uri_mismatch: a Desktop client is redirected to loopback alone"
	case query.Get("state") == "":
		return authorization{}, "invalid_request: state is missing"
	case query.Get("code_challenge_method") != "S256" || len(query.Get("code_challenge")) != 43:
		return authorization{}, "invalid_request: PKCE with S256 is wanted"
	case strings.TrimSpace(query.Get("scope")) == "":
		return authorization{}, "invalid_request: Missing required parameter: scope"
	}
	request := authorization{
		redirect:  redirect,
		state:     query.Get("state"),
		scopes:    strings.Fields(query.Get("scope")),
		challenge: query.Get("code_challenge"),
		offline:   query.Get("access_type") == "offline",
		consent:   slices.Contains(strings.Fields(query.Get("prompt")), "consent"),
		included:  query.Get("include_granted_scopes") == "true",
		hint:      query.Get("login_hint"),
	}
	for _, scope := range request.scopes {
		if !slices.Contains(signInScopes, scope) && !slices.Contains(s.allScopes(), scope) {
			return authorization{}, "invalid_scope: Some requested scopes were invalid. {invalid=[" + scope + "]}"
		}
	}
	return request, ""
}

// signInScopes are the scopes for signing in, which no API's document lists.
var signInScopes = []string{"openid", "email", "profile", "https://www.googleapis.com/auth/userinfo.email", "https://www.googleapis.com/auth/userinfo.profile"}

func isLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}

// decide redirects back with a code or with the user's refusal.
func (s *Server) decide(request authorization, user string, deny bool, scopes []string) reply {
	answer := url.Values{"state": {request.state}}
	scopes = slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool { return !slices.Contains(request.scopes, scope) })
	if deny || user == "" {
		answer.Set("error", "access_denied")
		return redirect(request.redirect, answer)
	}
	who := s.Account(user)
	before := s.granted(who)
	if request.included {
		for _, scope := range before {
			if !slices.Contains(scopes, scope) {
				scopes = append(scopes, scope)
			}
		}
	}
	name := NewSecret("4/0A")
	s.codes[name] = &code{
		user: who, scopes: scopes, redirect: request.redirect.String(), challenge: request.challenge,
		// The first consent gives a refresh token. Later ones do if the request
		// asks for consent again.
		offline: request.offline && (request.consent || len(before) == 0),
		expires: s.Now().Add(10 * time.Minute),
	}
	answer.Set("code", name)
	answer.Set("scope", strings.Join(scopes, " "))
	answer.Set("authuser", "0")
	answer.Set("prompt", "consent")
	return redirect(request.redirect, answer)
}

// granted returns the scopes that the user granted to the client before.
func (s *Server) granted(u *Account) []string {
	var scopes []string
	for _, g := range s.grants {
		if g.user == u && !g.revoked {
			scopes = append(scopes, g.scopes...)
		}
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

func redirect(to *url.URL, answer url.Values) reply {
	target := *to
	query := target.Query()
	for name, values := range answer {
		query[name] = values
	}
	target.RawQuery = query.Encode()
	return reply{status: http.StatusFound, header: http.Header{"Location": {target.String()}}}
}

func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// showConsent returns the page that a person sees. Its boxes are empty, and
// another box ticks them all. A single permission has no box: it is granted, or
// everything is refused
// (developers.google.com/identity/protocols/oauth2/resources/granular-permissions).
func (s *Server) showConsent(r *http.Request, request authorization) reply {
	type row struct{ Scope, Does string }
	var rows []row
	for _, scope := range request.scopes {
		does := scope
		for _, svc := range s.services {
			if known, ok := svc.Auth.OAuth2.Scopes[scope]; ok {
				does = known.Description
			}
		}
		rows = append(rows, row{scope, does})
	}
	var users []string
	for _, u := range s.Accounts {
		users = append(users, u.Address)
	}
	slices.Sort(users)
	return page(http.StatusOK, consentTemplate, struct {
		Action, Hint string
		Users        []string
		Rows         []row
	}{r.URL.RequestURI(), request.hint, users, rows})
}

func page(status int, t *template.Template, data any) reply {
	var out strings.Builder
	if err := t.Execute(&out, data); err != nil {
		panic(err) // the page's template is wrong
	}
	return reply{status: status, header: http.Header{"Content-Type": {"text/html; charset=UTF-8"}}, body: []byte(out.String())}
}

var errorTemplate = template.Must(template.New("error").Parse(`<!DOCTYPE html>
<meta charset="utf-8"><title>Access blocked</title>
<h1>Access blocked: authorization error</h1>
<p id="error">{{.}}</p>
`))

var consentTemplate = template.Must(template.New("consent").Parse(`<!DOCTYPE html>
<meta charset="utf-8"><title>Sign in with fake Google</title>
<h1>KOTA wants access to your account</h1>
<form method="post" action="{{.Action}}">
<p><label>Account <input name="user" list="users" required value="{{.Hint}}"></label>
<datalist id="users">{{range .Users}}<option value="{{.}}">{{end}}</datalist></p>
{{if gt (len .Rows) 1}}<p><label><input type="checkbox" name="all" value="all"> Select all</label></p>
{{range .Rows}}<p><label><input type="checkbox" name="scope" value="{{.Scope}}"> {{.Does}}</label></p>
{{end}}{{else}}{{range .Rows}}<p><input type="hidden" name="scope" value="{{.Scope}}">{{.Does}}</p>
{{end}}{{end}}<button name="do" value="allow">Allow</button> <button name="do" value="deny" formnovalidate>Cancel</button>
</form>
`))
