package auth_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// An outputRecorder collects all output of this package: errors, logs, pages, and shown and printed
// text.
type outputRecorder struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (m *outputRecorder) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.text.Write(p)
}

func (m *outputRecorder) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.text.String()
}

// record records a value as a careless caller would print it, with all the errors that it
// wraps.
func (m *outputRecorder) record(value any) {
	fmt.Fprintf(m, "%v\n%+v\n%#v\n%s\n%q\n", value, value, value, value, value)
	if err, ok := value.(error); ok {
		slog.New(slog.NewJSONHandler(m, nil)).Info("x", "err", err)
		if inner := errors.Unwrap(err); inner != nil {
			m.record(inner)
		}
	}
}

// echoingEndpoint is the worst token endpoint: its errors quote the request.
func echoingEndpoint(status int, form string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, form, r.PostForm.Encode())
		return true
	}
}

// A leakyTransport is a network whose errors quote the request.
type leakyTransport struct{}

func (leakyTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(req.Body)
	return nil, fmt.Errorf("cannot send %v with %s", req.Header, body)
}

func TestSecretsNeverAppearInOutput(t *testing.T) {
	said := &outputRecorder{}
	w := newMachine(t)
	keyring := &memoryKeyring{items: map[string]string{}}
	w.options.Keyring = keyring
	w.options.Log = slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.restart()
	ask := func() {
		_, err := w.get("ann")
		said.record(err)
		accounts, err := w.List()
		said.record(accounts)
		said.record(err)
		said.record(w.Accounts)
	}
	login := func() {
		l := w.login("ann")
		l.Say = func(sentence string) { said.record(sentence) }
		l.Paste = strings.NewReader("http://127.0.0.1/?state=CANARY-pasted&code=CANARY-pasted\nCANARY-pasted\n")
		l.Browser = func(page string) error {
			back := redirectOf(t, page)
			for _, address := range []string{back.String() + "x", back.String(), "http://" + back.Host + "/" + back.RawQuery} {
				if resp, err := http.Get(address); err == nil {
					io.Copy(said, resp.Body)
					fmt.Fprint(said, resp.Header)
					resp.Body.Close()
				}
			}
			return errors.New("cannot open " + page)
		}
		account, err := w.Login(t.Context(), l)
		said.record(account)
		said.record(err)
	}
	fault := func(f func(http.ResponseWriter, *http.Request) bool) {
		w.fakeGoogle.mu.Lock()
		defer w.fakeGoogle.mu.Unlock()
		w.fault = f
	}
	faults := []func(http.ResponseWriter, *http.Request) bool{
		nil,
		echoingEndpoint(400, `{"error":"invalid_grant","error_description":%q}`), echoingEndpoint(401, `{"error":"invalid_client","error_uri":%q}`),
		echoingEndpoint(400, `{"error":%q}`), echoingEndpoint(500, `%s`), echoingEndpoint(200, `%s`), echoingEndpoint(200, `{"error":%q}`), echoingEndpoint(200, `{"access_token":"a b %s"}`), echoingEndpoint(200, `{"expires_in":%q}`),
		func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) },
	}
	for _, kept := range []error{nil, errTest} { // in the keyring, in the file
		keyring.err = kept
		for _, f := range faults {
			fault(nil)
			login()
			w.advance(2 * time.Hour)
			fault(f)
			ask()
			login()
			fault(nil)
			w.expire()
			_, err := w.do("ann", "POST")
			said.record(err)
			w.before = func(*http.Request) { w.expire() }
			ask()
			w.before = nil
		}
	}
	for _, spoil := range damages {
		login()
		file := filepath.Join(w.home, "tokens", "ann.json")
		spoil(t, file)
		ask()
		said.record(w.Logout(t.Context(), "ann"))
		os.Remove(file)
	}
	login()
	w.options.Transport = leakyTransport{}
	w.restart()
	w.advance(2 * time.Hour)
	_, err := w.get("ann")
	said.record(err)
	said.record(w.Logout(t.Context(), "ann"))
	client, err := w.Client()
	said.record(client)
	said.record(err)

	// The secrets: everything that the fake made up and everything that was sent to it.
	secrets := map[string]bool{clientSecret: true, "CANARY": true}
	for _, body := range w.bodies {
		form, err := url.ParseQuery(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"code", "code_verifier", "refresh_token", "client_secret"} {
			if form.Has(name) {
				secrets[form.Get(name)] = true
			}
		}
	}
	text := said.String()
	if len(secrets) < 60 || len(text) < 10_000 {
		t.Fatalf("only %d secrets and %d bytes: the test has lost its object", len(secrets), len(text))
	}
	for secret := range secrets {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%q was said: …%s…", secret, text[max(0, i-300):min(len(text), i+100)])
		}
	}
	t.Run("and only where tokens are kept is one written", func(t *testing.T) {
		err := filepath.WalkDir(w.home, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.Contains(path, "ann.json") || strings.HasSuffix(path, "google-client.json") {
				return err
			}
			if strings.Contains(read(t, path), "CANARY") {
				t.Errorf("%s has a secret", path)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
