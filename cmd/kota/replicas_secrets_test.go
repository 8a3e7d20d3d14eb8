package main

import (
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"kota/bundles/bundletest"
	"kota/store/postgres/pgtest"
)

const (
	oldKey = "canary-old-key-0123456789-abcdefghij"
	newKey = "canary-new-key-0123456789-abcdefghij"
)

// newTwoHomes returns two homes on two machines that use one database and one Google. No output may
// have a part of a key, of a token or of the password.
func newTwoHomes(t *testing.T) (a, b *testHome, database *pgx.Conn) {
	t.Helper()
	server := pgtest.Start(t)
	given, err := url.Parse(server.URL("", server.Database(t)))
	if err != nil {
		t.Fatal(err)
	}
	given.User = url.UserPassword(given.User.Username(), "canary-password")
	a = newTestHome(t)
	b = &testHome{t: t, bundles: a.bundles, home: filepath.Join(t.TempDir(), "home"), google: a.google}
	for _, d := range []*testHome{a, b} {
		d.database, d.secretsKey = given.String(), oldKey
		d.bundles = "gmail: on, memory: on"
		d.configure("")
		t.Cleanup(func() {
			if strings.Contains(d.printed.String(), "canary") {
				t.Errorf("a key or the password was printed:\n%s", d.printed.String())
			}
		})
	}
	database, err = pgx.Connect(t.Context(), given.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { database.Close(t.Context()) })
	return a, b, database
}

// signInAt signs ann in at a replica.
func signInAt(t *testing.T, d *testHome) {
	t.Helper()
	d.storeClient()
	if _, stdout, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, stdout, stderr)
	}
}

// fails runs a command that must fail with that text on stderr.
func (d *testHome) fails(want string, args ...string) {
	d.t.Helper()
	stdout, stderr, status := d.run(args...)
	if status == 0 || !strings.Contains(stderr, want) {
		d.t.Errorf("kota %s: status %d, want %q\n%s\n%s", strings.Join(args, " "), status, want, stdout, stderr)
	}
}

// renewals returns how often Google was asked for a new access token.
func (d *testHome) renewals() int {
	n := 0
	for _, r := range d.google.Requests() {
		if strings.HasSuffix(r.Path, "/token") {
			n++
		}
	}
	return n
}

func TestSignInOfOneReplicaWorksAtTheOther(t *testing.T) {
	t.Parallel()
	a, b, database := newTwoHomes(t)
	signInAt(t, a)
	b.must("call", "gmail_list_labels")
	if got := b.must("auth", "status"); !strings.Contains(got, ann) {
		t.Errorf("the other replica knows %s", got)
	}

	t.Log("both renew a token that Google has ended, at the same moment")
	a.google.ExpireTokens()
	before := a.renewals()
	calls := sync.WaitGroup{}
	for _, d := range []*testHome{a, b} {
		calls.Go(func() {
			if _, stderr, status := d.run("call", "gmail_list_labels"); status != 0 {
				t.Errorf("status %d: %s", status, stderr)
			}
		})
	}
	calls.Wait()
	if got := a.renewals() - before; got != 1 {
		t.Errorf("Google was asked for %d tokens, want 1", got)
	}

	t.Log("nothing is in files, and nothing readable in the database")
	for _, d := range []*testHome{a, b} {
		if left, _ := filepath.Glob(filepath.Join(d.home, "tokens", "*")); len(left) > 0 {
			t.Errorf("the home has %q", left)
		}
		if left, _ := filepath.Glob(filepath.Join(d.home, "google-client.json")); len(left) > 0 {
			t.Errorf("the home has %q", left)
		}
	}
	text := ""
	if err := database.QueryRow(t.Context(), "SELECT string_agg(encode(sealed, 'escape'), ' ') FROM kota.secrets").Scan(&text); err != nil {
		t.Fatal(err)
	}
	for _, readable := range []string{"refresh_token", "client_secret", ann} {
		if strings.Contains(text, readable) {
			t.Errorf("the database has %s", readable)
		}
	}

	t.Log("signing out at one replica ends the sign-in at both")
	b.must("auth", "logout")
	a.fails("SIGN_IN_REQUIRED", "call", "gmail_list_labels")
}

func TestSecretMemoryOfOneReplicaOpensAtTheOther(t *testing.T) {
	t.Parallel()
	a, b, _ := newTwoHomes(t)
	a.must("call", "memory_set", `{"key": "pin", "value": "4711", "secret": true}`)
	if got := b.must("call", "memory_get", "query=pin"); !strings.Contains(got, "4711") {
		t.Errorf("the other replica sees %s", got)
	}
}

func TestMissingOrWrongKeySaysWhatToDo(t *testing.T) {
	t.Parallel()
	a, b, database := newTwoHomes(t)
	b.secretsKey = ""
	file := filepath.Join(t.TempDir(), "client.json")
	writeFile(t, file, b.google.ClientFile())
	b.fails("KOTA_SECRETS_KEY", "auth", "client", file)
	b.fails("set KOTA_SECRETS_KEY", "call", "memory_set", `{"key": "pin", "value": "4711", "secret": true}`)
	b.must("call", "memory_set", "key=tea", "value=green")
	signInAt(t, a)
	a.must("call", "memory_set", `{"key": "pin", "value": "4711", "secret": true}`)

	stored := func() (digest string) {
		t.Helper()
		if err := database.QueryRow(t.Context(), "SELECT md5(string_agg(kind || name || key_id || sealed::text, ' ' ORDER BY kind, name)) FROM kota.secrets").Scan(&digest); err != nil {
			t.Fatal(err)
		}
		return digest
	}
	before := stored()
	for _, key := range []string{"", newKey} {
		b.secretsKey = key
		b.fails("KOTA_SECRETS_KEY", "call", "gmail_list_labels")
		b.fails("KOTA_SECRETS_KEY", "auth", "status")
		b.fails("KOTA_SECRETS_KEY", "auth", "login", "--no-browser")
		b.fails("KOTA_SECRETS_KEY", "auth", "logout")
		b.fails("KOTA_SECRETS_KEY", "call", "memory_get", "query=pin")
		b.fails("KOTA_SECRETS_KEY", "call", "memory_set", `{"key": "pin", "value": "1234", "secret": true}`)
	}
	if stored() != before {
		t.Error("a process without the key has changed secrets")
	}
	b.secretsKey = "canary-short"
	b.fails("KOTA_SECRETS_KEY: key number 1 has 12 characters; at least 32 are needed", "auth", "status")
	b.secretsKey = oldKey
	b.must("call", "gmail_list_labels")
}

func TestKeyChangesWhileReplicasRun(t *testing.T) {
	t.Parallel()
	a, b, database := newTwoHomes(t)
	signInAt(t, a)
	a.must("call", "memory_set", `{"key": "pin", "value": "4711", "secret": true}`)
	var oldID int
	if err := database.QueryRow(t.Context(), "SELECT DISTINCT key_id FROM kota.secrets WHERE key_id > 0").Scan(&oldID); err != nil {
		t.Fatal(err)
	}

	t.Log("the new key is everywhere before it encrypts")
	a.secretsKey, b.secretsKey = oldKey+","+newKey, oldKey+","+newKey
	b.must("call", "gmail_list_labels")
	a.secretsKey = newKey + "," + oldKey
	stop, used := make(chan struct{}), sync.WaitGroup{}
	for _, d := range []*testHome{a, b} { // each has its own order of the keys
		used.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				d.google.ExpireTokens()
				if _, stderr, status := d.run("call", "gmail_list_labels"); status != 0 && !strings.Contains(stderr, "even with a new token") {
					t.Errorf("status %d: %s", status, stderr)
				}
				if out, stderr, status := d.run("call", "memory_get", "query=pin"); status != 0 || !strings.Contains(out, "4711") {
					t.Errorf("status %d: %s%s", status, out, stderr)
				}
			}
		})
	}
	rotating := &testHome{t: t, bundles: a.bundles, home: a.home, google: a.google, database: a.database, secretsKey: newKey + "," + oldKey}
	for range 3 { // as after an interruption
		rotating.must("secrets", "rotate")
	}
	close(stop)
	used.Wait()
	b.secretsKey = newKey + "," + oldKey
	rotating.must("secrets", "rotate")
	if got := rotating.must("secrets", "rotate"); !strings.Contains(got, "already encrypts every secret") {
		t.Errorf("the second time it says %s", got)
	}
	left := 0
	if err := database.QueryRow(t.Context(), "SELECT count(*) FROM kota.secrets WHERE key_id = $1", oldID).Scan(&left); err != nil || left > 0 {
		t.Errorf("%d secrets have the old key: %v", left, err)
	}
	listed := rotating.must("secrets")
	for _, want := range []string{"account", ann, "oauth client", "sealing key"} {
		if !strings.Contains(listed, want) {
			t.Errorf("%q is not listed:\n%s", want, listed)
		}
	}
	a.secretsKey, b.secretsKey = newKey, newKey
	b.must("call", "gmail_list_labels")
	if got := b.must("call", "memory_get", "query=pin"); !strings.Contains(got, "4711") {
		t.Errorf("after the change: %s", got)
	}
}

func TestOldKeyRemovedTooEarlyIsNamed(t *testing.T) {
	t.Parallel()
	a, b, _ := newTwoHomes(t)
	signInAt(t, a)
	b.secretsKey = newKey
	b.fails("needs the key", "call", "gmail_list_labels")
	b.fails("append the key", "secrets", "rotate")
	b.secretsKey = newKey + "\n" + oldKey
	b.must("secrets", "rotate")
	b.secretsKey = newKey
	b.must("call", "gmail_list_labels")
	a.fails("needs the key", "call", "gmail_list_labels")
	a.fails("run `kota secrets discard --yes` if the key is lost", "secrets", "discard")
	if got := a.must("secrets", "discard", "--yes"); !strings.Contains(got, "Deleted secrets: 3.") {
		t.Errorf("it says %s", got)
	}
	a.fails("SIGN_IN_REQUIRED", "call", "gmail_list_labels")
}

// A row of another person does not open, whoever copied it there.
func TestSecretOfAnotherPersonDoesNotOpen(t *testing.T) {
	t.Parallel()
	a, _, database := newTwoHomes(t)
	signInAt(t, a)
	copyRow := func(statement string) {
		t.Helper()
		if _, err := database.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	copyRow("INSERT INTO kota.secrets SELECT owner, kind, 'other@example.com', key_id, sealed, updated FROM kota.secrets WHERE kind = 'account'")
	if _, stderr, status := a.run("call", "gmail_list_labels", "account=other@example.com"); status == 0 || !strings.Contains(stderr, "SIGN_IN_REQUIRED") {
		t.Errorf("a row under another name: status %d, %s", status, stderr)
	}
	a.must("call", "gmail_list_labels", "account="+ann)
	copyRow("SELECT kota.kota_tenant('another')")
	copyRow("UPDATE kota.secrets SET owner = (SELECT id FROM kota.tenants WHERE name = 'another')")
	copyRow("UPDATE kota.tenants SET name = CASE name WHEN 'local' THEN 'moved' ELSE 'local' END")
	if out, stderr, status := a.run("call", "gmail_list_labels"); status == 0 {
		t.Errorf("rows of another person open: %s%s", out, stderr)
	}
	if got, _, _ := a.run("secrets"); !strings.Contains(got, "copied from elsewhere") {
		t.Errorf("the list says %s", got)
	}
}

func TestFilesAreImported(t *testing.T) {
	t.Parallel()
	a, b, _ := newTwoHomes(t)
	url := a.database
	a.database = ""
	signInAt(t, a)
	a.must("call", "gmail_list_labels")
	a.must("call", "memory_set", "key=pin", "value=1234", "secret=true")
	a.database = url
	a.fails("SIGN_IN_REQUIRED", "call", "gmail_list_labels")
	a.fails("UNAVAILABLE", "call", "memory_set", "key=other pin", "value=5678", "secret=true") // not with another key
	if got := a.must("secrets", "import"); !strings.Contains(got, "Copied 1 sign-in, the OAuth client and the key of secret memories.") {
		t.Errorf("it says %s", got)
	}
	b.must("call", "gmail_list_labels")
	b.must("call", "memory_set", "key=other pin", "value=5678", "secret=true")
	if got := a.must("secrets", "import"); !strings.Contains(got, "Copied nothing.") {
		t.Errorf("the second time it says %s", got)
	}
}

// A secret that the database got from another machine, before the key of the files was copied, stays
// readable; so do the secrets of the files.
func TestSecretsBeforeImportStayReadable(t *testing.T) {
	t.Parallel()
	a, b, _ := newTwoHomes(t)
	url := a.database
	a.database = ""
	signInAt(t, a)
	a.must("call", "memory_set", "key=pin", "value=1234", "secret=true")
	if got := a.must("migrate", "--to", url); !strings.Contains(got, "you: copied 1 sign-in, the OAuth client and the key of secret memories.") {
		t.Errorf("it says %s", got)
	}
	a.database = url
	if got := b.must("call", "memory_get", "query=pin"); !strings.Contains(got, "1234") {
		t.Errorf("after the move: %s", got)
	}
	b.must("call", "gmail_list_labels")

	t.Log("the database has a key of its own, and gets that of another folder")
	a, b, _ = newTwoHomes(t)
	url, a.database = a.database, ""
	a.must("call", "memory_set", "key=pin", "value=1234", "secret=true") // makes the key of the folder
	b.must("call", "memory_set", "key=door", "value=5678", "secret=true")
	signInAt(t, b)
	a.database = url
	if got := a.must("secrets", "import"); !strings.Contains(got, "Copied the key of secret memories.") {
		t.Errorf("it says %s", got)
	}
	for _, d := range []*testHome{a, b} {
		d.must("call", "memory_set", "key=window", "value=9999", "secret=true")
		for key, want := range map[string]string{"door": "5678", "window": "9999"} {
			if got := d.must("call", "memory_get", "query="+key); !strings.Contains(got, want) {
				t.Errorf("%s is %s", key, got)
			}
		}
		d.must("call", "gmail_list_labels")
	}
}

// With files, a profile that only reads stores sign-ins too.
func TestReadOnlyProfileStoresSignInOfNewPerson(t *testing.T) {
	t.Parallel()
	a, b, database := newTwoHomes(t)
	a.must("call", "memory_set", "key=tea", "value=green") // creates the tables
	if _, err := database.Exec(t.Context(), "UPDATE kota.tenants SET name = 'another'"); err != nil {
		t.Fatal(err)
	}
	b.configure("profile: read-only\n")
	signInAt(t, b)
	b.must("call", "gmail_list_labels")
	people := 0
	if err := database.QueryRow(t.Context(), "SELECT max(id) FROM kota.tenants").Scan(&people); err != nil || people != 2 {
		t.Errorf("the new person has the number %d, %v, want 2", people, err)
	}
}
