// Package clients writes KOTA into the configuration files of MCP clients. A
// client starts the servers that its file names.
//
// An edit keeps every byte outside the entry, or is refused. A file is replaced
// as a whole, with a copy of the previous text beside it. Begin with Client;
// existing.go compares an entry with the one to write, file.go writes files.
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

	files  func(Machine) []string // the possible files; the one it reads today first
	format format
	table  string // the table of servers in the file
	entry  entryFormat
}

// entryFormat describes how a client writes an entry.
type entryFormat struct {
	kind        string  // the value of its field "type"; "" without one
	program     string  // the field of the program, "" for "command"
	oneArray    bool    // whether the program and its arguments are one array
	env         string  // the field of the variables, "" for "env"
	repeatsName bool    // whether a new entry repeats its name in the field "name"
	initial     []field // other fields of a new entry; the user may change them
}

// format is a file format. Its edits change only the entry and nothing else
// that the text says.
type format interface {
	// set makes the change and leaves the entry's other fields and variables.
	// It removes a variable whose value is empty.
	set(text []byte, c change) ([]byte, error)
	// remove removes the entry; it returns text without the entry unchanged.
	remove(text []byte, table, entry string) ([]byte, error)
	// decode reads the whole text.
	decode(text []byte) (map[string]any, error)
}

// change is a new state of an entry in a table.
type change struct {
	table, entry string
	fields       []field
	variables    string            // the name of the field that holds the variables
	env          map[string]string // the variables; "" removes one
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
	Exists func(path string) bool       // whether a file or folder of that path exists
	Names  func(folder string) []string // what is in a folder; nothing if the folder is absent
}

// Entry is how a client starts a server, or the URL where it reaches one.
type Entry struct {
	Command string            // absolute path
	Args    []string          // after the command
	Env     map[string]string // added to the client's own environment; "" means unset
	URL     string            // the address of a server over HTTP: Read fills it, Add ignores it
	Off     bool              // the user disabled it in the client: Read reports it, Add does not change it
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
// exist. If a client has used several places, it returns the file that exists.
// Otherwise it returns the file in a folder that exists, or the file that the
// client reads today.
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

// envOr returns the environment variable, or other if it is empty.
func (p Machine) envOr(variable, other string) string {
	if value := p.Env(variable); value != "" {
		return value
	}
	return other
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
