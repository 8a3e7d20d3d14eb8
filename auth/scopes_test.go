package auth_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kota/auth"
)

const (
	api  = "https://www.googleapis.com/auth/"
	full = "https://mail.google.com/"
)

func TestWiderScopesCoverNarrowerOnes(t *testing.T) {
	for _, c := range []struct {
		granted, scope string
		want           bool
	}{
		{full, "gmail.readonly", true},
		{full, "gmail.settings.basic", false},
		{"gmail.modify", "gmail.readonly", true},
		{"gmail.modify", "gmail.send", true},
		{"gmail.modify", "gmail.labels", true},
		{"gmail.modify", "gmail.modify", true},
		{"gmail.modify", full, false},
		{"gmail.readonly", "gmail.modify", false},
		{"gmail.readonly", "gmail.send", false},
		{"gmail.compose", "gmail.send", true},
		{"gmail.send", "gmail.compose", false},
		{"calendar", "calendar.events", true},
		{"calendar", "gmail.send", false},
		{"calendar.readonly", "calendar.events.readonly", true},
		{"calendar.readonly", "calendar.events", false},
		{"calendar.events", "calendar.events.readonly", true},
		{"calendar.events", "calendar.readonly", false},
		{"gmail.settings.basic", "gmail.readonly", false},
		{"something.new", "something.new", true},
		{"", "gmail.send", false},
	} {
		if got := auth.Covers([]string{"x", whole(c.granted)}, whole(c.scope)); got != c.want {
			t.Errorf("%s covers %s: got %v", c.granted, c.scope, got)
		}
	}
	if auth.Covers(nil, whole("gmail.send")) {
		t.Error("nothing covers something")
	}
}

func whole(scope string) string {
	if strings.HasPrefix(scope, "https:") {
		return scope
	}
	return api + scope
}

func TestNarrowRemovesCoveredScopes(t *testing.T) {
	for _, c := range []struct{ scopes, want []string }{
		{nil, []string{}},
		{[]string{"gmail.send", "gmail.readonly", "gmail.send"}, []string{"gmail.readonly", "gmail.send"}},
		{[]string{"gmail.readonly", "gmail.modify", "gmail.send", "gmail.settings.basic"}, []string{"gmail.modify", "gmail.settings.basic"}},
		{[]string{"gmail.send", full, "calendar.events", "calendar.events.readonly"}, []string{full, "calendar.events"}},
		{[]string{"calendar.readonly", "calendar.events", "calendar"}, []string{"calendar"}},
	} {
		scopes, want := []string{}, []string{}
		for _, s := range c.scopes {
			scopes = append(scopes, whole(s))
		}
		for _, s := range c.want {
			want = append(want, whole(s))
		}
		got := auth.Narrow(scopes)
		if !slices.Equal(got, want) || got == nil {
			t.Errorf("%v: got %v", c.scopes, got)
		}
		for _, s := range scopes {
			if !auth.Covers(got, s) {
				t.Errorf("%v does not cover %s", got, s)
			}
		}
	}
}

// discovery is the part of Google's discovery documents about scopes.
type discovery struct {
	Auth struct {
		OAuth2 struct {
			Scopes map[string]any
		}
	}
	Resources map[string]resource
}

type resource struct {
	Methods map[string]struct {
		ID     string
		Scopes []string
	}
	Resources map[string]resource
}

// uses records which methods accept each scope.
func (r resource) uses(by map[string][]string) {
	for _, method := range r.Methods {
		for _, scope := range method.Scopes {
			by[scope] = append(by[scope], method.ID)
		}
	}
	for _, inner := range r.Resources {
		inner.uses(by)
	}
}

// A wider scope covers a narrower one only if Google accepts the wider one wherever it accepts
// the narrower one. Google's discovery documents, which come with its Go client, say so.
func TestCoveredScopesAgreeWithDiscoveryDocuments(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/api").Output()
	if err != nil {
		t.Fatalf("find Google's Go client: %v", err)
	}
	covered := 0
	for _, name := range []string{"gmail/v1/gmail-api.json", "calendar/v3/calendar-api.json", "people/v1/people-api.json"} {
		raw, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), name))
		if err != nil {
			t.Fatal(err)
		}
		var document discovery
		if err := json.Unmarshal(raw, &document); err != nil {
			t.Fatal(err)
		}
		by := map[string][]string{}
		resource{Resources: document.Resources}.uses(by)
		for wide := range document.Auth.OAuth2.Scopes {
			for narrow := range document.Auth.OAuth2.Scopes {
				if wide == narrow || !auth.Covers([]string{wide}, narrow) {
					continue
				}
				covered++
				for _, method := range by[narrow] {
					if !slices.Contains(by[wide], method) {
						t.Errorf("%s is said to cover %s, but %s does not accept it", wide, narrow, method)
					}
				}
			}
		}
	}
	if covered < 30 {
		t.Errorf("only %d pairs were looked at: the names in the table are not Google's", covered)
	}
}
