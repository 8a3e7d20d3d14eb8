// Package clients writes KOTA into the configuration files of MCP clients:
// programs that start the servers which a file of their own names.
//
// An edit keeps every byte that is not about the entry, or is refused. A file is
// replaced whole, and a copy of it as it was is kept beside it. Begin with Client;
// existing.go compares an entry with the one to write, file.go writes files.
package clients

import (
	"errors"
	"path/filepath"
	"slices"
)

// A Client is a program that starts MCP servers.
type Client struct {
	Name  string // by which commands know it: "claude-desktop"
	Title string // "Claude Desktop"
	After string // what makes the program read its file again

	files  func(Place) []string // where its file may be; what it reads today comes first
	format format
	under  string // the table of servers in the file
	entry  shape
}

// A shape is how a client writes an entry.
type shape struct {
	kind    string  // the value of its field "type", "" for none
	program string  // the field of the program, "" for "command"
	joined  bool    // whether the program and its arguments are one array
	env     string  // the field of the variables, "" for "env"
	named   bool    // whether a new entry repeats its name in the field "name"
	initial []field // what a new entry has besides; the user may change it
}

// format is how a file is written. The edits return text that says the same but
// for the entry.
type format interface {
	// set makes the change, and leaves the entry's other fields and variables. A
	// variable without a value is taken out.
	set(text []byte, c change) ([]byte, error)
	// remove takes the entry out; text without it comes back as it is.
	remove(text []byte, table, entry string) ([]byte, error)
	// decode reads the whole text.
	decode(text []byte) (map[string]any, error)
}

// A change is a new state of an entry of a table.
type change struct {
	table, entry string
	fields       []field
	variables    string            // the field of the variables
	env          map[string]string // the variables; "" takes one out
}

// A field of an entry.
type field struct {
	name  string
	value any
}

// A Place says where the files of programs are on a machine.
type Place struct {
	OS     string // as runtime.GOOS
	Home   string // the user's folder
	Env    func(string) string
	Exists func(path string) bool       // whether there is a file or folder
	Names  func(folder string) []string // what is in a folder; none where it is not there
}

// An Entry is how a client starts a server, or where it reaches one.
type Entry struct {
	Command string            // absolute path
	Args    []string          // after the command
	Env     map[string]string // added to the client's own environment; "" is not there
	URL     string            // of a server that is reached over HTTP instead: Read tells, and Add makes none
	Off     bool              // its user has switched it off in the client: Read tells, and Add leaves it so
}

// ErrLayout is of a file that is laid out in a way that cannot be edited without
// touching what is not ours.
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

// File returns the user's own configuration of the client, which need not exist.
// Where a client has used several places it is the file that exists, else the one in
// a folder that exists, else the one that the client reads today.
func (c Client) File(p Place) string {
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

// or is what the environment says, else other.
func (p Place) or(variable, other string) string {
	if said := p.Env(variable); said != "" {
		return said
	}
	return other
}

// xdg is where the XDG Base Directory Specification puts configuration.
func (p Place) xdg() string { return p.or("XDG_CONFIG_HOME", filepath.Join(p.Home, ".config")) }

// config is where programs keep their configuration, as os.UserConfigDir has it.
func (p Place) config() string {
	switch p.OS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		return p.or("APPDATA", filepath.Join(p.Home, "AppData", "Roaming"))
	}
	return p.xdg()
}
