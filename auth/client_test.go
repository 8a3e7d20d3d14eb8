package auth_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/auth"
)

// clientJSON returns an OAuth client with some fields replaced; "-" removes one.
func clientJSON(fields ...string) string {
	values := map[string]string{
		"client_id": clientID, "project_id": "kota-test", "client_secret": clientSecret,
		"auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": "https://oauth2.googleapis.com/token",
	}
	for i := 0; i+1 < len(fields); i += 2 {
		values[fields[i]] = fields[i+1]
		if fields[i+1] == "-" {
			delete(values, fields[i])
		}
	}
	raw, err := json.Marshal(map[string]any{"installed": values})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestSetClientRefusesOtherFiles(t *testing.T) {
	for name, c := range map[string]struct{ file, says string }{
		"empty":             {"", "empty"},
		"blank":             {" \n", "empty"},
		"huge":              {clientJSON() + strings.Repeat(" ", 1<<20), "more than"},
		"a web page":        {"<!DOCTYPE html><html>CANARY", "web page"},
		"an API key":        {"AIzaCANARY", "API key"},
		"an API key's JSON": {`{"api_key":"AIzaCANARY"}`, "API key"},
		"no JSON":           {"client_id=CANARY", "not the JSON"},
		"cut short":         {clientJSON()[:100], "not the JSON"},
		"two of them":       {clientJSON() + clientJSON(), "not the JSON"},
		"a list":            {"[" + clientJSON() + "]", "not the JSON"},
		"null":              {"null", "not an OAuth client"},
		"other types":       {`{"installed":{"client_id":17}}`, "not the JSON"},
		"nothing below":     {`{"installed":null}`, "not an OAuth client"},
		"a web client":      {strings.Replace(clientJSON(), "installed", "web", 1), "Web application"},
		"a service account": {`{"type":"service_account","private_key":"CANARY"}`, "service account"},
		"a user's":          {`{"type":"authorized_user","refresh_token":"CANARY"}`, "credentials of another kind"},
		"without its frame": {`{"client_id":"x","client_secret":"CANARY"}`, `"installed"`},
		"no id":             {clientJSON("client_id", "-"), "client_id"},
		"an id in two":      {clientJSON("client_id", "a b"), "client_id"},
		"no secret":         {clientJSON("client_secret", "-"), "shows it only once"},
		"a broken secret":   {clientJSON("client_secret", "CANARY\n"), "client_secret"},
		"a hostile project": {clientJSON("project_id", "\x1b[31m"), "project_id"},
		"http":              {clientJSON("token_uri", "http://oauth2.googleapis.com/token"), "token_uri"},
		"almost loopback":   {clientJSON("token_uri", "http://127.0.0.1.evil.example/token"), "token_uri"},
		"a login in it":     {clientJSON("auth_uri", "https://x@evil.example/"), "auth_uri"},
		"a command":         {clientJSON("auth_uri", "file:///bin/sh"), "auth_uri"},
		"no host":           {clientJSON("auth_uri", "https:///auth"), "auth_uri"},
		"a blank in it":     {clientJSON("auth_uri", "https://a b/"), "auth_uri"},
	} {
		a := auth.Open(auth.Options{Home: t.TempDir()})
		_, err := a.SetClient([]byte(c.file))
		if !isA[*auth.ClientFileError](err) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "Desktop app") ||
			strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: got %v", name, err)
		}
		if _, err := a.Client(); !isError(auth.ErrNoClient)(err) {
			t.Errorf("%s: it was stored: %v", name, err)
		}
	}
}

func TestSetClientStoresFileUnchanged(t *testing.T) {
	for name, c := range map[string]struct{ file, auth, token string }{
		"Google's":              {clientJSON(), "https://accounts.google.com/o/oauth2/auth", "https://oauth2.googleapis.com/token"},
		"with a mark before it": {"\ufeff" + clientJSON() + "\n", "https://accounts.google.com/o/oauth2/auth", "https://oauth2.googleapis.com/token"},
		"without addresses":     {clientJSON("auth_uri", "-", "token_uri", "-"), "https://accounts.google.com/o/oauth2/auth", "https://oauth2.googleapis.com/token"},
		"one for tests":         {clientJSON("auth_uri", "http://[::1]:9/a", "token_uri", "http://127.0.0.1:9/t"), "http://[::1]:9/a", "http://127.0.0.1:9/t"},
	} {
		home := filepath.Join(t.TempDir(), "new")
		a := auth.Open(auth.Options{Home: home})
		if _, err := os.Stat(home); err == nil {
			t.Errorf("%s: opening made the folder", name)
		}
		if _, err := a.SetClient([]byte(c.file)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		client, err := a.Client()
		if err != nil || client.ID != clientID || client.ProjectID != "kota-test" || client.AuthURI != c.auth || client.TokenURI != c.token {
			t.Errorf("%s: got %v %+v, %v", name, client.AuthURI, client.TokenURI, err)
		}
		file := filepath.Join(home, "google-client.json")
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 || read(t, file) != c.file {
			t.Errorf("%s: the file is not as it was given, or has mode %v, %v", name, info.Mode(), err)
		}
		if left, _ := filepath.Glob(filepath.Join(home, ".*")); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

func TestClientReadableByOthersIsRefused(t *testing.T) {
	w := newMachine(t)
	chmod(t, filepath.Join(w.home, "google-client.json"), 0o640)
	if _, err := w.Client(); !isA[*auth.UnsafeError](err) || !strings.Contains(err.Error(), "chmod 600 "+w.home) {
		t.Errorf("got %v", err)
	}
}

func TestClientHidesItsSecret(t *testing.T) {
	a := auth.Open(auth.Options{Home: t.TempDir()})
	client, err := a.SetClient([]byte(clientJSON()))
	if err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%t"} {
		fmt.Fprintf(&shown, verb+"\n", client)
		fmt.Fprintf(&shown, verb+"\n", &client)
		fmt.Fprintf(&shown, verb+"\n", []any{client, struct{ C auth.Client }{client}})
	}
	raw, err := json.Marshal(client)
	if err != nil {
		t.Fatal(err)
	}
	shown.Write(raw)
	slog.New(slog.NewTextHandler(&shown, nil)).Info("x", "client", client)
	slog.New(slog.NewJSONHandler(&shown, nil)).Info("x", "client", &client)
	if strings.Contains(shown.String(), clientSecret) || strings.Contains(shown.String(), fmt.Sprintf("%x", clientSecret)) {
		t.Errorf("got %s", shown.String())
	}
	if !strings.Contains(shown.String(), clientID) {
		t.Errorf("nothing was shown: %s", shown.String())
	}
}

func FuzzClientFile(f *testing.F) {
	f.Add([]byte(clientJSON()))
	f.Add([]byte(clientJSON("auth_uri", "-", "project_id", "ü")))
	f.Add([]byte(strings.Replace(clientJSON(), "installed", "web", 1)))
	f.Add([]byte(`{"type":"service_account"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a := auth.Open(auth.Options{Home: t.TempDir()})
		client, err := a.SetClient(raw)
		if err != nil {
			if !isA[*auth.ClientFileError](err) {
				t.Fatalf("got %v", err)
			}
			return
		}
		again, err := a.Client()
		if err != nil || again != client {
			t.Fatalf("stored %v, and then %v, %v", client, again, err)
		}
		for _, address := range []string{client.AuthURI, client.TokenURI} {
			if !strings.HasPrefix(strings.ToLower(address), "http") || strings.ContainsAny(address, " \n\x00") {
				t.Fatalf("an address is %q", address)
			}
		}
	})
}
