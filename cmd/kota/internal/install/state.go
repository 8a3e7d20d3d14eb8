package install

import (
	"bytes"
	"cmp"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/clients"
)

// State is whether a client starts KOTA.
type State struct {
	clients.Client
	File    string
	Found   bool   // the client seems to be installed
	Starts  string // what its entry does, in words; "" without an entry
	Current bool   // the entry is as Add would write it
	Problem error  // why the file cannot be used, or its entry not replaced
}

// States returns the state of every client for the entry kota, sorted by name.
func States(a *app.App) ([]*State, error) {
	machine, err := clients.ThisMachine(a.Env)
	if err != nil {
		return nil, err
	}
	own, err := ownEntry(a)
	if err != nil {
		return nil, err
	}
	var all []*State
	for _, client := range clients.All() {
		s, before, text := read(client, machine, defaultName)
		if s.Problem == nil && s.Starts != "" {
			if s.Problem = (Options{Name: defaultName}).checkReplaceable(client, before); s.Problem == nil {
				updated, _ := clients.Update(before, own)
				edited, err := client.Add(text, defaultName, updated)
				s.Current, s.Problem = bytes.Equal(edited, text), err
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// defaultName is the name of the entry that install writes without --name.
const defaultName = "kota"

// read returns the state of a client without Current, its entry of that name,
// and the text of its file.
func read(client clients.Client, machine clients.Machine, name string) (*State, clients.Entry, []byte) {
	s := &State{Client: client, File: client.File(machine), Found: client.Found(machine)}
	text, _, err := clients.ReadFile(s.File)
	if err != nil {
		s.Problem = err
		return s, clients.Entry{}, nil
	}
	entry, exists, err := client.Read(text, name)
	if s.Problem = err; exists && err == nil {
		s.Starts = clients.Summary(entry)
	}
	return s, entry, text
}

// List prints the clients, their files and what their entries start.
func List(a *app.App, name string, asJSON bool) error {
	machine, err := clients.ThisMachine(a.Env)
	if err != nil {
		return err
	}
	type line struct {
		Client string `json:"client"`
		Title  string `json:"title"`
		Starts string `json:"starts"`
		File   string `json:"file"`
	}
	list, rows := []line{}, [][]string{{"CLIENT", "STARTS", "FILE"}}
	for _, c := range clients.All() {
		s, _, _ := read(c, machine, name)
		if s.Problem != nil {
			s.Starts = "(" + s.Problem.Error() + ")"
		}
		list = append(list, line{c.Name, c.Title, s.Starts, s.File})
		rows = append(rows, []string{c.Name, cmp.Or(s.Starts, "not connected"), s.File})
	}
	if asJSON {
		return a.PrintJSON(map[string]any{"clients": list})
	}
	return a.PrintTable(rows)
}
