package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/signin"
)

func TestSignInRequestsScopesOfProfile(t *testing.T) {
	const base, days = "https://www.googleapis.com/auth/gmail.", "https://www.googleapis.com/auth/calendar."
	for name, c := range map[string]struct {
		config  string
		want    []string
		bundles string
	}{
		"everything":    {"", []string{base + "modify", base + "settings.basic"}, ""},
		"reading alone": {"profile: read-only\n", []string{base + "readonly"}, ""},
		"one action":    {"profile: mine\nprofiles: {mine: {actions: [gmail_list_labels]}}\n", []string{base + "readonly"}, ""},
		"the calendar":  {"", []string{days + "acls.readonly", days + "calendarlist", days + "calendars", days + "events", days + "readonly"}, "calendar: on"},
		"reading it":    {"profile: read-only\n", []string{days + "readonly"}, "calendar: on"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTestHome(t)
			d.bundles = cmp.Or(c.bundles, d.bundles)
			d.storeClient()
			d.configure(c.config)
			_, _, stderr, _ := d.signIn(bundletest.GoogleConsent{User: ann})
			asked, err := url.Parse(printedAddress.FindStringSubmatch(stderr)[1])
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Fields(asked.Query().Get("scope"))
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestUngrantedActionsAreHiddenAndNameRemedy(t *testing.T) {
	d := newTestHome(t)
	d.storeClient()
	_, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann, Untick: []string{settingsScope}})
	if status != 0 || !strings.Contains(stdout, "Not granted: change filters and the vacation reply.") {
		t.Fatalf("login: status %d\n%s\n%s", status, stdout, stderr)
	}
	if out := d.must("discover", "--json", "filter incoming mail automatically"); strings.Contains(out, "manage_filter") {
		t.Errorf("what was not granted is offered: %s", out)
	}
	before := len(d.google.Requests())
	_, stderr, status = d.run("call", "gmail_manage_filter", `{"operation": "list"}`)
	if status != 1 || !strings.Contains(stderr, `"SCOPE_MISSING"`) || !strings.Contains(stderr, "kota auth login --account "+ann+"` and tick every box") {
		t.Errorf("a call of it: status %d, %s", status, stderr)
	}
	if after := len(d.google.Requests()); after != before {
		t.Errorf("%d requests went out for a call that cannot be", after-before)
	}
}

const settingsScope = "https://www.googleapis.com/auth/gmail.settings.basic"

func TestSignInWithoutUsefulScopesStoresNothing(t *testing.T) {
	const modify = "https://www.googleapis.com/auth/gmail.modify"
	for name, c := range map[string]struct {
		empty, flags []string
		says         string
	}{
		"no box at all": {[]string{modify, settingsScope}, nil,
			"kota: you did not allow KOTA to read, organise, write and send mail, or to change filters and the vacation reply; nothing was stored. Run `kota auth login` again and tick every box\n"},
		"not the box of mail": {[]string{modify}, nil,
			"kota: you did not allow KOTA to read, organise, write and send mail; nothing was stored. Run `kota auth login` again and tick every box\n"},
		"no box, with a name": {[]string{modify, settingsScope}, []string{"--account", "work"},
			"Run `kota auth login --account work` again and tick every box\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTestHome(t)
			d.storeClient()
			_, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann, Untick: c.empty}, c.flags...)
			if status != 1 || stdout != "" || !strings.HasSuffix(stderr, c.says) {
				t.Errorf("status %d\n%s\n%s", status, stdout, stderr)
			}
			if out := d.must("auth"); !strings.Contains(out, "Not signed in") {
				t.Errorf("status: %s", out)
			}
		})
	}
}

func TestSignInNeedsNameIfAddressIsUnreadable(t *testing.T) {
	d := newTestHome(t)
	d.storeClient()
	d.configure("profile: away\nprofiles: {away: {actions: [gmail_manage_vacation]}}\n")
	_, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann})
	if status != 1 || stdout != "" || !strings.HasSuffix(stderr, "run `kota auth login --account NAME` to name it yourself\n") {
		t.Errorf("status %d\n%s\n%s", status, stdout, stderr)
	}
	if _, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}, "--account", "work"); status != 0 || !strings.Contains(stdout, "Signed in as work") {
		t.Errorf("with a name: status %d\n%s\n%s", status, stdout, stderr)
	}
}

func TestSecondSignInReplacesOrAddsScopes(t *testing.T) {
	d := newTestHome(t)
	d.storeClient()
	granted := func() []string {
		var shown struct{ Accounts []signin.State }
		if err := json.Unmarshal([]byte(d.must("auth", "status", "--json")), &shown); err != nil || len(shown.Accounts) != 1 {
			t.Fatalf("%v: %+v", err, shown)
		}
		return signin.DescribeScopes(shown.Accounts[0].Granted)
	}
	const all, less = "read, organise, write and send mail; change filters and the vacation reply", "read, organise, write and send mail"
	for _, step := range []struct {
		does  string
		empty []string
		flags []string
		want  string
	}{
		{"everything", nil, nil, all},
		{"a box less", []string{settingsScope}, nil, less},
		{"everything again", nil, []string{"--account", ann}, all},
		{"a box less, by name", []string{settingsScope}, []string{"--account", ann}, less},
		{"everything once more", nil, nil, all},
		{"a box less, but adding", []string{settingsScope}, []string{"--bundles", "gmail"}, all},
	} {
		if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann, Untick: step.empty}, step.flags...); status != 0 {
			t.Fatalf("%s: %s", step.does, stderr)
		}
		if got := signin.JoinWords(granted()); got != step.want {
			t.Errorf("%s: KOTA may %s, want %s", step.does, got, step.want)
		}
	}
	d.configure("profile: read-only\n")
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	if got := signin.JoinWords(granted()); got != "read mail" {
		t.Errorf("under a narrower profile KOTA may %s", got)
	}
}

func TestAbandonedSignInReportsNothingStored(t *testing.T) {
	d := newTestHome(t)
	d.storeClient()
	ctx, interrupt := context.WithCancelCause(t.Context())
	stderr := &watchedOutput{onLine: func(line string) {
		if printedAddress.MatchString(line) {
			interrupt(errors.New("interrupt signal received"))
		}
	}}
	err := run(ctx, []string{"auth", "login", "--no-browser"}, d.env, strings.NewReader(""), io.Discard, stderr)
	if err == nil || err.Error() != "the sign-in was cancelled; nothing was stored" {
		t.Errorf("got %v", err)
	}
}

func TestDecliningAtGoogleStoresNothing(t *testing.T) {
	d := newTestHome(t)
	d.storeClient()
	_, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann, Deny: true})
	if status != 1 || stdout != "" || !strings.Contains(stderr, "declined") {
		t.Errorf("status %d\n%s\n%s", status, stdout, stderr)
	}
	if out := d.must("auth"); !strings.Contains(out, "Not signed in") {
		t.Errorf("status: %s", out)
	}
}

func TestSignInAcceptsPastedAddress(t *testing.T) {
	d := newTestHome(t)
	d.storeClient()
	d.google.SetConsent(bundletest.GoogleConsent{User: ann})
	keyboard, typing := io.Pipe()
	elsewhere := http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Hostname() == "127.0.0.1" && r.URL.Query().Has("code") {
			return http.ErrUseLastResponse // the host is not this machine
		}
		return nil
	}}
	browse := func(line string) {
		match := printedAddress.FindStringSubmatch(line)
		if match == nil {
			return
		}
		go func() {
			answer, err := elsewhere.Get(match[1])
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
			_, _ = io.WriteString(typing, "what?\n"+answer.Header.Get("Location")+"\n")
		}()
	}
	stdout, stderr, status := d.runWith(keyboard, browse, "auth", "login", "--no-browser", "--account", "work")
	if status != 0 || !strings.Contains(stdout, "Signed in as work ("+ann) {
		t.Errorf("status %d\n%s\n%s", status, stdout, stderr)
	}
}

func TestSignInReportsDisabledAPI(t *testing.T) {
	d := newTestHome(t)
	d.storeClient()
	d.google.Fault(bundletest.GoogleFault{Method: "gmail.users.getProfile", Status: 403, Reason: "accessNotConfigured"})
	_, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann})
	if status != 1 || stdout != "" || !strings.Contains(stderr, "Enable the API") {
		t.Errorf("status %d\n%s\n%s", status, stdout, stderr)
	}
}
