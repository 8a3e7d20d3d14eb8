package main

import (
	"crypto/tls"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/cmd/kota/internal/server"
)

// privateHome returns a folder in which the doctor finds no problem.
func privateHome(t *testing.T) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return home
}

// A token that cannot be checked is a fault of the server, not of the client.
func TestInvalidTokenFileIsReported(t *testing.T) {
	t.Parallel()
	home := privateHome(t)
	w := startHTTPServer(t, home)
	file := filepath.Join(home, "http.token")
	list, headers := modernRequest("tools/list", object{})
	ready := changeAll(header("Authorization", ""), func(r *http.Request) { r.URL.Path = "/readyz" })
	for name, damage := range map[string]func() error{
		"others may read it": func() error { return os.Chmod(file, 0o644) },
		"it is empty":        func() error { return os.WriteFile(file, nil, 0o600) },
	} {
		if got := w.ask(http.MethodPost, list, headers); got.status != 200 {
			t.Fatalf("before: %d %s", got.status, got.body)
		}
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if got := w.ask(http.MethodPost, list, headers); got.status != 503 || got.header.Get("WWW-Authenticate") != "" {
			t.Errorf("%s: got %d %s, want 503", name, got.status, got.body)
		}
		if got := w.ask(http.MethodGet, "", ready); got.status != 503 {
			t.Errorf("%s: /readyz says %d", name, got.status)
		}
		if out, status := runDoctor(t, home); status != 1 || !strings.Contains(out, "FAIL  http token") || !strings.Contains(out, "kota http token --new") {
			t.Errorf("%s: the doctor says %s", name, out)
		}
		if err := os.WriteFile(file, []byte(w.token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.stop()
}

// A broken token file of the server does not stop people with an issuer's
// tokens from getting new ones.
func TestInvalidTokenFileDoesNotAffectIssuerTokens(t *testing.T) {
	t.Parallel()
	i, home := newIssuer(t), privateHome(t)
	w := i.serve(home, "", "")
	if err := os.Chmod(filepath.Join(home, "http.token"), 0o644); err != nil {
		t.Fatal(err)
	}
	list, headers := modernRequest("tools/list", object{})
	old := i.claims("ann")
	old["exp"] = old["iat"].(int64) - 3600
	if got := w.withToken(i.sign(old, i.keys[0].Key, i.keys[0].KeyID, nil)).ask(http.MethodPost, list, headers); got.status != 401 || got.header.Get("WWW-Authenticate") != badToken {
		t.Errorf("an expired token: %d %s; want 401", got.status, got.body)
	}
	if got := w.withToken(i.token("ann")).ask(http.MethodPost, list, headers); got.status != 200 {
		t.Errorf("a good one: %d %s", got.status, got.body)
	}
	if got := w.ask(http.MethodGet, "", changeAll(header("Authorization", ""), func(r *http.Request) { r.URL.Path = "/readyz" })); got.status != 200 {
		t.Errorf("/readyz says %d", got.status)
	}
	w.stop()
}

func TestDoctorChecksCertificate(t *testing.T) {
	t.Parallel()
	home := privateHome(t)
	cert, key, _ := makeCertificate(t, "kota.example.com")
	config := func(cert, rest string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte("http:\n  tls: {cert: "+cert+", key: "+key+"}\n"+rest), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	says := func(status int, want string) {
		t.Helper()
		if out, got := runDoctor(t, home); got != status || !strings.Contains(out, want) {
			t.Errorf("status %d, want %d with %q: %s", got, status, want, out)
		}
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	for ahead, want := range map[time.Duration]string{0: "", 2 * time.Hour: "expired on", -2 * time.Hour: "valid only from"} {
		if got := server.CertificateProblem(&pair, time.Now().Add(ahead)); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s from now: %q, want %q", ahead, got, want)
		}
	}
	config(cert, "  oauth: {issuer: \"http://127.0.0.1:9\", audience: \"https://kota.example.com/sse\"}\n")
	says(1, "write https://kota.example.com/mcp")
	config(cert, "")
	says(0, "ok    certificate")
	config("/nowhere/cert.pem", "")
	says(1, "FAIL  certificate    the certificate of the HTTP server cannot be loaded: open /nowhere/cert.pem")
	config(cert, "")
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	says(0, "run: chmod 600 "+key) // a note: the key of a container is in a folder that nobody else can reach
}
