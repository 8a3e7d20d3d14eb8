package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServerAnswersBothErasAndHealth(t *testing.T) {
	w := startHTTPServer(t, t.TempDir())
	session := w.beginSession()
	if got := w.ask(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session); got.status != http.StatusAccepted || got.body != "" {
		t.Errorf("a notification is answered %d %q, want 202 and nothing", got.status, got.body)
	}
	set := toolCall(9007199254740993, "memory_set", object{"key": "theme", "value": "dark"})
	if got := w.ask(http.MethodPost, set, session); got.status != 200 || !strings.Contains(got.body, `"id":9007199254740993`) || !strings.Contains(got.body, "created") {
		t.Errorf("got %d %s, want its own id and what was created", got.status, got.body)
	}
	get, headers := modernRequest("tools/call", object{"name": "memory_get", "arguments": object{"key": "theme"}})
	if got := w.ask(http.MethodPost, get, headers); got.status != 200 || !strings.Contains(got.body, "dark") || got.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("got %d %s, want what was kept, without a session", got.status, got.body)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		got := w.ask(http.MethodGet, "", changeAll(header("Authorization", ""), func(r *http.Request) { r.URL.Path = path }))
		if got.status != 200 || got.body != "ok\n" {
			t.Errorf("%s: got %d %q", path, got.status, got.body)
		}
	}
	w.stop()
}

func TestUnusableDatabaseIsNotReady(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "kota.db"), []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	w := startHTTPServer(t, home)
	got := w.ask(http.MethodGet, "", changeAll(header("Authorization", ""), func(r *http.Request) { r.URL.Path = "/readyz" }))
	if got.status != http.StatusServiceUnavailable || got.body != "not ready\n" {
		t.Errorf("got %d %q, want 503 and no detail", got.status, got.body)
	}
	if log := w.stop(); !strings.Contains(log, "kota doctor") {
		t.Errorf("the log does not say what to do: %s", log)
	}
}

func TestTokenFileIsPrivateAndReplaceable(t *testing.T) {
	home := t.TempDir()
	w := startHTTPServer(t, home)
	file := filepath.Join(home, "http.token")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("its file is %v, %v; want 0600", info.Mode(), err)
	}
	if again := tokenOf(t, home); again != w.token || len(again) < 40 {
		t.Errorf("the token is %q, then %q", w.token, again)
	}
	list, headers := modernRequest("tools/list", object{})

	runKota(t, home, nil, 0, "http", "token", "--new")
	if got := w.ask(http.MethodPost, list, headers); got.status != 401 {
		t.Errorf("the old token: got %d, want 401", got.status)
	}
	w.token = tokenOf(t, home)
	if got := w.ask(http.MethodPost, list, headers); got.status != 200 {
		t.Errorf("the new token: got %d, want 200", got.status)
	}

	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := w.ask(http.MethodPost, list, headers); got.status != 503 {
		t.Errorf("a token that others can read: got %d, want 503", got.status)
	}
	if output := runKota(t, home, nil, 1, "serve", "--http", "127.0.0.1:0"); !strings.Contains(output, "chmod 600") {
		t.Errorf("a server with it says %q", output)
	}
	w.stop()
}

func TestEnvironmentTokenOverridesStoredToken(t *testing.T) {
	own := "KOTA_HTTP_TOKEN=" + strings.Repeat("k", 40)
	if output := runKota(t, t.TempDir(), []string{own}, 0, "http", "token"); strings.TrimSpace(output) != strings.Repeat("k", 40) {
		t.Errorf("got %q", output)
	}
	if output := runKota(t, t.TempDir(), []string{own}, 2, "http", "token", "--new"); !strings.Contains(output, "KOTA_HTTP_TOKEN") {
		t.Errorf("renewing it says %q", output)
	}
	for _, bad := range []string{"short", strings.Repeat("k", 40) + "\n", strings.Repeat(`"`, 40)} {
		if output := runKota(t, t.TempDir(), []string{"KOTA_HTTP_TOKEN=" + bad}, 2, "serve", "--http", "127.0.0.1:0"); !strings.Contains(output, "KOTA_HTTP_TOKEN") || strings.Contains(output, bad) {
			t.Errorf("%q: it says %q", bad, output)
		}
	}
}

func TestRemoteAccessRequiresTLS(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		if output := runKota(t, home, nil, 2, "serve", "--http", address); !strings.Contains(output, "--tls-cert") || !strings.Contains(output, "127.0.0.1") {
			t.Errorf("%s: it says %q", address, output)
		}
	}
	for _, address := range []string{"8321", "127.0.0.1", "127.0.0.1:99999"} {
		if output := runKota(t, home, nil, 2, "serve", "--http", address); !strings.Contains(output, "127.0.0.1:8321") {
			t.Errorf("%s: it says %q", address, output)
		}
	}
	cert, key, pool := makeCertificate(t, "kota.test")
	if output := runKota(t, home, nil, 2, "serve", "--http", "0.0.0.0:0", "--tls-cert", cert); !strings.Contains(output, "--tls-key") {
		t.Errorf("without the key it says %q", output)
	}
	if output := runKota(t, home, nil, 2, "serve", "--http", "0.0.0.0:0", "--tls-cert", key, "--tls-key", cert); !strings.Contains(output, "PEM") {
		t.Errorf("with the two swapped it says %q", output)
	}

	w := startHTTPServer(t, home, "--http", "0.0.0.0:0", "--tls-cert", cert, "--tls-key", key)
	if !strings.HasPrefix(w.url, "https://kota.test:") {
		t.Fatalf("it serves at %s, want a name of the certificate", w.url)
	}
	_, port, _ := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(w.url, "https://"), "/mcp"))
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "kota.test"}, ForceAttemptHTTP2: true,
	}}
	for host, want := range map[string]int{"kota.test": 200, "kota.test:" + port: 200, "evil.example": 403, "localhost": 403} {
		list, headers := modernRequest("tools/list", object{})
		r, err := http.NewRequest(http.MethodPost, "https://127.0.0.1:"+port+"/mcp", strings.NewReader(list))
		if err != nil {
			t.Fatal(err)
		}
		changeAll(headers, header("Authorization", "Bearer "+w.token), header("Content-Type", "application/json"))(r)
		r.Host = host
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want || response.ProtoMajor != 2 {
			t.Errorf("Host %s: got %d over %s, want %d over HTTP/2", host, response.StatusCode, response.Proto, want)
		}
	}
	w.stop()
}

// runKota runs the program and checks its exit status. It returns stdout after
// a success, else stderr.
func runKota(t *testing.T, home string, env []string, status int, args ...string) string {
	t.Helper()
	outcome := runHere(t, append([]string{"KOTA_HOME=" + home, "KOTA_CONFIG="}, env...), args...)
	if outcome.Status != status {
		t.Fatalf("kota %v ended with %d, want %d: %s", args, outcome.Status, status, outcome.Stderr)
	}
	if status == 0 {
		return string(outcome.Stdout)
	}
	if len(outcome.Stdout) > 0 {
		t.Errorf("stdout has %q, want nothing", outcome.Stdout)
	}
	return string(outcome.Stderr)
}

// makeCertificate makes a certificate for that name. It returns its files and a
// pool that trusts it.
func makeCertificate(t *testing.T, name string) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	rawKey, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for path, text := range map[string][]byte{cert: text, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: rawKey})} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return cert, key, pool
}
