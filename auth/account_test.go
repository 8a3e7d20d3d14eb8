package auth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/auth"
)

func TestListHasDefaultFirst(t *testing.T) {
	w := newMachine(t)
	if names := w.names(); len(names) != 0 {
		t.Errorf("before anybody signed in: %v", names)
	}
	for _, name := range []string{"mia", "zoe", "ann", "bob"} {
		w.signInAs(name)
		w.advance(time.Minute)
	}
	if got := w.names(); !slices.Equal(got, []string{"mia", "ann", "bob", "zoe"}) {
		t.Errorf("got %v", got)
	}
	if err := w.SetDefault("ZOE@example.com"); err != nil {
		t.Fatal(err)
	}
	w.restart()
	if got := w.names(); !slices.Equal(got, []string{"zoe", "ann", "bob", "mia"}) {
		t.Errorf("got %v", got)
	}
	t.Run("and the oldest inherits it for good", func(t *testing.T) {
		if err := w.Logout(t.Context(), "zoe"); err != nil {
			t.Fatal(err)
		}
		if got := w.names(); !slices.Equal(got, []string{"mia", "ann", "bob"}) {
			t.Errorf("got %v", got)
		}
		w.advance(time.Minute)
		w.signInAs("mia")
		w.signInAs("zoe")
		if got := w.names(); !slices.Equal(got, []string{"mia", "ann", "bob", "zoe"}) {
			t.Errorf("after new sign-ins: got %v", got)
		}
	})
}

func TestMissingDefaultIsNotReplaced(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.signInAs("bob")
	for file, name := range map[string]string{"nobody\n": "nobody", "": "", "../bob": "", strings.Repeat("x", 2000): ""} {
		write(t, filepath.Join(w.home, "tokens", "default"), file)
		_, err := w.get("")
		if none, ok := errors.AsType[*auth.NoDefaultError](err); !ok || none.Name != name || !slices.Equal(none.Known, []string{"ann", "bob"}) {
			t.Errorf("%.20q: got %v", file, err)
		}
		if all, err := w.List(); err != nil || len(all) != 2 || all[0].Default || all[1].Default {
			t.Errorf("%.20q: got %+v, %v", file, all, err)
		}
		if body, err := w.get("bob"); body != "hello" || err != nil {
			t.Errorf("%.20q: by name: got %q, %v", file, body, err)
		}
		if w.signInAs("bob").Default {
			t.Errorf("%.20q: signing in chose another one", file)
		}
	}
	if err := w.SetDefault("bob"); err != nil {
		t.Fatal(err)
	}
	if bob, err := w.Find(""); err != nil || bob.Name != "bob" {
		t.Errorf("after a choice: got %+v, %v", bob, err)
	}
	t.Run("unless there is no choice", func(t *testing.T) {
		for _, name := range []string{"ann", "bob"} {
			if err := w.Logout(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		write(t, filepath.Join(w.home, "tokens", "default"), "nobody")
		if eve := w.signInAs("eve"); !eve.Default {
			t.Errorf("got %+v", eve)
		}
	})
}

func TestFindByNameOrAddress(t *testing.T) {
	w := newMachine(t)
	if _, err := w.Find("ann"); !isError(auth.ErrSignedOut)(err) {
		t.Errorf("got %v", err)
	}
	w.signInAs("ann")
	w.signInAs("bob")
	for asked, want := range map[string]string{
		"": "ann", " ": "ann", "bob": "bob", "BOB": "bob", "Bob@Example.com": "bob", "ann@example.com": "ann",
	} {
		if got, err := w.Find(asked); err != nil || got.Name != want {
			t.Errorf("%q: got %q, %v", asked, got.Name, err)
		}
	}
	for _, asked := range []string{"eve", "../ann", "ann\x00", "*"} {
		_, err := w.Find(asked)
		if !isA[*auth.UnknownAccountError](err) || !strings.Contains(err.Error(), "ann, bob") {
			t.Errorf("%q: got %v", asked, err)
		}
		if err := w.SetDefault(asked); !isA[*auth.UnknownAccountError](err) {
			t.Errorf("%q: got %v", asked, err)
		}
	}
}

func TestAccountNameIsValidFileName(t *testing.T) {
	w := newMachine(t)
	for _, name := range []string{"ann@example.com", "o'brien+x@sub.example.com", "a", "default", "7", strings.Repeat("n", 128)} {
		if _, err := w.Login(t.Context(), w.login(name)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"../x", "a/b", `a\b`, ".hidden", "-rf", "a b", "a\nb", "a\x00b", "con", "NUL.txt", "com1", "*", "ä", "a:b", strings.Repeat("n", 129), " ", "a|b", `a"b`,
	} {
		if _, err := w.Login(t.Context(), w.login(name)); !isError(auth.ErrBadName)(err) {
			t.Errorf("%q: got %v", name, err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(w.home, "tokens"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 || strings.HasSuffix(entry.Name(), ".tmp") {
			t.Errorf("%s has mode %v, %v", entry.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(filepath.Join(w.home, "tokens")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
}

func TestDamagedAccountDoesNotAffectOthers(t *testing.T) {
	for name, spoil := range damages {
		t.Run(name, func(t *testing.T) {
			w := newMachine(t)
			w.signInAs("ann")
			w.signInAs("bob")
			file := filepath.Join(w.home, "tokens", "ann.json")
			spoil(t, file)
			w.restart()
			if body, err := w.get("bob"); body != "hello" || err != nil {
				t.Errorf("the other one: got %q, %v", body, err)
			}
			ann, err := w.Find("")
			if err != nil || ann.Name != "ann" || !ann.Default || ann.Problem == nil {
				t.Errorf("the default became %+v, %v", ann, err)
			}
			unsafe := strings.Contains(name, "others") || name == "a link"
			if isA[*auth.UnsafeError](ann.Problem) != unsafe || isA[*auth.CorruptError](ann.Problem) == unsafe {
				t.Errorf("got %v", ann.Problem)
			}
			if says := ann.Problem.Error(); !strings.Contains(says, file) || strings.Contains(says, "CANARY") {
				t.Errorf("it says %s", says)
			}
			if name == "a link" && !strings.Contains(ann.Problem.Error(), "symbolic link") {
				t.Errorf("it says %s", ann.Problem)
			}
			if strings.Contains(name, "others") && !strings.Contains(ann.Problem.Error(), "chmod 600 ") {
				t.Errorf("it says %s", ann.Problem)
			}
			if _, err := w.get("ann"); err == nil || w.count("refresh_token") != 0 {
				t.Errorf("it was used all the same: %v", err)
			}
		})
	}
}

func TestFileDamagedWhileInUseIsRefused(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	client, _, err := w.HTTPClient(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := client.Get(w.URL + "/api/x"); err != nil || resp.StatusCode != 200 {
		t.Fatalf("got %v, %v", resp, err)
	}
	chmod(t, filepath.Join(w.home, "tokens", "ann.json"), 0o644)
	if _, err := client.Get(w.URL + "/api/x"); !isA[*auth.UnsafeError](err) {
		t.Errorf("got %v", err)
	}
}

func TestFolderWritableByOthersIsRefused(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	dir := filepath.Join(w.home, "tokens")
	for _, mode := range []os.FileMode{0o777, 0o770, 0o702} {
		chmod(t, dir, mode)
		_, err := w.List()
		if !isA[*auth.UnsafeError](err) || !strings.Contains(err.Error(), "chmod 700 "+dir) {
			t.Errorf("%v: got %v", mode, err)
		}
		if _, err := w.get("ann"); !isA[*auth.UnsafeError](err) {
			t.Errorf("%v: got %v", mode, err)
		}
	}
	chmod(t, dir, 0o755)
	if _, err := w.get("ann"); err != nil {
		t.Errorf("others may see the names: %v", err)
	}
}

func TestFileOfOtherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	w := newMachine(t)
	w.signInAs("ann")
	if err := os.Chown(filepath.Join(w.home, "tokens", "ann.json"), 65534, -1); err != nil {
		t.Fatal(err)
	}
	if ann, err := w.Find("ann"); err != nil || !isA[*auth.UnsafeError](ann.Problem) || !strings.Contains(ann.Problem.Error(), "chown") {
		t.Errorf("got %+v, %v", ann, err)
	}
}

func TestRemedyCommandIsQuoted(t *testing.T) {
	w := newMachine(t)
	w.home = filepath.Join(t.TempDir(), "it's $(here)")
	w.options.Home = w.home
	w.restart()
	if _, err := w.SetClient(w.client()); err != nil {
		t.Fatal(err)
	}
	w.signInAs("ann")
	chmod(t, filepath.Join(w.home, "tokens", "ann.json"), 0o644)
	ann, err := w.Find("ann")
	want := "chmod 600 '" + strings.ReplaceAll(w.home, "'", `'\''`) + "/tokens/ann.json'"
	if err != nil || ann.Problem == nil || !strings.HasSuffix(ann.Problem.Error(), want) {
		t.Errorf("got %v, %v, want %s", ann.Problem, err, want)
	}
}

func TestNewClientEndsSignInsOfOldOne(t *testing.T) {
	for name, file := range map[string]func(w *machine) string{
		"another id":       func(w *machine) string { return strings.ReplaceAll(string(w.client()), clientID, "other") },
		"another endpoint": func(w *machine) string { return strings.ReplaceAll(string(w.client()), "/token", "/evil") },
	} {
		w := newMachine(t)
		w.signInAs("ann")
		open, _, err := w.HTTPClient(t.Context(), "ann")
		if err != nil {
			t.Fatal(err)
		}
		w.advance(2 * time.Hour)
		if _, err := w.SetClient([]byte(file(w))); err != nil {
			t.Fatal(err)
		}
		ann, err := w.Find("")
		if err != nil || !isA[*auth.ExpiredError](ann.Problem) {
			t.Errorf("%s: got %v, %v", name, ann.Problem, err)
		}
		if _, err := w.get("ann"); !isA[*auth.ExpiredError](err) || len(w.bodies) != 1 {
			t.Errorf("%s: got %v after %d token requests", name, err, len(w.bodies))
		}
		if _, err := open.Get(w.URL + "/api/x"); !isA[*auth.ExpiredError](err) || len(w.bodies) != 1 {
			t.Errorf("%s: a client that is in use: got %v after %d token requests", name, err, len(w.bodies))
		}
	}
}

func TestDaysLeft(t *testing.T) {
	w := newMachine(t)
	ann := w.signInAs("ann")
	for after, want := range map[time.Duration]int{
		0: 7, 11 * time.Hour: 7, 13 * time.Hour: 6, 6 * 24 * time.Hour: 1, 7*24*time.Hour - time.Hour: 0, 7*24*time.Hour + time.Hour: -1, 9 * 24 * time.Hour: -2,
	} {
		if days, stated := ann.DaysLeft(ann.SignedIn.Add(after)); days != want || stated {
			t.Errorf("after %v: got %d, %v, want %d", after, days, stated, want)
		}
	}
	if got := ann.Age(ann.SignedIn.Add(time.Hour)); got != time.Hour {
		t.Errorf("its age is %v", got)
	}
	t.Run("as Google states them", func(t *testing.T) {
		w.more["refresh_token_expires_in"] = 3 * 24 * 3600
		ann := w.signInAs("ann")
		if days, stated := ann.DaysLeft(w.now()); days != 3 || !stated || !ann.Ends.Equal(w.now().Add(3*24*time.Hour)) {
			t.Errorf("got %d, %v, %v", days, stated, ann.Ends)
		}
		w.advance(2 * time.Hour)
		w.more["refresh_token_expires_in"] = 24 * 3600
		if _, err := w.get("ann"); err != nil {
			t.Fatal(err)
		}
		ann, err := w.Find("ann")
		if days, stated := ann.DaysLeft(w.now()); err != nil || days != 1 || !stated {
			t.Errorf("after a renewal: got %d, %v, %v", days, stated, err)
		}
	})
	for _, odd := range []any{-1, 1e300, "soon", nil, true, map[string]any{}} {
		w.more["refresh_token_expires_in"] = odd
		if ann := w.signInAs("bob"); !ann.Ends.IsZero() {
			t.Errorf("%v: got %v", odd, ann.Ends)
		}
	}
}

func FuzzAccountFile(f *testing.F) {
	w := newMachine(f)
	l := w.login("ann")
	if _, err := w.Login(context.Background(), l); err != nil {
		f.Fatal(err)
	}
	file := filepath.Join(w.home, "tokens", "ann.json")
	f.Add([]byte(read(f, file)))
	f.Add([]byte(`{"version":1,"name":"ann"}`))
	f.Add([]byte{0, 0, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		write(t, file, string(raw))
		accounts, err := w.List()
		if err != nil || len(accounts) != 1 || accounts[0].Name != "ann" {
			t.Fatalf("got %v, %v", accounts, err)
		}
		client, _, err := w.HTTPClient(t.Context(), "ann")
		if (err == nil) != (accounts[0].Problem == nil) {
			t.Fatalf("got %v with the problem %v", err, accounts[0].Problem)
		}
		if err != nil {
			return
		}
		req, err := http.NewRequest("GET", w.URL+"/api/x", nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := client.Do(req.WithContext(t.Context())); err == nil {
			resp.Body.Close()
		}
		if text := fmt.Sprintf("%+v", accounts); strings.Contains(text, "CANARY") {
			t.Fatalf("it shows %s", text)
		}
	})
}
