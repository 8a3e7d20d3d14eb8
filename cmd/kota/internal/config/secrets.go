package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"kota/auth/vault"
	"kota/cmd/kota/internal/mistake"
)

// secretsVariable has the keys of the secrets, instead of secrets_key_file in bundles.yaml.
const secretsVariable = "KOTA_SECRETS_KEY"

// maxKeysFile is the maximum size of the file with the keys, in bytes.
const maxKeysFile = 16 << 10

// Secrets has the keys that encrypt the secrets of people in a database of a server.
type Secrets struct {
	Keys   vault.Keys
	Source string // what gave the keys: KOTA_SECRETS_KEY, or "/home/ann/kota/bundles.yaml:12"; "" for no keys
	File   string // the file with the keys, unless KOTA_SECRETS_KEY has them
}

// secretsKeyFile reads the path of the file with the keys. A problem never quotes the value, which
// might be the key itself.
func (c *checker) secretsKeyFile(v value) {
	const allowed = "the full path of a file, such as /run/secrets/kota-key"
	text, ok := textOf(v.node)
	if ok {
		if below, inHome := strings.CutPrefix(text, "~/"); inHome {
			home, err := os.UserHomeDir()
			text, ok = filepath.Join(home, below), err == nil
		}
	}
	if !ok || !filepath.IsAbs(text) {
		c.problem(v.line, "%s is no full path; allowed: %s", v.path, allowed)
		return
	}
	c.cfg.Secrets = Secrets{Source: c.file + ":" + strconv.Itoa(v.line), File: filepath.Clean(text)}
}

// applySecretsVariable sets the keys, if the database is on a server.
func applySecretsVariable(cfg *Config, env func(string) string) error {
	if !cfg.HasServer() {
		return nil
	}
	return cfg.ReadSecretsKeys(env)
}

// ReadSecretsKeys sets the keys from KOTA_SECRETS_KEY, or else from the file. It is for a command that
// uses another database than the configured one.
func (c *Config) ReadSecretsKeys(env func(string) string) error {
	text, fault := env(secretsVariable), secretsVariable
	switch {
	case text != "":
		c.Secrets = Secrets{Source: secretsVariable}
	case c.Secrets.File != "":
		fault = c.Secrets.Source + ": the file that secrets_key_file names"
		raw, err := readKeysFile(c.Secrets.File)
		if err != nil {
			return mistake.Errorf("%s: %v", fault, err)
		}
		text = string(raw)
	default:
		return nil
	}
	keys, err := vault.ParseKeys(text)
	if err != nil {
		return mistake.Errorf("%s: %v", fault, err)
	}
	c.Secrets.Keys = keys
	return nil
}

// readKeysFile returns the content of the file with the keys. Its errors do not quote the path. It
// follows links, because Kubernetes gives files of secrets as links.
func readKeysFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, withoutPath(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0:
		return nil, errors.New("all users of this machine can read or write it: remove these rights with `chmod o= FILE`")
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxKeysFile+1))
	if err == nil && len(raw) > maxKeysFile {
		err = errors.New("it is too large")
	}
	return raw, withoutPath(err)
}

// withoutPath returns the cause of an error of a file.
func withoutPath(err error) error {
	var named *fs.PathError
	if errors.As(err, &named) {
		return named.Err
	}
	return err
}
