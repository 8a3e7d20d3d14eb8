// Package install adds KOTA's entry to the configuration files of MCP clients,
// and removes it. It never changes an entry of another program. Begin with Add.
package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/clients"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/doctor"
	"kota/cmd/kota/internal/mistake"
)

// Options are the flags of install and uninstall.
type Options struct {
	File   string // the file to edit; "" for the client's own
	Name   string // the name of the entry
	Notes  string // an instruction file that gets KOTA's notes for the model; "" for none
	DryRun bool
}

// findClient returns the client of that name and the file to edit.
func findClient(a *app.App, name string, in Options) (clients.Client, string, error) {
	client, ok := clients.Find(name)
	if !ok {
		return clients.Client{}, "", mistake.Errorf("unknown client %q%s; known: %s", mistake.Shorten(name), mistake.DidYouMean(name, clients.Names()), strings.Join(clients.Names(), ", "))
	}
	file := in.File
	if file == "" {
		machine, err := clients.ThisMachine(a.Env)
		if err != nil {
			return clients.Client{}, "", err
		}
		file = client.File(machine)
	}
	return client, file, nil
}

// Add writes KOTA into the configuration of a client, or updates its entry.
func Add(a *app.App, name string, in Options) error {
	client, file, err := findClient(a, name, in)
	if err != nil {
		return err
	}
	if config.NamesDatabase(a.Env) {
		return mistake.Errorf("KOTA_DATABASE_URL names the database here, but not where the client starts KOTA: write the URL under database: in bundles.yaml, unset the variable, and run this again")
	}
	entry, err := ownEntry(a)
	if err != nil {
		return err
	}
	if err := in.checkNotes(clients.AddNotes); err != nil {
		return err
	}
	absent := isAbsent(filepath.Dir(file))
	if absent && in.File != "" && !isSettingsFolder(filepath.Dir(file)) {
		return mistake.Errorf("there is no folder %s; make it first, or correct --file", bundles.Visible(filepath.Dir(file)))
	}
	off, problem, keptSettings, changedSettings := false, "", []string(nil), []string(nil)
	edited, err := clients.EditFile(a.Stdout, a.Now(), file, in.DryRun, func(text []byte) ([]byte, error) {
		before, exists, err := client.Read(text, in.Name)
		if err != nil {
			return nil, err
		}
		if exists {
			if err := in.checkReplaceable(client, before); err != nil {
				return nil, err
			}
		}
		off = before.Off // the user's setting stays
		entry, keptSettings = clients.Update(before, entry)
		changedSettings = clients.ChangedSettings(before, entry)
		if why, remedy := doctor.EntryProblem(a, entry); why != "" && len(keptSettings) > 0 {
			problem = why + ". " + remedy + " Then run this again."
		}
		return client.Add(text, in.Name, entry)
	})
	if err != nil {
		return err
	}
	switch {
	case off:
		fmt.Fprintf(a.Stdout, "%s does not start KOTA while its entry %s is disabled; enable it there\n", client.Title, in.Name)
	case problem != "":
		fmt.Fprintf(a.Stdout, "%s cannot start KOTA with this entry: %s\n", client.Title, bundles.Visible(problem))
	case !edited:
		fmt.Fprintf(a.Stdout, "%s starts KOTA already: %s\n", client.Title, bundles.Visible(file))
	case in.DryRun:
	case absent && in.File == "":
		fmt.Fprintf(a.Stdout, "%s seems not to be installed, because its folder was missing. The entry is ready for when it is.\n", client.Title)
	default:
		fmt.Fprintf(a.Stdout, "%s will start KOTA. %s\n", client.Title, client.ReloadHint)
	}
	if len(keptSettings) > 0 {
		fmt.Fprintf(a.Stdout, "kept from the existing entry: %s; to remove it, run `%s` first\n", bundles.Visible(strings.Join(keptSettings, ", ")), in.command("uninstall", client))
	}
	if len(changedSettings) > 0 {
		fmt.Fprintf(a.Stdout, "changed in the existing entry: %s\n", bundles.Visible(strings.Join(changedSettings, "; ")))
	}
	return editNotes(a, in, clients.AddNotes)
}

func isAbsent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// isSettingsFolder reports whether a folder may be made for the settings of a
// project, such as .vscode in a folder that exists.
func isSettingsFolder(folder string) bool {
	return strings.HasPrefix(filepath.Base(folder), ".") && !isAbsent(filepath.Dir(folder))
}

// Remove removes KOTA from the configuration of a client.
func Remove(a *app.App, name string, in Options) error {
	client, file, err := findClient(a, name, in)
	if err != nil {
		return err
	}
	if err := in.checkNotes(clients.RemoveNotes); err != nil {
		return err
	}
	edited, err := clients.EditFile(a.Stdout, a.Now(), file, in.DryRun, func(text []byte) ([]byte, error) {
		before, exists, err := client.Read(text, in.Name)
		if err == nil && exists && !clients.IsKOTA(before) {
			return nil, fmt.Errorf("its entry %s %s: remove it there if you no longer need it", in.Name, clients.DescribeOther(before))
		}
		if err != nil {
			return nil, err
		}
		text, _, err = client.Remove(text, in.Name)
		return text, err
	})
	if err != nil {
		return err
	}
	if !edited {
		fmt.Fprintf(a.Stdout, "%s does not start KOTA: %s has no entry %s\n", client.Title, bundles.Visible(file), in.Name)
	} else if !in.DryRun {
		fmt.Fprintf(a.Stdout, "%s will no longer start KOTA. %s\n", client.Title, client.ReloadHint)
	}
	return editNotes(a, in, clients.RemoveNotes)
}

// checkNotes returns an error if the file with the notes cannot be edited. Add
// and Remove call it before they change anything.
func (in Options) checkNotes(edit func(text []byte) ([]byte, error)) error {
	if in.Notes == "" {
		return nil
	}
	_, _, _, err := clients.Plan(in.Notes, edit)
	return err
}

// editNotes edits the file with the notes, if there is one.
func editNotes(a *app.App, in Options, edit func(text []byte) ([]byte, error)) error {
	if in.Notes == "" {
		return nil
	}
	edited, err := clients.EditFile(a.Stdout, a.Now(), in.Notes, in.DryRun, edit)
	if err == nil && !edited {
		fmt.Fprintf(a.Stdout, "%s is already correct\n", bundles.Visible(in.Notes))
	}
	return err
}

// ownEntry returns an entry that starts this program with the current flags and
// folder. Some clients pass on no environment, so the entry sets KOTA_HOME and
// KOTA_CONFIG if they are set now. It also sets KOTA_HOME if the folder is not
// the default.
func ownEntry(a *app.App) (clients.Entry, error) {
	if err := a.Load(); err != nil { // a program that cannot start must not be installed
		return clients.Entry{}, err
	}
	program, err := os.Executable()
	if err != nil {
		return clients.Entry{}, fmt.Errorf("find this program: %w", err)
	}
	if strings.Contains(program, string(filepath.Separator)+"go-build") {
		return clients.Entry{}, mistake.Errorf("%s is deleted when `go run` ends; run `make build` and install bin/kota", program)
	}
	entry := clients.Entry{Command: program, Env: map[string]string{}}
	if a.Flags.File != "" {
		file, err := filepath.Abs(a.Flags.File)
		if err != nil {
			return clients.Entry{}, err
		}
		entry.Args = append(entry.Args, "--config", file)
	}
	if a.Flags.Profile != "" {
		entry.Args = append(entry.Args, "--profile", a.Flags.Profile)
	}
	entry.Args = append(entry.Args, "serve")
	for _, variable := range []string{"KOTA_HOME", "KOTA_CONFIG"} {
		if value := a.Env(variable); value != "" {
			path, err := filepath.Abs(value)
			if err != nil {
				return clients.Entry{}, err
			}
			entry.Env[variable] = path
		}
	}
	home, err := config.HomeFolder(a.Env)
	if err != nil {
		return clients.Entry{}, err
	}
	if bare, err := config.BareHome(); err != nil || bare != home {
		entry.Env["KOTA_HOME"] = home
	}
	return entry, nil
}

// checkReplaceable returns why the existing entry cannot be replaced, or nil.
func (in Options) checkReplaceable(client clients.Client, existing clients.Entry) error {
	switch {
	case !clients.IsKOTA(existing):
		return fmt.Errorf("its entry %s %s; use another name for this one, `%s --name kota-%[1]s`", in.Name, clients.DescribeOther(existing), in.command("install", client))
	case existing.URL != "":
		return fmt.Errorf("its entry %s %s; remove it first with `%s`, or add this one under another --name", in.Name, clients.Describe(existing), in.command("uninstall", client))
	}
	return nil
}

// command returns a kota command line for the same client and file. A command line
// for uninstall also has the name of the same entry.
func (in Options) command(verb string, client clients.Client) string {
	line := "kota " + verb + " " + client.Name
	if in.File != "" {
		line += " --file " + in.File
	}
	if in.Name != "kota" && verb == "uninstall" {
		line += " --name " + in.Name
	}
	return line
}
