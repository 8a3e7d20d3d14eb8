package auth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"kota/auth/vault"
)

// maxClientFile is the maximum size of a client file in bytes. Google's files have about 400.
const maxClientFile = 64 << 10

// A Client is the OAuth client that the user created in their Google Cloud project. Neither
// fmt nor JSON nor slog shows its secret.
type Client struct {
	ID        string
	ProjectID string
	AuthURI   string // where the user signs in
	TokenURI  string // where tokens are issued
	secret    string
}

// String names the client without its secret.
func (c Client) String() string { return "OAuth client " + c.ID }

// Format writes String for every verb, because some verbs would print the fields.
func (c Client) Format(to fmt.State, _ rune) { io.WriteString(to, c.String()) }

// LogValue returns String.
func (c Client) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalJSON leaves out the secret.
func (c Client) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{
		"client_id": c.ID, "project_id": c.ProjectID, "auth_uri": c.AuthURI, "token_uri": c.TokenURI,
	})
}

// SetClient stores raw unchanged. It first checks that raw is the JSON that Google offers
// for download after creating an OAuth client of the type Desktop app. If not, it returns a
// *ClientFileError.
//
// KOTA uses the auth_uri and token_uri in raw, or Google's if they are absent. They must be
// https, or http on this machine's loopback.
func (a *Accounts) SetClient(raw []byte) (Client, error) {
	client, err := parseClient(raw)
	if err != nil {
		return Client{}, err
	}
	if err := os.MkdirAll(a.home, 0o700); err != nil {
		return Client{}, fmt.Errorf("store the OAuth client: %w", err)
	}
	if err := a.writeClient(raw); err != nil {
		return Client{}, fmt.Errorf("store the OAuth client: %w", err)
	}
	return client, nil
}

// Client returns the stored client, or else the client in Options.ClientHome. It returns
// ErrNoClient if both are absent, *UnsafeError if others can read or write the file, and
// *ClientFileError if the file is not a client. It returns another error if the file is larger
// than any client or cannot be read.
func (a *Accounts) Client() (Client, error) {
	raw, path, err := a.readClient()
	if errors.Is(err, fs.ErrNotExist) {
		return Client{}, ErrNoClient
	}
	if err != nil {
		return Client{}, fmt.Errorf("read the OAuth client: %w", err)
	}
	client, err := parseClient(raw)
	if err != nil {
		return Client{}, fmt.Errorf("read %s: %w", path, err)
	}
	return client, nil
}

// readClient returns the content of the OAuth client, and where it is.
func (a *Accounts) readClient() (raw []byte, place string, err error) {
	for _, from := range []struct {
		vault *vault.Vault
		home  string
	}{{a.vault, a.home}, {a.clientVault, a.clientHome}} {
		if from.vault != nil {
			raw, err := vaultClient(from.vault)
			if !errors.Is(err, fs.ErrNotExist) {
				return raw, inDatabase, err
			}
		}
		if from.home != "" {
			path := filepath.Join(from.home, clientName)
			raw, _, err := readPrivate(path, maxClientFile)
			if !errors.Is(err, fs.ErrNotExist) {
				return raw, path, err
			}
		}
	}
	return nil, "", fs.ErrNotExist
}

func (a *Accounts) writeClient(raw []byte) error {
	if a.vault != nil {
		return setVaultClient(a.vault, raw)
	}
	return writeFile(a.clientFile(), raw)
}

const clientName = "google-client.json"

func (a *Accounts) clientFile() string { return filepath.Join(a.home, clientName) }

const downloadHint = `In Google's console, under Google Auth Platform → Clients, create a client of the type "Desktop app" and download its JSON.`

func parseClient(raw []byte) (Client, error) {
	refuse := func(why string) (Client, error) {
		return Client{}, &ClientFileError{Why: why + " " + downloadHint}
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	switch {
	case len(raw) > maxClientFile:
		return refuse(fmt.Sprintf("The file has more than %d bytes, so it is not an OAuth client.", maxClientFile))
	case len(text) == 0:
		return refuse("The file is empty.")
	case text[0] == '<':
		return refuse("The file is a web page, not the JSON of an OAuth client.")
	case bytes.HasPrefix(text, []byte("AIza")):
		return refuse("This is an API key, which gives no access to mail; an OAuth client is needed.")
	}
	var file struct {
		Type      string          `json:"type"`
		APIKey    string          `json:"api_key"`
		ClientID  string          `json:"client_id"`
		Web       json.RawMessage `json:"web"`
		Installed *struct {
			ClientID     string `json:"client_id"`
			ProjectID    string `json:"project_id"`
			AuthURI      string `json:"auth_uri"`
			TokenURI     string `json:"token_uri"`
			ClientSecret string `json:"client_secret"`
		} `json:"installed"`
	}
	if json.Unmarshal(text, &file) != nil { // the error may quote the file
		return refuse("The file is not the JSON of an OAuth client.")
	}
	in := file.Installed
	switch {
	case in != nil:
	case len(file.Web) > 0:
		return refuse(`This OAuth client is of the type "Web application", which cannot sign in on this machine.`)
	case file.Type == "service_account":
		return refuse("This is the key of a service account, which has no access to your mailbox.")
	case file.Type != "":
		return refuse("These are credentials of another kind, not an OAuth client.")
	case file.APIKey != "":
		return refuse("This is an API key, which gives no access to mail; an OAuth client is needed.")
	case file.ClientID != "":
		return refuse(`The file has a client_id, but not under "installed", where Google puts it.`)
	default:
		return refuse("The file is JSON, but not an OAuth client.")
	}
	client := Client{
		ID: in.ClientID, ProjectID: in.ProjectID, secret: in.ClientSecret,
		AuthURI: in.AuthURI, TokenURI: in.TokenURI,
	}
	if client.AuthURI == "" {
		client.AuthURI = "https://accounts.google.com/o/oauth2/auth"
	}
	if client.TokenURI == "" {
		client.TokenURI = "https://oauth2.googleapis.com/token"
	}
	switch {
	case !isToken(client.ID):
		return refuse("The file has no usable client_id.")
	case client.secret == "":
		return refuse("The file has no client_secret. Google shows it only once, when you create the client.")
	case !isToken(client.secret):
		return refuse("The client_secret in the file is damaged.")
	case !isPrintable(client.ProjectID):
		return refuse("The project_id in the file is damaged.")
	case !isEndpoint(client.AuthURI):
		return refuse("The auth_uri in the file is not an https address.")
	case !isEndpoint(client.TokenURI):
		return refuse("The token_uri in the file is not an https address.")
	}
	return client, nil
}

// isToken reports whether text is one word of printable ASCII.
func isToken(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

func isPrintable(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// isEndpoint reports whether KOTA may send secrets to the URL: https anywhere, http on loopback
// only.
func isEndpoint(text string) bool {
	u, err := url.Parse(text)
	if err != nil || !isToken(text) || u.Opaque != "" || u.User != nil || u.Fragment != "" || u.Hostname() == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
