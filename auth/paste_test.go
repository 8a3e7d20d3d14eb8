package auth_test

import (
	"io"
	"strings"
	"sync"
	"testing"

	"kota/auth"
)

// A terminal is where a user without a browser signs in: they open the address elsewhere, and
// paste the one to which they were redirected.
type terminal struct {
	*io.PipeWriter
	mu   sync.Mutex
	said []string
}

func (w *machine) terminal(l *auth.Login) *terminal {
	lines, in := io.Pipe()
	screen := &terminal{PipeWriter: in}
	l.Browser, l.Paste = nil, lines
	l.Say = func(sentence string) {
		screen.mu.Lock()
		defer screen.mu.Unlock()
		screen.said = append(screen.said, sentence)
	}
	w.t.Cleanup(func() { in.Close() })
	return screen
}

func TestAddressCanBePasted(t *testing.T) {
	for name, form := range map[string]func(address, query string) string{
		"whole":                     func(address, _ string) string { return address },
		"with blanks around":        func(address, _ string) string { return "  " + address + "\t\r" },
		"in quotes":                 func(address, _ string) string { return `"` + address + `"` },
		"with what a browser added": func(address, _ string) string { return address + "#" },
		"its query":                 func(_, query string) string { return query },
		"its query with the mark":   func(_, query string) string { return "?" + query },
	} {
		t.Run(name, func(t *testing.T) {
			w := newMachine(t)
			l := w.login("ann")
			screen := w.terminal(&l)
			l.Show = func(page string) {
				go func() {
					back := redirectOf(t, page)
					io.WriteString(screen, "\n"+form(back.String(), back.RawQuery)+"\n")
				}()
			}
			account, err := w.Login(t.Context(), l)
			if err != nil || account.Name != "ann" || len(screen.said) != 0 {
				t.Errorf("got %+v, %v, and it said %q", account, err, screen.said)
			}
		})
	}
}

func TestWrongLineIsRequestedAgain(t *testing.T) {
	w := newMachine(t)
	l := w.login("ann")
	screen := w.terminal(&l)
	l.Show = func(page string) {
		go func() {
			back := redirectOf(t, page)
			lines := []string{
				"y", "CANARY-code-alone", "https://accounts.google.com/CANARY", "%zz?%zz=%", strings.Repeat("x", 100_000),
				"http://127.0.0.1:1/callback?state=CANARY&code=CANARY", "http://127.0.0.1:1/callback?state=CANARY&error=access_denied",
				back.String(),
			}
			for _, line := range lines {
				io.WriteString(screen, line+"\n")
			}
		}()
	}
	if _, err := w.Login(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if len(screen.said) != 7 {
		t.Errorf("it said %q", screen.said)
	}
	for _, sentence := range screen.said {
		if !strings.Contains(sentence, "http://127.0.0.1:") || strings.Contains(sentence, "CANARY") {
			t.Errorf("it said %q", sentence)
		}
	}
}

func TestDenialCanBePasted(t *testing.T) {
	w := newMachine(t)
	l := w.login("ann")
	screen := w.terminal(&l)
	l.Show = func(page string) {
		go func() {
			back := redirectOf(t, page)
			io.WriteString(screen, "?error=access_denied&state="+back.Query().Get("state")+"\n")
		}()
	}
	if _, err := w.Login(t.Context(), l); !isError(auth.ErrDenied)(err) {
		t.Errorf("got %v", err)
	}
}

func TestBrowserMayAnswerAfterLastLine(t *testing.T) {
	w := newMachine(t)
	l := w.login("ann")
	screen := w.terminal(&l)
	l.Show = func(page string) {
		go func() {
			screen.Close()
			if err := browse(page); err != nil {
				t.Error(err)
			}
		}()
	}
	if _, err := w.Login(t.Context(), l); err != nil {
		t.Error(err)
	}
}
