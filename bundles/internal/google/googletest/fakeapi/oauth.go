package fakeapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const (
	authPath   = "/o/oauth2/v2/auth"
	tokenPath  = "/token"
	revokePath = "/revoke"

	clientID     = "1032-kota.apps.googleusercontent.com"
	clientSecret = "GOCSPX-fake-but-secret"
)

// ClientFile returns the file of a Desktop client, as Google's console offers
// it for download, with auth_uri and token_uri of this server.
func (s *Server) ClientFile() []byte {
	data, err := json.Marshal(Object{"installed": Object{
		"client_id":                   clientID,
		"project_id":                  "kota-test",
		"auth_uri":                    s.URL() + authPath,
		"token_uri":                   s.URL() + tokenPath,
		"auth_provider_x509_cert_url": s.URL() + "/oauth2/v1/certs",
		"client_secret":               clientSecret,
		"redirect_uris":               []string{"http://localhost"},
	}})
	if err != nil {
		panic(err)
	}
	return data
}

// oauthProblem returns an error of the token and revocation endpoints (RFC
// 6749, 5.2).
func oauthProblem(status int, code, description string) reply {
	answer := Object{"error": code}
	if description != "" {
		answer["error_description"] = description
	}
	return jsonReply(status, answer)
}

// token serves the token endpoint
// (developers.google.com/identity/protocols/oauth2/native-app).
func (s *Server) token(r *http.Request, body []byte) reply {
	form, problem := s.readForm(r, body, "client_id", "client_secret", "grant_type", "code", "code_verifier", "redirect_uri", "refresh_token", "scope")
	if problem != nil {
		return *problem
	}
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	if id != clientID {
		return oauthProblem(http.StatusUnauthorized, "invalid_client", "The OAuth client was not found.")
	}
	if secret == "" {
		return oauthProblem(http.StatusBadRequest, "invalid_request", "client_secret is missing.")
	}
	if secret != clientSecret {
		return oauthProblem(http.StatusUnauthorized, "invalid_client", "Unauthorized")
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	switch form.Get("grant_type") {
	case "authorization_code":
		return s.exchange(form)
	case "refresh_token":
		return s.refresh(form)
	}
	return oauthProblem(http.StatusBadRequest, "unsupported_grant_type", "Invalid grant_type: "+form.Get("grant_type"))
}

// readForm reads a form posted to an OAuth endpoint that accepts only the known
// fields. It returns the reply for a violation, or nil.
func (s *Server) readForm(r *http.Request, body []byte, known ...string) (url.Values, *reply) {
	refuse := func(format string, args ...any) (url.Values, *reply) {
		refused := s.violation(format, args...)
		return nil, &refused
	}
	if r.Method != http.MethodPost {
		return refuse("%s wants POST, not %s", r.URL.Path, r.Method)
	}
	form := r.URL.Query()
	if kind := r.Header.Get("Content-Type"); len(body) > 0 && !strings.HasPrefix(kind, "application/x-www-form-urlencoded") {
		return refuse("%s wants a form, not %q", r.URL.Path, kind)
	}
	posted, err := url.ParseQuery(string(body))
	if err != nil {
		return refuse("%s: %v", r.URL.Path, err)
	}
	for name, values := range posted {
		form[name] = append(form[name], values...)
	}
	for name, values := range form {
		if !slices.Contains(known, name) || len(values) != 1 {
			return refuse("%s: field %q is unknown, or there %d times", r.URL.Path, name, len(values))
		}
	}
	return form, nil
}

// exchange returns the tokens for a code, which is valid once.
func (s *Server) exchange(form url.Values) reply {
	granted := s.codes[form.Get("code")]
	switch {
	case form.Get("code") == "":
		return oauthProblem(http.StatusBadRequest, "invalid_request", "Missing required parameter: code")
	case granted == nil:
		return oauthProblem(http.StatusBadRequest, "invalid_grant", "Malformed auth code.")
	case granted.used || !s.Now().Before(granted.expires):
		return oauthProblem(http.StatusBadRequest, "invalid_grant", "Bad Request")
	case granted.redirect != form.Get("redirect_uri"):
		return oauthProblem(http.StatusBadRequest, "redirect_uri_mismatch", "Bad Request")
	case form.Get("code_verifier") == "":
		return oauthProblem(http.StatusBadRequest, "invalid_grant", "Missing code verifier.")
	case challengeOf(form.Get("code_verifier")) != granted.challenge:
		return oauthProblem(http.StatusBadRequest, "invalid_grant", "Invalid code verifier.")
	}
	granted.used = true
	g := &grant{user: granted.user, scopes: granted.scopes}
	answer := s.grantAnswer(g, granted.scopes)
	if granted.offline {
		name := NewSecret("1//0")
		s.grants[name] = g
		answer["refresh_token"] = name
		if s.testing {
			g.expires = s.Now().Add(testingGrantLifetime)
			answer["refresh_token_expires_in"] = int(testingGrantLifetime.Seconds()) - 1
		}
	}
	return jsonReply(http.StatusOK, answer)
}

// refresh returns a new access token for a refresh token.
func (s *Server) refresh(form url.Values) reply {
	name := form.Get("refresh_token")
	g := s.grants[name]
	switch {
	case name == "":
		return oauthProblem(http.StatusBadRequest, "invalid_request", "Missing required parameter: refresh_token")
	case g == nil:
		return oauthProblem(http.StatusBadRequest, "invalid_grant", "Bad Request")
	case g.revoked || !g.expires.IsZero() && !s.Now().Before(g.expires):
		return oauthProblem(http.StatusBadRequest, "invalid_grant", "Token has been expired or revoked.")
	}
	scopes := g.scopes
	if requested := strings.Fields(form.Get("scope")); len(requested) > 0 {
		for _, scope := range requested {
			if !slices.Contains(g.scopes, scope) {
				return oauthProblem(http.StatusBadRequest, "invalid_scope", "Some requested scopes were invalid.")
			}
		}
		scopes = requested
	}
	return jsonReply(http.StatusOK, s.grantAnswer(g, scopes))
}

func (s *Server) grantAnswer(g *grant, scopes []string) Object {
	return Object{
		"access_token": s.issue(&token{user: g.user, scopes: scopes, grant: g}),
		"expires_in":   int(s.expires.Seconds()),
		"scope":        strings.Join(scopes, " "),
		"token_type":   "Bearer",
	}
}

// revoke serves the revocation endpoint. It ends the grant of an access or a
// refresh token, with all tokens from it.
func (s *Server) revoke(r *http.Request, body []byte) reply {
	form, problem := s.readForm(r, body, "token")
	if problem != nil {
		return *problem
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	name := form.Get("token")
	if g := s.grants[name]; g != nil && !g.revoked {
		g.revoked = true
		return jsonReply(http.StatusOK, Object{})
	}
	if t := s.tokens[name]; t != nil && !t.revoked && (t.grant == nil || !t.grant.revoked) {
		t.revoked = true
		if t.grant != nil {
			t.grant.revoked = true
		}
		return jsonReply(http.StatusOK, Object{})
	}
	return oauthProblem(http.StatusBadRequest, "invalid_token", "Token expired or revoked")
}
