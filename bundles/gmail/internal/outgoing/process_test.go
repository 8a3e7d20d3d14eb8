package outgoing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailboxtest"
	"kota/bundles/internal/google"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/store/enginetest"
)

// The test binary also serves as the other process. If this variable is set, it sends the
// mail named in it and runs no tests.
const childMailEnv = "KOTA_GMAIL_CHILD"

func TestMain(m *testing.M) {
	asked := strings.Fields(os.Getenv(childMailEnv))
	if len(asked) == 0 {
		os.Exit(m.Run())
	}
	message, err := sendInChild(asked[0], asked[1], asked[2], asked[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(message)
}

// A carrier authorizes requests with the token of another process.
type tokenTransport struct{ token string }

func (c tokenTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+c.token)
	return http.DefaultTransport.RoundTrip(r)
}

func sendInChild(url, token, place, key string) (string, error) {
	db, err := enginetest.Place(place).Connect(mailboxtest.Tenant, nil)
	if err != nil {
		return "", err
	}
	defer db.Close()
	client := &http.Client{Transport: tokenTransport{token}}
	box, err := mailbox.New(mailbox.Source{
		Accounts: func() ([]google.Account, error) { return []google.Account{{Name: "home", Address: ada}}, nil },
		Client:   func(context.Context, string) (*http.Client, error) { return client, nil },
		Endpoint: func() string { return url },
		Stores:   mailboxtest.StoresIn(db),
		Now:      time.Now,
	}).Open(context.Background(), "")
	if err != nil {
		return "", err
	}
	m := &Sender{Mailbox: box, Options: Options{timeouts: killedTimeouts()}}
	sent, err := m.Deliver(bundletest.WithUserConsent(context.Background()), testMail(key, key))
	return sent.MessageID, err
}

// killedTimeouts returns the time limits of processes that are killed. Their leases would
// last too long, except on systems that cannot detect the end of a process.
func killedTimeouts() *timeouts {
	p := shortTimeouts()
	p.lease, p.renew, p.resolveAfter = time.Minute, 100*time.Millisecond, 400*time.Millisecond
	if runtime.GOOS == "windows" {
		p.lease = p.resolveAfter
	}
	return p
}

// startChild starts this binary as another process that sends a mail.
func startChild(t *testing.T, s *googletest.Server, token string, place enginetest.Place, key string) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command, stdout := exec.Command(self), &strings.Builder{}
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %s %s", childMailEnv, s.URL(), token, place, key))
	command.Stdout, command.Stderr = stdout, os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	return command, stdout
}

func TestTwoProcessesWithOneKeySendOneMail(t *testing.T) {
	s, place := googletest.New(t), enginetest.New(t)
	token := s.Token(ada, mailbox.ScopeModify)
	s.Fault(fakeapi.Fault{Method: draftsSend, Delay: 300 * time.Millisecond})
	one, first := startChild(t, s, token, place, "both")
	two, second := startChild(t, s, token, place, "both")
	for _, command := range []*exec.Cmd{one, two} {
		if err := command.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() || len(first.String()) < 5 {
		t.Errorf("they answer %q and %q", first, second)
	}
	if s.Calls(draftsSend) != 1 || countSent(s, "both") != 1 {
		t.Errorf("asked %d times to send, %d sent", s.Calls(draftsSend), countSent(s, "both"))
	}
}

// KOTA_CRASH_LOOPS sets how often a sender is killed.
func TestAKilledSenderSendsNothingTwice(t *testing.T) {
	loops := countFromEnv(t, "KOTA_CRASH_LOOPS", 6)
	s, place := googletest.New(t), enginetest.New(t)
	token := s.Token(ada, mailbox.ScopeModify)
	killed := 0
	for loop := range loops {
		key := fmt.Sprint("loop", loop)
		s.ClearLog()
		method := []string{draftsCreate, draftsSend}[loop%2]
		withdraw := s.Fault(fakeapi.Fault{Method: method, Status: 503, AfterEffect: loop%4 < 2, Delay: time.Duration(rand.IntN(20)) * time.Millisecond})
		if loop%3 == 0 { // a correct answer that comes late
			withdraw()
			withdraw = s.Fault(fakeapi.Fault{Method: method, Delay: 20 * time.Millisecond})
		}
		command, _ := startChild(t, s, token, place, key)
		for deadline := time.Now().Add(20 * time.Second); s.Calls(method) == 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond) // a random moment, because the test checks any moment
		if err := command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if _ = command.Wait(); command.ProcessState.ExitCode() == -1 {
			killed++
		}
		withdraw()
		again, answer := startChild(t, s, token, place, key)
		failed := again.Wait()
		got := countSent(s, key)
		if failed != nil && (method != draftsCreate || got != 0) { // a draft may exist, so the outcome is unknown
			t.Errorf("%s: %v", key, failed)
		}
		if failed == nil && got != 1 {
			t.Fatalf("%s: %d sent, answered %s", key, got, answer)
		}
	}
	if got := len(s.User(ada).Drafts()); got != 0 {
		t.Errorf("%d drafts are left", got)
	}
	t.Logf("killed %d of %d senders", killed, loops)
}

// countFromEnv returns the number in the environment variable, or usual if it is not set.
func countFromEnv(t *testing.T, name string, fallback int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
