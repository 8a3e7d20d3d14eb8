// Package clients writes KOTA into the configuration files of MCP clients. A
// client starts the servers that its file names.
//
// KOTA refuses an edit that would change a setting outside the entry. KOTA
// replaces a file as a whole, and keeps a copy of the previous text beside it.
// Begin with Client; existing.go compares old and new entries, file.go writes
// files.
package clients

import (
	"errors"
	"path/filepath"
	"slices"
)

// Client is a program that starts MCP servers.
type Client struct {
	Name       string // its name in commands: "claude-desktop"
	Title      string // "Claude Desktop"
	ReloadHint string // what makes the program read its file again

	files  func(Machine) []string // the possible files; first the one that the client reads today
	format format
	table  string // the table of servers in the file
	entry  entryFormat
}

// entryFormat describes how a client writes an entry.
type entryFormat struct {
	kind        string  // the value of the field "type"; "" if entries have no type
	program     string  // the name of the field with the program; "" for "command"
	oneArray    bool    // whether the program and its arguments are one array
	env         string  // the name of the field with the variables; "" for "env"
	repeatsName bool    // whether a new entry repeats its name in the field "name"
	initial     []field // other fields that a new entry gets; the user may change them
}

// format is a file format. Its edits change no setting outside the entry.
type format interface {
	// set applies the change and keeps the entry's other fields and variables.
	// It removes each variable that the change sets to "".
	set(text []byte, c change) ([]byte, error)
	// remove removes the entry, which must exist.
	remove(text []byte, table, entry string) ([]byte, error)
	// decode returns all settings in the text.
	decode(text []byte) (map[string]any, error)
}

// change is what set changes in an entry of a table.
type change struct {
	table, entry string
	fields       []field
	variables    string            // the name of the field that holds the variables
	env          map[string]string // the variables to set; the value "" removes a variable
}

// field is a field of an entry.
type field struct {
	name  string
	value any
}

// Machine says where programs keep their files on a machine.
type Machine struct {
	OS     string // as runtime.GOOS
	Home   string // the user's folder
	Env    func(string) string
	Exists func(path string) bool       // whether there is a file or folder at path
	Names  func(folder string) []string // the names of what is in a folder; none if the folder is absent
}

// Entry is how a client starts a server, or the URL where it reaches a server.
type Entry struct {
	Command string            // absolute path
	Args    []string          // after the command
	Env     map[string]string // variables that the client adds to its own environment; Add removes a variable with the value ""
	URL     string            // the address of an HTTP server; Read sets it, Add ignores it
	Off     bool              // whether the user disabled the entry in the client; Read sets it, Add ignores it
}

// ErrLayout means that the file's layout does not let KOTA edit it without
// touching other settings.
var ErrLayout = errors.New("its layout cannot be edited safely")

// Find returns the client of that name.
func Find(name string) (Client, bool) {
	all := All()
	i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return Client{}, false
	}
	return all[i], true
}

// File returns the user's own configuration file of the client, which need not
// exist. If several files are possible, it returns the first that exists, else
// the first whose folder exists, else the one that the client reads today.
func (c Client) File(p Machine) string {
	files := c.files(p)
	for _, file := range files {
		if p.Exists(file) {
			return file
		}
	}
	for _, file := range files {
		if p.Exists(filepath.Dir(file)) {
			return file
		}
	}
	return files[0]
}

// Found reports whether the client seems to be installed: its file exists, or the
// folder of its file, unless that is the user's home.
func (c Client) Found(p Machine) bool {
	return slices.ContainsFunc(c.files(p), func(file string) bool {
		folder := filepath.Dir(file)
		return p.Exists(file) || folder != p.Home && p.Exists(folder)
	})
}

// envOr returns the value of an environment variable, or fallback if it is
// empty.
func (p Machine) envOr(variable, fallback string) string {
	if value := p.Env(variable); value != "" {
		return value
	}
	return fallback
}

// xdg returns the folder that the XDG Base Directory Specification names for
// configuration.
func (p Machine) xdg() string { return p.envOr("XDG_CONFIG_HOME", filepath.Join(p.Home, ".config")) }

// config returns the folder for configuration, like os.UserConfigDir.
func (p Machine) config() string {
	switch p.OS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		return p.envOr("APPDATA", filepath.Join(p.Home, "AppData", "Roaming"))
	}
	return p.xdg()
}
