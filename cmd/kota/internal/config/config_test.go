package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/policy"
	"kota/metadata"
)

var update = flag.Bool("update", false, "rewrite golden files")

var testKnown = testBundles()

// testBundles returns bundles with few tools, and all others that the built-in
// default names.
func testBundles() []KnownBundle {
	list := []KnownBundle{
		{Key: "memory", Tools: []string{"memory_get", "memory_set"}},
		{Key: "gmail", Tools: []string{"gmail_search"}, Tags: []string{"mail", "find", "mail"}},
		{Key: "calendar", Tools: []string{"calendar_list_calendars"}},
		{Key: "daily", Tools: []string{"daily_log"}},
	}
	root, _ := parseConfig(DefaultText)
	for _, entry := range entryOf(root, "bundles").Value.(*ast.MappingNode).Values {
		key := entry.Key.GetToken().Value
		if !slices.ContainsFunc(list, func(k KnownBundle) bool { return k.Key == key }) {
			list = append(list, KnownBundle{Key: key})
		}
	}
	return list
}

// loadText loads text as the file named by --config.
func loadText(t *testing.T, text []byte) (Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bundles.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(environment(t, nil), Flags{File: file}, testKnown)
}

// wantMistake returns the text of a *mistake.Error.
func wantMistake(t *testing.T, err error) string {
	t.Helper()
	usage := (*mistake.Error)(nil)
	if !errors.As(err, &usage) {
		t.Fatalf("got error %v, want a *mistake.Error", err)
	}
	return usage.Error()
}

// wantUsage checks that err is a *mistake.Error in which every line names a
// file and a line. It returns its text without folder names.
func wantUsage(t *testing.T, err error) string {
	t.Helper()
	usage := (*mistake.Error)(nil)
	if !errors.As(err, &usage) {
		t.Fatalf("got error %v, want a *mistake.Error", err)
	}
	lines := []string{}
	for _, line := range strings.Split(usage.Error(), "\n") {
		_, base, found := strings.Cut(line, "bundles.yaml:")
		if !found {
			t.Errorf("line %q names no file and line", line)
		}
		lines = append(lines, "bundles.yaml:"+base)
	}
	return strings.Join(lines, "\n") + "\n"
}

// The archive holds pairs of files: NAME.yaml, and NAME.want with its problems.
func TestBadFilesReportEveryProblemWithLine(t *testing.T) {
	const golden = "testdata/bad.txtar"
	archive, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var updated []txtar.File
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	for _, f := range archive.Files {
		name, isYAML := strings.CutSuffix(f.Name, ".yaml")
		if !isYAML {
			continue
		}
		t.Run(name, func(t *testing.T) {
			_, err := loadText(t, f.Data)
			got := wantUsage(t, err)
			updated = append(updated, f, txtar.File{Name: name + ".want", Data: []byte(got)})
			if !*update && got != want[name+".want"] {
				t.Errorf("problems differ (-want +got):\n%s", cmp.Diff(want[name+".want"], got))
			}
		})
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: updated}), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// These do not fit in a text archive.
func TestBadBytesReportTheirLine(t *testing.T) {
	repeat := func(text string) []byte { return bytes.Repeat([]byte(text), maxConfigBytes/len(text)) }
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"empty":             {nil, "bundles.yaml:1: the file has no settings; allowed: the keys expose, "},
		"NUL":               {[]byte("send: ask\nlog: \x00info\n"), "bundles.yaml:2: there is the control character U+0000"},
		"escape":            {[]byte("send: \x1b[31mask\n"), "bundles.yaml:1: there is the control character U+001B"},
		"lone CR":           {[]byte("send: ask\rlog: info\n"), "bundles.yaml:1: there is the control character U+000D"},
		"not UTF-8":         {[]byte("# caf\xe9\nsend: ask\n"), "bundles.yaml:1: the text is not UTF-8; allowed: UTF-8"},
		"UTF-16":            {[]byte("\xff\xfes\x00e\x00"), "bundles.yaml:1: the text is UTF-16; allowed: UTF-8"},
		"a program":         {[]byte("\x7fELF\x02\x01\x01"), "bundles.yaml:1: there is the control character U+007F"},
		"64 KiB and a byte": {bytes.Repeat([]byte("#"), maxConfigBytes+1), "bundles.yaml:1: the file is too large; allowed: at most 64 KiB"},
		"many keys":         {repeat("a: b\n"), "the file is too long; allowed: 5000 "},
		"deep lists":        {repeat("- "), "the file is too long"},
		"deep flow lists":   {repeat("["), "the file is too long"},
		"deep flow maps":    {repeat("{a: "), "the file is too long"},
		"many merge keys":   {repeat("<<"), "merge keys (<<) are not used here"},
		"endless text":      {append([]byte("send: |"), repeat("\n")[:60<<10]...), "block text (| or >) is not used here"},
		"many documents":    {repeat("---\n"), "the file is too long"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loadText(t, c.text)
			if got := wantUsage(t, err); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q in it", got, c.want)
			}
		})
	}
}

func TestProblemListIsCapped(t *testing.T) {
	_, err := loadText(t, []byte(strings.Repeat("nonsense: 1\n", 100)))
	got := strings.Split(strings.TrimSpace(wantUsage(t, err)), "\n")
	if len(got) != maxProblems+1 || got[maxProblems] != "bundles.yaml:21: there are 80 more problems" {
		t.Errorf("got %d lines, the last %q", len(got), got[len(got)-1])
	}
}

func TestGoodFilesLoad(t *testing.T) {
	base, err := Load(environment(t, nil), Flags{}, testKnown)
	if err != nil {
		t.Fatal(err)
	}
	on, off := Bundle{Enabled: true}, Bundle{}
	for name, c := range map[string]struct {
		text string
		want func(*Config)
	}{
		"a file of {} is the default": {"{}", func(*Config) {}},
		"BOM and CRLF":                {"\uFEFFsend: allow\r\nbundles:\r\n  gmail: on\r\n", func(c *Config) { c.Gates.Send = "allow"; c.Bundles["gmail"] = on }},
		"every way to say off": {"bundles:\n  memory: off\n  gmail: {enabled: No}\n", func(c *Config) {
			c.Bundles["memory"], c.Bundles["gmail"] = off, off
		}},
		"a bundle left out keeps its default": {"bundles: {gmail: {enabled: true}}", func(c *Config) { c.Bundles["gmail"] = on }},
		"all lines of a mapping commented":    {"profiles:\n#  x: {}\nbundles:\n", func(*Config) {}},
		"no core tools":                       {"expose: core\ncore_tools: []\n", func(c *Config) { c.Expose = mcpserver.ExposeCore; c.CoreTools = []string{} }},
		"a tab before a comment":              {"send: allow\t# yes\n\t# more\n\t\n", func(c *Config) { c.Gates.Send = "allow" }},
		"document marks":                      {"---\nsend: allow\n...\n", func(c *Config) { c.Gates.Send = "allow" }},
		"quoted values":                       {"'send': \"refuse\"\n", func(c *Config) { c.Gates.Send = "refuse" }},
		"a profile used before it is made": {"profile: mine\nprofiles: {mine: {effects: [reads, sends], bundles: [memory]}}\n", func(c *Config) {
			c.Profile = "mine"
			c.Profiles["mine"] = Profile{Effects: []metadata.Effect{"reads", "sends"}, Bundles: []string{"memory"}}
		}},
		"a role": {"explain_hidden: yes\nprofiles:\n  desk:\n    description: mail\n    instructions: [Be brief., Be kind.]\n    tags: [mail]\n    actions: [gmail_*, memory_get]\n    without: [gmail_search]\n", func(c *Config) {
			c.ExplainHidden = true
			c.Profiles["desk"] = Profile{
				Description: "mail", Instructions: "Be brief.\nBe kind.",
				Tags: []string{"mail"}, Actions: []string{"gmail_*", "memory_get"}, Without: []string{"gmail_search"},
			}
		}},
		"another zone and an early day": {"timezone: Asia/Kolkata\nday_starts: \"00:30\"\n", func(c *Config) {
			c.Zone, c.DayStarts = location("Asia/Kolkata"), 30*time.Minute
		}},
		"folders for attachments": {"attachments:\n  from: [/srv/papers/, /srv/papers, /srv/a/../b]\n  into: /srv/in\n", func(c *Config) {
			c.Attachments = Attachments{From: []string{"/srv/papers", "/srv/b"}, Into: "/srv/in"}
		}},
		"a server that others reach": {"http:\n  tls: {cert: /etc/kota/cert.pem, key: /etc/kota/key.pem}\n  hosts: [Kota.Example.com]\n", func(c *Config) {
			c.HTTP = HTTP{Cert: "/etc/kota/cert.pem", Key: "/etc/kota/key.pem", Hosts: []string{"kota.example.com"}}
		}},
		"answers with structured content":   {"structured: on\n", func(c *Config) { c.Structured = mcpserver.StructuredOn }},
		"answers as text alone":             {"structured: off\n", func(c *Config) { c.Structured = mcpserver.StructuredOff }},
		"a listing that follows the stages": {"staged_listing: yes\n", func(c *Config) { c.StagedListing = true }},
		"an issuer of tokens": {"http:\n  oauth:\n    issuer: https://x.eu.auth0.com/\n    audience: https://Kota.example.com/mcp\n    scopes: [kota]\n    owners: {auth0|1: ann, 1076: bob-2}\n", func(c *Config) {
			c.HTTP = HTTP{Hosts: []string{"kota.example.com"}, OAuth: OAuth{
				Issuer: "https://x.eu.auth0.com/", Audience: "https://Kota.example.com/mcp", Scopes: []string{"kota"}, Owners: map[string]string{"auth0|1": "ann", "1076": "bob-2"},
			}}
		}},
		"one that lets nobody in yet": {"http: {oauth: {issuer: \"http://127.0.0.1:9\", audience: \"http://localhost:8321\", owners: }}\n", func(c *Config) {
			c.HTTP = HTTP{Hosts: []string{"localhost"}, OAuth: OAuth{Issuer: "http://127.0.0.1:9", Audience: "http://localhost:8321", Owners: map[string]string{}}}
		}},
		"an endpoint here gets memories": {"search: {embeddings: {endpoint: \"http://[::1]:1234/v1/\", model: m}}\n", func(c *Config) {
			c.Embeddings = Embeddings{Endpoint: "http://[::1]:1234/v1", Model: "m", Memories: true}
		}},
		"one elsewhere is not": {"search: {embeddings: {endpoint: \"https://api.openai.com/v1\", model: text-embedding-3-small}}\n", func(c *Config) {
			c.Embeddings = Embeddings{Endpoint: "https://api.openai.com/v1", Model: "text-embedding-3-small"}
		}},
		"unless it is to": {"search: {embeddings: {memories: yes, endpoint: \"https://api.openai.com/v1\", model: m}}\n", func(c *Config) {
			c.Embeddings = Embeddings{Endpoint: "https://api.openai.com/v1", Model: "m", Memories: true}
		}},
		"a local model": {"search: {embeddings: {}, model: /models/potion/../potion-base-8M/}\n", func(c *Config) {
			c.SearchModel = filepath.FromSlash("/models/potion-base-8M")
		}},
		"who is known": {"send_to: [Example.org, known]\nbundles: {gmail: {enabled: true, send_to: known}}\n", func(c *Config) {
			c.Gates.SendTo = policy.Recipients{"example.org", policy.Known}
			gmail := c.Bundles["gmail"]
			gmail.Enabled, gmail.Gates.SendTo = true, policy.Recipients{policy.Known}
			c.Bundles["gmail"] = gmail
		}},
		"who may be reached": {"send_to: [Ann@Example.com, BÜCHER.example, \"*.Example.org\"]\ntaint: off\n", func(c *Config) {
			c.Gates.SendTo, c.Taint = policy.Recipients{"ann@example.com", "xn--bcher-kva.example", "*.example.org"}, false
		}},
		"nobody may":         {"send_to: []\n", func(c *Config) { c.Gates.SendTo = policy.Recipients{} }},
		"nor by saying none": {"send_to:\n", func(c *Config) { c.Gates.SendTo = policy.Recipients{} }},
		"gates of a bundle": {"bundles: {gmail: {send: refuse, destroy: allow, send_to: everybody}}\n", func(c *Config) {
			c.Bundles["gmail"] = Bundle{Gates: policy.Gates{Send: "refuse", Destroy: "allow", SendTo: policy.Recipients{"everybody"}}}
		}},
		"gates of a profile": {"profiles: {mine: {send: draft, send_to: []}}\n", func(c *Config) {
			c.Profiles["mine"] = Profile{Gates: policy.Gates{Send: "draft", SendTo: policy.Recipients{}}}
		}},
		"google's endpoint": {"google: {endpoint: \"http://127.0.0.1:8080\"}\n", func(c *Config) { c.GoogleEndpoint = "http://127.0.0.1:8080" }},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := loadText(t, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			want := base
			want.Profiles, want.Bundles = builtinProfiles(), maps.Clone(base.Bundles)
			want.Bundles["memory"], want.Bundles["gmail"] = on, off
			c.want(&want)
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Config{}, "Home", "File", "Now", "ProfileLine"), cmpopts.IgnoreFields(Profile{}, "Lines"), sameZone); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBuiltInDefaultEqualsRootBundlesYAML(t *testing.T) {
	root, err := os.ReadFile("../../../../bundles.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("bundles.default.yaml", root, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(root, DefaultText) {
		t.Error("bundles.default.yaml differs from the root's bundles.yaml; run `go test ./cmd/kota/internal/config -update`")
	}
	for _, f := range topFields {
		if !bytes.Contains(root, []byte("\n"+f.name+":")) && !bytes.Contains(root, []byte("\n#"+f.name+":")) {
			t.Errorf("bundles.yaml does not show the key %s", f.name)
		}
	}
}

func TestDefaultWithoutFileCreatesNothing(t *testing.T) {
	env := environment(t, nil)
	got, err := Load(env, Flags{}, testKnown)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Bundles["memory"].Enabled || got.Bundles["gmail"].Enabled || got.File != "" || got.Gates.Send != policy.Ask || got.Profile != "full" {
		t.Errorf("got %+v", got)
	}
	if _, err := os.Stat(env("KOTA_HOME")); !os.IsNotExist(err) {
		t.Errorf("KOTA_HOME was created: %v", err)
	}
}

func TestFlagOverridesEnvironmentAndHome(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("log: info"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	home, byEnv, byFlag := file("bundles.yaml"), file("env.yaml"), file("flag.yaml")
	for _, c := range []struct{ env, flag, want string }{{"", "", home}, {byEnv, "", byEnv}, {byEnv, byFlag, byFlag}} {
		env := environment(t, map[string]string{"KOTA_HOME": folder, "KOTA_CONFIG": c.env})
		got, err := Load(env, Flags{File: c.flag}, testKnown)
		if err != nil || got.File != c.want {
			t.Errorf("got file %q, error %v, want %q", got.File, err, c.want)
		}
	}
}

func TestNamedFileMustExist(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "bundles.yaml")
	_, byFlag := Load(environment(t, nil), Flags{File: missing}, testKnown)
	_, byEnv := Load(environment(t, map[string]string{"KOTA_CONFIG": missing}), Flags{}, testKnown)
	for chosenBy, err := range map[string]error{"--config": byFlag, "KOTA_CONFIG": byEnv} {
		if got := wantUsage(t, err); !strings.Contains(got, chosenBy+" names a file that does not exist") {
			t.Errorf("got %q", got)
		}
	}
}

func TestDirectoryIsRefusedAsConfig(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "bundles.yaml")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Load(environment(t, nil), Flags{File: folder}, testKnown)
	if got := wantMistake(t, err); !strings.HasSuffix(got, "bundles.yaml is a folder; name a YAML file") {
		t.Errorf("got %q", got)
	}
}

func TestBadEnvironmentIsAUsageError(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"KOTA_HOME", "~/kota", "write the full path"},
		{"KOTA_NOW", "tomorrow", "RFC 3339"},
		{"KOTA_NOW", "2026-03-14", "RFC 3339"},
		{"KOTA_GOOGLE_ENDPOINT", "https://gmail.googleapis.com.evil.example", "allowed: http://127.0.0.1:PORT"},
		{"KOTA_GOOGLE_ENDPOINT", "http://gmail.googleapis.com", "allowed: http://127.0.0.1:PORT"},
		{"KOTA_GOOGLE_ENDPOINT", "http://user@127.0.0.1", "allowed: http://127.0.0.1:PORT"},
		{"KOTA_GOOGLE_ENDPOINT", "file:///etc/passwd", "allowed: http://127.0.0.1:PORT"},
	} {
		_, err := Load(environment(t, map[string]string{c.name: c.value}), Flags{}, testKnown)
		usage := (*mistake.Error)(nil)
		if !errors.As(err, &usage) || !strings.HasPrefix(err.Error(), c.name+"="+c.value) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: got %v", c.name, c.value, err)
		}
	}
}

func TestEnvironmentSetsHomeClockAndEndpoint(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Load(environment(t, map[string]string{
		"KOTA_HOME": "rel", "KOTA_NOW": "2026-03-14T09:26:53+01:00", "KOTA_GOOGLE_ENDPOINT": "http://[::1]:9",
	}), Flags{}, testKnown)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(here, "rel"); got.Home != want {
		t.Errorf("got home %q, want %q", got.Home, want)
	}
	if want := time.Date(2026, 3, 14, 8, 26, 53, 0, time.UTC); !got.Now().Equal(want) {
		t.Errorf("got now %v, want %v", got.Now(), want)
	}
	if got.GoogleEndpoint != "http://[::1]:9" {
		t.Errorf("got endpoint %q", got.GoogleEndpoint)
	}
}

// Neither a problem nor a print of the configuration shows the password.
func TestDatabaseURLIsNeverPrinted(t *testing.T) {
	const given = "postgres://kota:canary-password@db.example.com:5432/kota?sslmode=require"
	got, err := loadText(t, []byte("log: warn\ndatabase: "+given+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Database.URL != given || !strings.HasSuffix(got.Database.Source, "bundles.yaml:2") || !got.HasServer() || !got.Database.URL.HasPassword() {
		t.Errorf("got %s from %s", string(got.Database.URL), got.Database.Source)
	}
	encoded, err := json.Marshal(got.Database)
	if err != nil {
		t.Fatal(err)
	}
	log := strings.Builder{}
	slog.New(slog.NewTextHandler(&log, nil)).Info("read", "database", got.Database, "url", got.Database.URL)
	for _, printed := range []string{fmt.Sprint(got), fmt.Sprintf("%+v", got), fmt.Sprintf("%#v", got.Database), fmt.Sprintf("%s %q", got.Database.URL, got.Database.URL), string(encoded), log.String()} {
		if strings.Contains(printed, "canary") {
			t.Errorf("printed: %s", printed)
		}
	}
	for _, bad := range []string{
		"database: mysql://kota:canary-password@db/kota", "database: postgres://kota:canary@password@db/kota", "database: postgres://kota:canary-password@db:port/kota",
		"database: kota:canary-password", "database: {url: postgres://kota:canary-password@db/kota}", "database: postgres://kota:canary-password@db/kota: x",
		"database: postgres://kota:canary %zz@db/kota", "database: &a postgres://kota:canary-password@db/kota", "database: 'postgres://kota:canary-password@db/kota",
		"expose: postgres://kota:canary-password@db/kota", "attachments: {into: postgres://kota:canary-password@db/kota}", "http: {hosts: [postgres://kota:canary-password@db/kota]}",
		"timezone: postgres://kota:canary-password@db/kota", "day_starts: postgres://kota:canary-password@db/kota", "send_to: [postgres://kota:canary-password@db/kota]",
		"http: {oauth: {issuer: postgres://kota:canary-password@db/kota}}", "limits: {sends_per_hour: postgres://kota:canary-password@db/kota}",
		"bundles: {memory: postgres://kota:canary-password@db/kota}", "google: {endpoint: postgres://kota:canary-password@db/kota}",
	} {
		if _, err := loadText(t, []byte(bad+"\n")); err == nil || strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), "bundles.yaml:1: ") {
			t.Errorf("%s: got %v", bad, err)
		}
	}
	_, err = Load(environment(t, map[string]string{"KOTA_DATABASE_URL": "postgres://kota:canary@password@db/kota"}), Flags{}, testKnown)
	if err == nil || !strings.HasPrefix(err.Error(), "KOTA_DATABASE_URL: ") || strings.Contains(err.Error(), "canary") {
		t.Errorf("got %v", err)
	}
}

func FuzzConfigNeverPanicsNorHangs(f *testing.F) {
	f.Add(DefaultText)
	f.Add([]byte("bundles: {memory: on, gmail: {enabled: no}}"))
	f.Add([]byte("profiles:\n  x: {effects: [reads]}\n? a\n: &b !c *d\n---\n%e"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4<<10 {
			return
		}
		cfg := Config{Profiles: builtinProfiles(), Bundles: map[string]Bundle{}}
		err := applyConfig(&cfg, "bundles.yaml", text, testKnown)
		if err != nil {
			wantUsage(t, err)
		}
	})
}

// sameZone compares zones by their names.
var sameZone = cmp.Comparer(func(a, b *time.Location) bool { return a == b || a != nil && b != nil && a.String() == b.String() })

func location(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // the zones in the tests exist
	}
	return zone
}

// environment returns an environment with these variables. It sets KOTA_HOME
// unless they do.
func environment(t *testing.T, variables map[string]string) func(string) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	return func(name string) string {
		if value, ok := variables[name]; ok {
			return value
		}
		if name == "KOTA_HOME" {
			return home
		}
		return ""
	}
}
