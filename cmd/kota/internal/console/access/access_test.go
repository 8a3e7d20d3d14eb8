package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// console is a Gate on a server, before pages that show who visits.
type console struct {
	*testing.T
	gate   *Gate
	server *httptest.Server
	now    time.Time
}

func newConsole(t *testing.T) *console {
	c := &console{T: t, now: time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)}
	gate, err := New([]byte(strings.Repeat("k", 32)), func() time.Time { return c.now }, func(w http.ResponseWriter, r *http.Request, v Visit) {
		fmt.Fprintf(w, "%s person=%q form=%s", r.Method, v.Person, v.Form)
	})
	if err != nil {
		t.Fatal(err)
	}
	c.gate, c.server = gate, httptest.NewServer(gate)
	t.Cleanup(c.server.Close)
	return c
}

// browser returns a client that keeps cookies, as a browser does.
func (c *console) browser() *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		c.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

// answer returns the status and the body of an answer.
func (c *console) answer(response *http.Response, err error) (int, string) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		c.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// press presses the button of the page at a link.
func (c *console) press(browser *http.Client, link string) (int, string) {
	c.Helper()
	address, key, _ := strings.Cut(link, "?k=")
	return c.answer(browser.PostForm(address, url.Values{"k": {key}}))
}

func (c *console) signedIn(person string) *http.Client {
	c.Helper()
	browser := c.browser()
	if status, body := c.press(browser, c.gate.Link(c.server.URL, person)); status != http.StatusOK || !strings.Contains(body, fmt.Sprintf("person=%q", person)) {
		c.Fatalf("signing in: %d %s", status, body)
	}
	return browser
}

func TestALinkWorksOnce(t *testing.T) {
	c := newConsole(t)
	link := c.gate.Link(c.server.URL, "ann")
	for range 3 { // previews look, and use nothing up
		if status, body := c.answer(http.Get(link)); status != http.StatusOK || !strings.Contains(body, "<button") {
			t.Fatalf("the page of the link: %d %s", status, body)
		}
	}
	if status, _ := c.press(c.browser(), link); status != http.StatusOK {
		t.Fatalf("the first press: %d", status)
	}
	if status, body := c.press(c.browser(), link); status != http.StatusUnauthorized || !strings.Contains(body, "used before") {
		t.Errorf("the second press: %d %s", status, body)
	}
}

func TestOneOfTwoPressesTogetherWins(t *testing.T) {
	c := newConsole(t)
	link := c.gate.Link(c.server.URL, "")
	statuses := make(chan int, 20)
	var all sync.WaitGroup
	for range cap(statuses) {
		all.Go(func() {
			status, _ := c.press(c.browser(), link)
			statuses <- status
		})
	}
	all.Wait()
	close(statuses)
	won := 0
	for status := range statuses {
		if status == http.StatusOK {
			won++
		}
	}
	if won != 1 {
		t.Errorf("%d presses signed in, want 1", won)
	}
}

func TestALinkWorksForAMinute(t *testing.T) {
	c := newConsole(t)
	link := c.gate.Link(c.server.URL, "")
	c.now = c.now.Add(61 * time.Second)
	for _, get := range []func() (int, string){
		func() (int, string) { return c.answer(http.Get(link)) },
		func() (int, string) { return c.press(c.browser(), link) },
	} {
		if status, body := get(); status != http.StatusUnauthorized || !strings.Contains(body, "kota console") {
			t.Errorf("after a minute: %d %s", status, body)
		}
	}
}

func TestASessionEnds(t *testing.T) {
	c := newConsole(t)
	home := c.server.URL + c.gate.Base
	browser := c.signedIn("")
	c.now = c.now.Add(sessionLife + time.Second)
	if status, _ := c.answer(browser.Get(home)); status != http.StatusUnauthorized {
		t.Errorf("after %v: %d", sessionLife, status)
	}
	browser = c.signedIn("")
	stolen := browser.Jar.Cookies(mustParse(t, home))[0]
	_, body := c.answer(browser.Get(home))
	_, form, _ := strings.Cut(body, "form=")
	if status, body := c.answer(browser.PostForm(home+"out", url.Values{FormField: {form}})); status != http.StatusOK || !strings.Contains(body, "signed out") {
		t.Fatalf("signing out: %d %s", status, body)
	}
	request, _ := http.NewRequest(http.MethodGet, home, nil)
	request.AddCookie(stolen)
	if status, _ := c.answer(http.DefaultClient.Do(request)); status != http.StatusUnauthorized {
		t.Errorf("the cookie after signing out: %d", status)
	}
}

// No text that KOTA has not made is a session, also not a link's.
func TestForgedSessionsAreRefused(t *testing.T) {
	c := newConsole(t)
	other, err := New([]byte(strings.Repeat("o", 32)), c.gate.now, nil)
	if err != nil {
		t.Fatal(err)
	}
	valid, _ := c.gate.issue(sessionUse, "ann", time.Hour)
	link, _ := c.gate.issue(linkUse, "ann", time.Hour)
	foreign, _ := other.issue(sessionUse, "ann", time.Hour)
	old, _ := c.gate.issue(sessionUse, "ann", -time.Second)
	forged := map[string]string{"a link": link, "of another key": foreign, "expired": old, "empty": "", "short": "AAAA", "cut": valid[:len(valid)-4], "not base64": "§§"}
	for i := range valid {
		flipped := []byte(valid)
		flipped[i] ^= 1
		forged[fmt.Sprintf("byte %d changed", i)] = string(flipped)
	}
	for name, value := range forged {
		if claims, ok := c.gate.read(sessionUse, value); ok {
			t.Errorf("%s: accepted as %+v", name, claims)
		}
	}
	if claims, ok := c.gate.read(sessionUse, valid); !ok || claims.person != "ann" {
		t.Errorf("the valid session: %+v, %v", claims, ok)
	}
}

func TestFormsOfOthersAreRefused(t *testing.T) {
	c := newConsole(t)
	home := c.server.URL + c.gate.Base
	browser, eve := c.signedIn("ann"), c.signedIn("eve")
	token := func(of *http.Client) string {
		_, body := c.answer(of.Get(home))
		_, form, _ := strings.Cut(body, "form=")
		return form
	}
	own := token(browser)
	tests := []struct {
		name   string
		form   string
		header [2]string
		want   int
	}{
		{"its own", own, [2]string{}, http.StatusOK},
		{"no token", "", [2]string{}, http.StatusForbidden},
		{"the token of another session", token(eve), [2]string{}, http.StatusForbidden},
		{"from another site", own, [2]string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{"from another port", own, [2]string{"Sec-Fetch-Site", "same-site"}, http.StatusForbidden},
		{"from another origin", own, [2]string{"Origin", "http://127.0.0.1:1"}, http.StatusForbidden},
		{"from a sandbox", own, [2]string{"Origin", "null"}, http.StatusForbidden},
		{"an old browser on KOTA's page", own, [2]string{"Origin", c.server.URL}, http.StatusOK},
	}
	for _, test := range tests {
		request, err := http.NewRequest(http.MethodPost, home+"memory/x", strings.NewReader(url.Values{FormField: {test.form}}.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if test.header[0] != "" {
			request.Header.Set(test.header[0], test.header[1])
		}
		if status, body := c.answer(browser.Do(request)); status != test.want {
			t.Errorf("a form, %s: %d, want %d\n%s", test.name, status, test.want, body)
		}
	}
}

func TestLargeFormsAreRefused(t *testing.T) {
	c := newConsole(t)
	browser := c.signedIn("")
	status, body := c.answer(browser.PostForm(c.server.URL+c.gate.Base+"memory/x", url.Values{"value": {strings.Repeat("x", 10<<20)}}))
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(body, "2 MB") {
		t.Errorf("10 MB: %d %s", status, body)
	}
}

// Every answer has the headers, also a refusal, and shows nothing of the console.
func TestEveryAnswerHasTheHeaders(t *testing.T) {
	c := newConsole(t)
	home := c.server.URL + c.gate.Base
	for _, address := range []string{home, home + "in?k=x", home + "memory/x", c.server.URL + Prefix, c.server.URL + Prefix + "/other/", c.server.URL + "/"} {
		response, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode < 400 {
			t.Errorf("%s without a session: %d", address, response.StatusCode)
		}
		h := response.Header
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if !strings.HasPrefix(h.Get(name), want) {
				t.Errorf("%s: %s: %q, want %q", address, name, h.Get(name), want)
			}
		}
		if csp := h.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: %s", address, csp)
		}
	}
}

// Another process of the same secret serves the session, under the same path.
func TestASessionWorksAtEveryProcess(t *testing.T) {
	first, second := newConsole(t), newConsole(t)
	if first.gate.Base != second.gate.Base {
		t.Fatalf("the paths differ: %s, %s", first.gate.Base, second.gate.Base)
	}
	browser := first.signedIn("ann")
	cookie := browser.Jar.Cookies(mustParse(t, first.server.URL+first.gate.Base))[0]
	request, _ := http.NewRequest(http.MethodGet, second.server.URL+second.gate.Base, nil)
	request.AddCookie(cookie)
	if status, body := second.answer(http.DefaultClient.Do(request)); status != http.StatusOK || !strings.Contains(body, `person="ann"`) {
		t.Errorf("at the other process: %d %s", status, body)
	}
}

func TestTheCookieIsForThisConsoleOnly(t *testing.T) {
	c := newConsole(t)
	for _, secure := range []bool{false, true} {
		address, key, _ := strings.Cut(c.gate.Link(c.server.URL, ""), "?k=")
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(url.Values{"k": {key}}.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if secure { // as a proxy says that the browser uses HTTPS
			request.Header.Set("X-Forwarded-Proto", "https")
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		cookie := response.Cookies()[0]
		if cookie.Path != c.gate.Base || !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Secure != secure || cookie.Domain != "" {
			t.Errorf("secure %v: %v", secure, cookie)
		}
		if location := response.Header.Get("Location"); location != c.gate.Base {
			t.Errorf("it leads to %q", location)
		}
	}
}

func mustParse(t *testing.T, address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Two processes share what was used.
func TestALinkWorksOnceInAllProcesses(t *testing.T) {
	first, second := newConsole(t), newConsole(t)
	var shared usedIDs
	spend := func(_ context.Context, link string, expires time.Time) error {
		var c claims
		copy(c.id[:], link[len(linkUse):])
		if c.expires = expires; !shared.add(c, first.now) {
			return errors.New("used")
		}
		return nil
	}
	first.gate.Spend, second.gate.Spend = spend, spend
	link := first.gate.Link("", "")
	if status, _ := first.press(first.browser(), first.server.URL+link); status != http.StatusOK {
		t.Fatalf("the first press: %d", status)
	}
	if status, _ := second.press(second.browser(), second.server.URL+link); status != http.StatusUnauthorized {
		t.Errorf("the second press, at another process: %d", status)
	}
}
