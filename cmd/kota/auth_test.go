package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/signin"
	"kota/store/sqlite"
	"kota/store/tables/mailcache"
)

// ann is the account that signs in.
const ann = "ann@example.com"

// testHome is a home with the bundle gmail and a fake Google.
type testHome struct {
	t          *testing.T
	bundles    string // the bundles that configure enables, as in bundles.yaml
	home       string
	clock      string // KOTA_NOW; "" for the real time
	database   string // KOTA_DATABASE_URL; "" for the file in home
	secretsKey string // KOTA_SECRETS_KEY
	google     *bundletest.Google
	printed    bytes.Buffer // all output of all commands

	terminalEnv []string            // more variables of a program on a terminal
	screen      func(screen string) // sees the terminal after each output; may be nil
}

func newTestHome(t *testing.T) *testHome {
	t.Helper()
	d := &testHome{t: t, bundles: "gmail: on", secretsKey: oldKey, home: filepath.Join(t.TempDir(), "home"), google: bundletest.NewGoogle(t)}
	d.google.User(ann)
	d.configure("")
	return d
}

// configure writes bundles.yaml with these lines and what a home needs.
func (d *testHome) configure(lines string) {
	d.t.Helper()
	if err := os.MkdirAll(d.home, 0o700); err != nil {
		d.t.Fatal(err)
	}
	text := "google: {tokens: file, endpoint: \"" + d.google.URL() + "\"}\nbundles: {" + d.bundles + "}\n" + lines
	writeFile(d.t, filepath.Join(d.home, "bundles.yaml"), []byte(text))
}

func (d *testHome) env(name string) string {
	switch name {
	case "KOTA_HOME":
		return d.home
	case "KOTA_NOW":
		return d.clock
	case "KOTA_DATABASE_URL":
		return d.database
	case "KOTA_SECRETS_KEY":
		return d.secretsKey
	}
	return ""
}

// run runs a command. It returns what it printed, with its error as the program
// prints it, and the exit status.
func (d *testHome) run(args ...string) (stdout, stderr string, status int) {
	d.t.Helper()
	return d.runWith(strings.NewReader(""), nil, args...)
}

// runWith runs a command with that stdin. Lines on stderr also go to browse, if
// it is not nil.
func (d *testHome) runWith(stdin io.Reader, browse func(line string), args ...string) (stdout, stderr string, status int) {
	d.t.Helper()
	var out bytes.Buffer
	watched := &watchedOutput{onLine: browse}
	status = reportError(run(d.t.Context(), args, d.env, stdin, &out, watched), watched)
	d.printed.WriteString(out.String() + watched.text())
	return out.String(), watched.text(), status
}

// must runs a command that must succeed, and returns its stdout.
func (d *testHome) must(args ...string) string {
	d.t.Helper()
	stdout, stderr, status := d.run(args...)
	if status != 0 {
		d.t.Fatalf("kota %s: status %d: %s", strings.Join(args, " "), status, stderr)
	}
	return stdout
}

// watchedOutput is a stderr that somebody watches.
type watchedOutput struct {
	mu     sync.Mutex
	seen   bytes.Buffer
	onLine func(line string)
}

func (s *watchedOutput) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.onLine != nil {
		s.onLine(string(p))
	}
	return s.seen.Write(p)
}

func (s *watchedOutput) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.String()
}

var printedAddress = regexp.MustCompile(`(?m)^\s+(http\S+)$`)

// storeClient stores the OAuth client of the fake Google.
func (d *testHome) storeClient() {
	d.t.Helper()
	file := filepath.Join(d.t.TempDir(), "client_secret.json")
	writeFile(d.t, file, d.google.ClientFile())
	d.must("auth", "client", file)
}

// signIn signs in as a user who sees Google's page and grants the requested
// scopes, except those whose box stays empty. It returns the address to which
// the browser was redirected.
func (d *testHome) signIn(consent bundletest.GoogleConsent, flags ...string) (landed *url.URL, stdout, stderr string, status int) {
	d.t.Helper()
	d.google.SetConsent(consent)
	came := make(chan *url.URL, 1)
	browse := func(line string) {
		if match := printedAddress.FindStringSubmatch(line); match != nil {
			go func() { came <- followRedirects(d.t, match[1]) }()
		}
	}
	stdout, stderr, status = d.runWith(strings.NewReader(""), browse, append([]string{"auth", "login", "--no-browser"}, flags...)...)
	if printedAddress.MatchString(stderr) {
		landed = <-came
	}
	return landed, stdout, stderr, status
}

// followRedirects follows redirects as a browser does and returns the final address.
func followRedirects(t *testing.T, address string) *url.URL {
	answer, err := http.Get(address)
	if err != nil {
		t.Errorf("the browser: %v", err)
		return &url.URL{}
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("the browser ended on status %d: %v\n%s", answer.StatusCode, err, page)
	}
	return answer.Request.URL
}

// cachedHistory returns the history id up to which the database caches the
// mailbox, or 0.
func (d *testHome) cachedHistory(address string) uint64 {
	d.t.Helper()
	db, err := sqlite.Open(d.t.Context(), filepath.Join(d.home, "kota.db"), sqlite.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	defer db.Close()
	history, err := mailcache.New(db, "local", address).History(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return history
}

func TestSigningInEndToEnd(t *testing.T) {
	d := newTestHome(t)
	if _, stderr, status := d.run("auth", "login"); status != 1 || !strings.Contains(stderr, "kota auth client FILE") {
		t.Errorf("without a client: status %d, %s", status, stderr)
	}
	d.storeClient()
	if out := d.must("auth"); !strings.Contains(out, "kota auth login") || strings.Contains(out, "kota auth client") {
		t.Errorf("status before anyone signed in: %s", out)
	}
	_, stderr, status := d.run("call", "gmail_list_labels")
	if status != 1 || !strings.Contains(stderr, `"SIGN_IN_REQUIRED"`) {
		t.Errorf("a call before anyone signed in: status %d, %s", status, stderr)
	}
	if discovered := d.must("discover", "--json", "labels of my mail"); !strings.Contains(discovered, "gmail_list_labels") {
		t.Errorf("the action is not found before anyone signed in: %s", discovered)
	}
	if described := d.must("describe", "gmail", "list_labels"); !strings.Contains(described, "kota auth login") {
		t.Errorf("the bundle does not say what is missing: %s", described)
	}

	landed, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann})
	if status != 0 || !strings.Contains(stdout, "Signed in as "+ann) || !strings.Contains(stdout, "read, organise, write and send mail") {
		t.Fatalf("login: status %d\n%s\n%s", status, stdout, stderr)
	}
	if landed.Hostname() != "127.0.0.1" {
		t.Errorf("the browser ended on %s, want this machine", landed)
	}
	d.must("call", "gmail_list_labels")
	var shown struct{ Accounts []signin.State }
	if err := json.Unmarshal([]byte(d.must("auth", "status", "--json")), &shown); err != nil {
		t.Fatal(err)
	}
	if len(shown.Accounts) != 1 || shown.Accounts[0].Address != ann || !shown.Accounts[0].Default || len(shown.Accounts[0].Missing) > 0 || shown.Accounts[0].Problem != "" {
		t.Errorf("status: %+v", shown.Accounts)
	}

	d.google.User(ann).Deliver(bundletest.GoogleMail{From: "bob@example.com", To: ann, Subject: "Lunch", Text: "At noon?"})
	d.must("call", "gmail_search_messages", "query=lunch")
	if history := d.cachedHistory(ann); history == 0 {
		t.Error("nothing is kept of the mailbox, so that the test proves nothing")
	}
	d.must("auth", "logout")
	if history := d.cachedHistory(ann); history != 0 {
		t.Errorf("the mailbox is kept, up to %d of its history, after logout", history)
	}
	if _, stderr, status := d.run("call", "gmail_list_labels"); status != 1 || !strings.Contains(stderr, `"SIGN_IN_REQUIRED"`) {
		t.Errorf("a call after logout: status %d, %s", status, stderr)
	}
	if d.google.Calls("revoke") != 1 {
		t.Errorf("Google was asked to revoke %d times, want once", d.google.Calls("revoke"))
	}
}

func TestLogoutDeletesCachedMailWithoutGoogle(t *testing.T) {
	d := newTestHome(t)
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	d.google.User(ann).Deliver(bundletest.GoogleMail{From: "bob@example.com", To: ann, Subject: "Lunch", Text: "At noon?"})
	d.must("call", "gmail_search_messages", "query=lunch")
	if d.cachedHistory(ann) == 0 {
		t.Fatal("nothing is kept of the mailbox, so that the test proves nothing")
	}
	d.google.Fault(bundletest.GoogleFault{Method: "revoke", Status: http.StatusInternalServerError})
	if _, stderr, status := d.run("auth", "logout"); status != 1 || !strings.Contains(stderr, "Google was not informed") {
		t.Errorf("logout: status %d, %s", status, stderr)
	}
	if history := d.cachedHistory(ann); history != 0 {
		t.Errorf("the mailbox is kept, up to %d of its history", history)
	}
}

func TestErrorsAddressTerminalUserOrModel(t *testing.T) {
	d := newTestHome(t)
	file := filepath.Join(t.TempDir(), "web.json")
	writeFile(t, file, []byte(`{"web": {}}`))
	_, stderr, _ := d.run("auth", "client", file)
	if !strings.Contains(stderr, "Google Auth Platform → Clients") || !strings.Contains(stderr, "download its JSON. Run `kota auth client FILE` with it. `kota auth client --help` prints the steps") || !strings.Contains(stderr, "1. Create a project") {
		t.Errorf("a client of another type: %s", stderr)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"Make an OAuth client", []string{"auth", "login"}},
		{"Run `kota auth login`", []string{"auth", "logout"}},
	} {
		if _, stderr, _ := d.run(c.args...); !strings.Contains(stderr, c.says) || strings.Contains(stderr, "The user") || strings.Contains(stderr, ".;") {
			t.Errorf("%q: %s", c.args, stderr)
		}
	}
	if _, stderr, _ := d.run("call", "gmail_list_labels"); !strings.Contains(stderr, `"The user has to make an OAuth client`) {
		t.Errorf("a call: %s", stderr)
	}
}

func TestDoctorChecksAccounts(t *testing.T) {
	d := newTestHome(t)
	if out := d.must("doctor"); !strings.Contains(out, "note  google         gmail cannot be used yet: nobody is signed in to Google") && !strings.Contains(out, "gmail and calendar cannot be used yet: nobody") {
		t.Errorf("with nobody signed in: %s", out)
	}
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	if out := d.must("doctor"); !strings.Contains(out, ann+" may read, organise, write and send mail") {
		t.Errorf("signed in: %s", out)
	}
	token := filepath.Join(d.home, "tokens", ann+".json")
	if err := os.Chmod(token, 0o644); err != nil {
		t.Fatal(err)
	}
	out, _, status := d.run("doctor")
	if status != 1 || !strings.Contains(out, "chmod") {
		t.Errorf("a token that others can read: status %d, %s", status, out)
	}
	if _, stderr, status := d.run("call", "gmail_list_labels"); status != 1 || !strings.Contains(stderr, "chmod 600") {
		t.Errorf("a call with it: status %d, %s", status, stderr)
	}
	if _, _, status := d.run("call", "memory_list"); status != 0 {
		t.Error("another bundle does not go on")
	}
}

func TestSignOutOfDefaultPicksNextAccount(t *testing.T) {
	d := newTestHome(t)
	const bob = "bob@example.com"
	d.google.User(bob)
	d.storeClient()
	for _, who := range []string{ann, bob} {
		if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: who}); status != 0 {
			t.Fatal(stderr)
		}
	}
	if out := d.must("auth", "default", bob); !strings.Contains(out, bob+" is the default account now.") {
		t.Errorf("default: %s", out)
	}
	d.google.ClearLog()
	if stdout, stderr, status := d.run("--profile", "read-only", "auth", "logout"); status != 1 || !strings.Contains(stderr, "WRITES_DISABLED") || len(d.google.Requests()) > 0 {
		t.Errorf("logout under read-only: %d %s%s; Google was asked %d times", status, stdout, stderr, len(d.google.Requests()))
	}
	if out := d.must("auth", "logout"); !strings.Contains(out, "Signed out of "+bob) || !strings.Contains(out, ann+" is the default account now.") {
		t.Errorf("logout: %s", out)
	}
	if out := d.must("call", "gmail_list_labels", "account="+ann); !strings.Contains(out, "INBOX") {
		t.Errorf("the account that stays: %s", out)
	}
	if _, stderr, status := d.run("call", "gmail_list_labels", "account="+bob); status != 1 || !strings.Contains(stderr, `"VALIDATION_ERROR"`) {
		t.Errorf("the account that went: status %d, %s", status, stderr)
	}
}
