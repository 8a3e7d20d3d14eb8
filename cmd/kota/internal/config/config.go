// Package config builds one Config from bundles.yaml, the environment and the
// flags. No other package reads the file or interprets a KOTA_* variable.
//
// A mistake stops the program: the error is a *mistake.Error. It lists up to
// maxProblems problems of the file, with their lines. Nothing is guessed. Begin
// with Config and Load. fields.go has the keys of the file, applyEnvironment reads
// most variables, and edit.go changes the file and keeps its layout.
package config

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"kota/auth"
	"kota/bundles/staged"
	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/policy"
)

// DefaultText is the built-in bundles.yaml. It applies if there is no file, has
// the value of every key that a file omits, and is the text of a new file. It
// is a copy of the file at the root of the project, which go:embed cannot
// reach.
//
//go:embed bundles.default.yaml
var DefaultText []byte

// Config is everything that the user decides before the process starts. Nothing
// else in KOTA interprets bundles.yaml or a KOTA_* variable.
type Config struct {
	Home           string // absolute; holds bundles.yaml, the database and the tokens; it may not exist yet
	Owner          string // the owner of Home; "" for the user who runs KOTA
	Operator       string // the Home of the user who runs KOTA, if Home belongs to another owner; else ""
	File           string // the bundles.yaml that was read; "" for the built-in default
	Expose         mcpserver.Expose
	CoreTools      []string
	ToolBudget     int // tokens that tools/list may take under ExposeAuto
	Structured     mcpserver.StructuredMode
	StagedListing  bool
	Usage          bool               // whether uses are counted
	Profile        string             // a key of Profiles
	ProfileLine    int                // the line that chose it, in File or in the built-in default; 0 if --profile did
	ProfileFlag    bool               // --profile chose the profile
	Profiles       map[string]Profile // built-in and user-defined
	ExplainHidden  bool               // whether KOTA says what a profile hides
	Gates          policy.Gates       // for all bundles
	Taint          bool               // whether KOTA asks before an allowed send once the model has read untrusted content
	Limits         Limits             // how many sends, deletions and changes are allowed
	Log            slog.Level
	Attachments    Attachments
	Tokens         string   // where sign-ins are stored: tokensInKeyring or TokensInFiles
	Database       Database // the database server; without one, the file at DBPath
	Secrets        Secrets  // the keys of the secrets on the database server
	Embeddings     Embeddings
	SearchModel    string // absolute path of a local model for the search by meaning: a file or folder; "" for none
	HTTP           HTTP
	GoogleEndpoint string                // "" for Google's own; else a loopback or *.googleapis.com URL
	Zone           *time.Location        // the user's time zone; nil if bundles.yaml has none, see App.Zone
	DayStarts      time.Duration         // how long after midnight a day starts
	Templates      []staged.DocumentType // the user's own document types, in order
	Bundles        map[string]Bundle     // one for every known bundle
	Now            func() time.Time
	FixedNow       bool // KOTA_NOW has fixed the clock
}

// Bundle is what the user decides about one bundle.
type Bundle struct {
	Enabled bool
	Gates   policy.Gates // override Config.Gates
}

// KnownBundle is a bundle that bundles.yaml may name, enabled or not.
type KnownBundle struct {
	Key   string
	Tools []string // the names of its tools: "memory_set"
	Tags  []string // the tags of the bundle and of its actions
}

// Flags are the flags that choose the configuration.
type Flags struct {
	File    string // --config; "" if not given
	Profile string // --profile; "" if not given
	Owner   string // --owner; "" if not given
}

// DBPath returns the path of the file that is the database, unless Database names a server.
func (c Config) DBPath() string { return filepath.Join(c.Home, "kota.db") }

// Load returns the configuration from env, flags and bundles.yaml. A key that
// the file omits has its value from the built-in default. A bundle that
// neither the file nor the default names is disabled. Load creates nothing. Every
// error is or wraps a *mistake.Error. An error about the content of the file lists
// the first maxProblems problems.
func Load(env func(string) string, flags Flags, known []KnownBundle) (Config, error) {
	cfg, err := Default(known)
	if err != nil {
		return Config{}, err
	}
	if cfg.Home, err = HomeFolder(env); err != nil {
		return Config{}, err
	}
	if err := auth.CheckProtected(cfg.Home); err != nil {
		return Config{}, mistake.Errorf("KOTA_HOME: %v", err)
	}
	if info, err := os.Stat(cfg.Home); err == nil && !info.IsDir() {
		return Config{}, mistake.Errorf("%s is a file; KOTA needs a folder there: move the file, or set KOTA_HOME to a folder", cfg.Home)
	}
	file, chosenBy := configFile(env, flags, cfg.Home)
	raw, err := readConfig(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && chosenBy != "":
		return Config{}, mistake.Errorf("%s: %s names a file that does not exist; create it (it may contain {} for the defaults) or omit %s", file, chosenBy, chosenBy)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Config{}, err
	default:
		cfg.File = file
		if err := applyConfig(&cfg, file, raw, known); err != nil {
			return Config{}, err
		}
	}
	if err := applyEnvironment(&cfg, env); err != nil {
		return Config{}, err
	}
	cfg.ProfileFlag = flags.Profile != ""
	if err := chooseProfile(&cfg, flags.Profile); err != nil {
		return Config{}, err
	}
	return cfg, nil
}

// Default returns the built-in default. It has no home yet.
func Default(known []KnownBundle) (Config, error) {
	cfg := Config{Profiles: builtinProfiles(), Bundles: map[string]Bundle{}, Now: time.Now}
	for _, bundle := range known {
		cfg.Bundles[bundle.Key] = Bundle{}
	}
	err := applyConfig(&cfg, "built-in bundles.yaml", withoutComments(DefaultText), known)
	return cfg, err
}

// withoutComments empties the comment lines of a YAML text. Most lines of the
// built-in file are comments, and they are as slow to parse as the rest. No
// value of the text may have a line that begins with #, which would be lost.
func withoutComments(text []byte) []byte {
	var rest []byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
			rest = append(rest, line...)
		} else {
			rest = append(rest, '\n')
		}
	}
	return rest
}

// HomeFolder returns the absolute path of KOTA_HOME, by default the folder kota
// in the user's folder for configuration.
func HomeFolder(env func(string) string) (string, error) {
	home := env("KOTA_HOME")
	switch {
	case strings.HasPrefix(home, "~"):
		return "", mistake.Errorf("KOTA_HOME=%s: KOTA does not expand ~; write the full path", home)
	case home == "":
		base, err := os.UserConfigDir()
		if err != nil {
			return "", mistake.Errorf("find the folder for configuration: %v; set KOTA_HOME to the folder KOTA may use", err)
		}
		if !filepath.IsAbs(base) { // base comes from HOME
			return "", mistake.Errorf("HOME=%s is not a full path; set HOME or KOTA_HOME to the full path of a folder", env("HOME"))
		}
		return filepath.Join(base, "kota"), nil
	}
	home, err := filepath.Abs(home)
	if err != nil {
		return "", mistake.Errorf("KOTA_HOME: %v; set it to an absolute path", err)
	}
	return home, nil
}

// BareHome returns what HomeFolder returns in an environment that names only
// the user's home. Clients start programs in such an environment.
func BareHome() (string, error) {
	base, err := os.UserConfigDir()
	if os.Getenv("XDG_CONFIG_HOME") != "" && !slices.Contains([]string{"windows", "darwin", "ios", "plan9"}, runtime.GOOS) {
		base, err = os.UserHomeDir()
		base = filepath.Join(base, ".config")
	}
	return filepath.Join(base, "kota"), err
}

// makeHome creates the folder at home if absent, accessible only to its owner.
func makeHome(home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("create KOTA_HOME: %w", err)
	}
	return nil
}

// configFile returns the bundles.yaml to read and what chose it. chosenBy is ""
// for the file in home, which may be absent.
func configFile(env func(string) string, flags Flags, home string) (file, chosenBy string) {
	if flags.File != "" {
		return flags.File, "--config"
	}
	if file := env("KOTA_CONFIG"); file != "" {
		return file, "KOTA_CONFIG"
	}
	return filepath.Join(home, "bundles.yaml"), ""
}

// applyEnvironment applies the variables other than KOTA_HOME and KOTA_CONFIG.
func applyEnvironment(cfg *Config, env func(string) string) error {
	if endpoint := env("KOTA_GOOGLE_ENDPOINT"); endpoint != "" {
		if !googleEndpoint(endpoint) {
			return mistake.Errorf("KOTA_GOOGLE_ENDPOINT=%s; allowed: %s", endpoint, endpointsAllowed)
		}
		cfg.GoogleEndpoint = endpoint
	}
	key, err := embeddingsKey(env)
	if err != nil {
		return err
	}
	cfg.Embeddings.Key = key
	cfg.HTTP.Token = env("KOTA_HTTP_TOKEN")
	cfg.HTTP.MetricsToken = env("KOTA_METRICS_TOKEN")
	if text := env("KOTA_NOW"); text != "" {
		fixed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return mistake.Errorf("KOTA_NOW=%s is not a time; allowed: RFC 3339 such as 2026-03-14T09:26:53+01:00", text)
		}
		cfg.Now, cfg.FixedNow = func() time.Time { return fixed }, true
	}
	if err := applyDatabaseVariable(cfg, env); err != nil {
		return err
	}
	return applySecretsVariable(cfg, env)
}

// Where the tokens of Google accounts are stored.
const (
	tokensInKeyring = "keyring" // the system's keyring, else files if there is no keyring
	TokensInFiles   = "file"
)

const endpointsAllowed = "http://127.0.0.1:PORT or another loopback address, https://*.googleapis.com"

// googleEndpoint reports whether Google's tokens may be sent to a URL: only to
// Google and to this machine.
func googleEndpoint(text string) bool {
	u, err := url.Parse(text)
	if err != nil || !hasOnlyHostAndPath(u) {
		return false
	}
	if isLoopback(u) {
		return u.Scheme == "http" || u.Scheme == "https"
	}
	return u.Scheme == "https" && strings.HasSuffix(strings.ToLower(u.Hostname()), ".googleapis.com")
}

// OperatorHome returns the home of the user who runs KOTA, even if Home belongs to
// another owner.
func (c Config) OperatorHome() string {
	if c.Owner == "" {
		return c.Home
	}
	return c.Operator
}

// ForOwner returns the configuration for another owner, whose folder is home.
// That owner can neither attach files of the machine nor save attachments on it.
func (c Config) ForOwner(owner, home string) Config {
	c.Operator, c.Home, c.Owner = c.OperatorHome(), home, owner
	c.Attachments = Attachments{}
	return c
}

// Name returns the name of the file for messages.
func (c Config) Name() string {
	if c.File == "" {
		return "the built-in bundles.yaml"
	}
	return c.File
}
