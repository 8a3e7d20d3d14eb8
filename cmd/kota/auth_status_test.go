package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// newHomeWithToken returns a home in which Ann has signed in.
func newHomeWithToken(t *testing.T) (d *testHome, token string) {
	t.Helper()
	d = newTestHome(t)
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	return d, filepath.Join(d.home, "tokens", ann+".json")
}

func TestUnusableTokenShowsOnlyProblemAndRemedy(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(file string) error
		remedy string
	}{
		"empty":          {func(file string) error { return os.Truncate(file, 0) }, "Run `kota auth login --account " + ann + "`."},
		"cut short":      {func(file string) error { return os.Truncate(file, 100) }, "Run `kota auth login --account " + ann + "`."},
		"read by others": {func(file string) error { return os.Chmod(file, 0o644) }, "Run: chmod 600 "},
		"a folder":       {func(file string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o700)) }, "Run: mv "},
		"a link": {func(file string) error {
			return errors.Join(os.Rename(file, file+".old"), os.Symlink(file+".old", file))
		}, "Run: rm "},
	} {
		t.Run(name, func(t *testing.T) {
			d, token := newHomeWithToken(t)
			if err := c.spoil(token); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"auth status", "auth status --json", "doctor"} {
				out, _, status := d.run(strings.Fields(command)...)
				if status != 1 || strings.Count(out, c.remedy) != 1 {
					t.Errorf("kota %s: status %d, want %q once in\n%s", command, status, c.remedy, out)
				}
				for _, never := range []string{"signed in", "signed_in", "age_days", `days_left"`, "days ago", "not granted", "nothing", "null"} {
					if strings.Contains(out, never) {
						t.Errorf("kota %s says %q:\n%s", command, never, out)
					}
				}
				if remedies := strings.Count(out, "kota auth login"); strings.HasPrefix(c.remedy, "Run: ") && remedies > 0 {
					t.Errorf("kota %s names another remedy:\n%s", command, out)
				}
			}
		})
	}
}

func TestEndedSignInIsShownUntilNextSignIn(t *testing.T) {
	d, _ := newHomeWithToken(t)
	d.google.RevokeGrants(ann)
	if out := d.must("auth", "status"); strings.Contains(out, "ended") {
		t.Errorf("before anybody asked Google: %s", out)
	}
	if _, stderr, status := d.run("call", "gmail_list_labels"); status != 1 || !strings.Contains(stderr, "SIGN_IN_REQUIRED") {
		t.Errorf("a call: status %d, %s", status, stderr)
	}
	for _, command := range []string{"auth status", "auth status --json", "doctor"} {
		out, _, status := d.run(strings.Fields(command)...)
		if status != 1 || !strings.Contains(out, "Google has ended this sign-in (seen on 20") || !strings.Contains(out, "kota auth login --account "+ann) {
			t.Errorf("kota %s: status %d, %s", command, status, out)
		}
	}
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatal(stderr)
	}
	if out := d.must("auth", "status"); strings.Contains(out, "accepts") || !strings.Contains(out, "token in a file") {
		t.Errorf("without asking Google: %s", out)
	}
	if out := d.must("auth", "status", "--check", "--json"); !strings.Contains(out, `"checked":true`) {
		t.Errorf("as JSON: %s", out)
	}
	if out := d.must("auth", "status", "--check"); strings.Contains(out, "ended") || !strings.Contains(out, "Google accepts it now") {
		t.Errorf("after a sign-in: %s", out)
	}
	d.google.RevokeGrants(ann)
	if out, _, status := d.run("auth", "status", "--check"); status != 1 || !strings.Contains(out, "cannot be used") || !strings.Contains(out, "invalid_grant") {
		t.Errorf("asking Google: status %d, %s", status, out)
	}
}

func TestStatusAndDoctorReportDamagedClient(t *testing.T) {
	for _, who := range []string{"with an account", "with none"} {
		d := newTestHome(t)
		if who == "with an account" {
			d, _ = newHomeWithToken(t)
		}
		writeFile(t, filepath.Join(d.home, "google-client.json"), []byte(`{"installed": {`))
		for _, command := range []string{"auth status", "auth status --json", "doctor"} {
			out, _, status := d.run(strings.Fields(command)...)
			if status != 1 || !strings.Contains(out, "he stored OAuth client cannot be used") || !strings.Contains(out, "kota auth client FILE") {
				t.Errorf("%s: kota %s: status %d, %s", who, command, status, out)
			}
		}
	}
}

func TestMissingDefaultStopsCallsWithoutAccount(t *testing.T) {
	d, _ := newHomeWithToken(t)
	writeFile(t, filepath.Join(d.home, "tokens", "default"), []byte("nobody\n"))
	for _, command := range []string{"call gmail_list_labels", "call gmail_list_labels account=*", "auth status", "doctor", "auth logout"} {
		out, stderr, _ := d.run(strings.Fields(command)...)
		if output := out + stderr; !strings.Contains(output, "kota auth default ACCOUNT") || !strings.Contains(output, "nobody") {
			t.Errorf("kota %s: %s", command, output)
		}
	}
	if out := d.must("call", "gmail_list_labels", "account="+ann); !strings.Contains(out, "INBOX") {
		t.Errorf("by name: %s", out)
	}
	d.must("auth", "default", ann)
	d.must("call", "gmail_list_labels")
}

func TestStatusPrintsTestingNoticeOnce(t *testing.T) {
	for _, testing := range []bool{false, true} {
		d := newTestHome(t)
		const bob = "bob@example.com"
		d.google.User(bob)
		d.storeClient()
		if testing {
			d.google.SetTestingStatus()
		}
		for _, who := range []string{ann, bob} {
			_, out, stderr, status := d.signIn(bundletest.GoogleConsent{User: who})
			if status != 0 || strings.Count(out, "after 7 days") != 1 {
				t.Errorf("login says %s\n%s", out, stderr)
			}
		}
		out := d.must("auth", "status")
		if strings.Count(out, "after 7 days") != 1 || strings.Contains(out, "ends this sign-in in 7 days") != testing {
			t.Errorf("in testing: %v, status says\n%s", testing, out)
		}
		if out := d.must("doctor"); strings.Contains(out, "testing") || strings.Contains(out, "7 days") {
			t.Errorf("the doctor says\n%s", out)
		}
	}
}
