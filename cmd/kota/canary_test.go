package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// homeSecrets returns every secret of the home: the OAuth client's, and all long
// texts in the token files that are not public.
func (d *testHome) homeSecrets() map[string]string {
	d.t.Helper()
	found := map[string]string{}
	for _, file := range []string{"google-client.json", "tokens/" + ann + ".json"} {
		raw, err := os.ReadFile(filepath.Join(d.home, filepath.FromSlash(file)))
		if err != nil {
			d.t.Fatal(err)
		}
		var content any
		if err := json.Unmarshal(raw, &content); err != nil {
			d.t.Fatal(err)
		}
		collectSecrets(found, "", content)
	}
	return found
}

// collectSecrets collects the texts below keys that name a secret.
func collectSecrets(found map[string]string, key string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			collectSecrets(found, name, inner)
		}
	case string:
		if strings.Contains(key, "secret") || strings.Contains(key, "access") || strings.Contains(key, "refresh") && len(v) > 30 {
			found[key] = v
		}
	}
}

func TestOutputContainsNoSecret(t *testing.T) {
	t.Parallel()
	d := newTestHome(t)
	d.configure("log: debug\n")
	d.storeClient()
	landed, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann})
	if status != 0 {
		t.Fatal(stderr)
	}
	canaries := d.homeSecrets()
	canaries["code"] = landed.Query().Get("code")
	for _, name := range []string{"client_secret", "access_token", "refresh_token", "code"} {
		if len(canaries[name]) < 10 {
			t.Fatalf("there is no %s to look for: %v", name, canaries)
		}
	}

	d.must("auth", "status")
	d.must("auth", "client")
	d.must("doctor")
	d.must("call", "gmail_list_labels")
	d.google.ExpireTokens() // so that KOTA requests a new access token
	d.must("call", "gmail_list_labels")
	for name, value := range d.homeSecrets() {
		canaries["new "+name] = value
	}
	for _, fault := range []bundletest.GoogleFault{
		{Method: "gmail.users.labels.list", Status: 401}, {Method: "gmail.users.labels.list", Status: 403, Reason: "insufficientPermissions"},
		{Method: "gmail.users.labels.list", Answer: bundletest.GoogleGarbage}, {Method: "token", Status: 500}, {Method: "token", Answer: bundletest.GoogleHTML},
	} {
		withdraw := d.google.Fault(fault)
		d.google.ExpireTokens()
		if _, stderr, status := d.run("call", "gmail_list_labels"); status != 1 {
			t.Errorf("%+v: status %d, %s", fault, status, stderr)
		}
		withdraw()
	}
	d.google.RevokeGrants(ann)
	d.google.ExpireTokens()
	d.run("call", "gmail_list_labels")
	d.run("auth", "login", "--no-browser", "--account", "../../x")
	d.printed.WriteString(d.serve(
		toolCall("1", "gmail_list_labels", object{}) + toolCall("2", "kota_discover_bundles", object{"query": "mail"}) +
			toolCall("3", "kota_describe_bundle", object{"bundle": "gmail"})))
	d.run("auth", "logout")

	for name, canary := range canaries {
		if strings.Contains(d.printed.String(), canary) {
			t.Errorf("the %s was printed", name)
		}
	}
	d.checkNoFileContains(canaries)
}

// serve runs the server on those lines and returns all it wrote, on both
// streams.
func (d *testHome) serve(lines string) string {
	d.t.Helper()
	stdout, stderr, status := d.runWith(strings.NewReader(initializeLine+lines), nil, "serve")
	if status != 0 || !strings.Contains(stdout, "gmail_list_labels") {
		d.t.Errorf("serve: status %d, %s %s", status, stdout, stderr)
	}
	return stdout + stderr
}

// checkNoFileContains looks for the secrets in every file of the home that is not meant to
// hold them.
func (d *testHome) checkNoFileContains(canaries map[string]string) {
	d.t.Helper()
	err := filepath.WalkDir(d.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "tokens" {
			return errorOr(err, fs.SkipDir)
		}
		if entry.IsDir() || entry.Name() == "google-client.json" {
			return nil
		}
		raw, err := os.ReadFile(path)
		for name, canary := range canaries {
			if strings.Contains(string(raw), canary) {
				d.t.Errorf("the %s is in %s", name, entry.Name())
			}
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func errorOr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}
