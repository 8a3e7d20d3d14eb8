package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/clients"
	"kota/cmd/kota/internal/config"
)

// examineClients checks the entries named kota in the files of the clients on
// this machine. It also reports the files that cannot be read.
func examineClients(a *app.App) []Finding {
	machine, err := clients.ThisMachine(a.Env)
	if err != nil {
		return nil
	}
	var found []Finding
	for _, c := range clients.All() {
		file := c.File(machine)
		text, _, err := clients.ReadFile(file)
		if err == nil {
			var entry clients.Entry
			var exists bool
			if entry, exists, err = c.Read(text, "kota"); err != nil {
				err = fmt.Errorf("%s: %w", file, err)
			} else if exists {
				found = append(found, examineEntry(a, c, entry))
			}
		}
		if err != nil {
			found = append(found, Finding{
				Check:  "client",
				Saw:    fmt.Sprintf("the file of %s cannot be read: %v", c.Title, err),
				Remedy: "Fix the file; " + c.Title + " cannot read it either, and does not start KOTA.",
			})
		}
	}
	return found
}

// examineEntry says what the entry starts or connects to, and whether the
// start can work. It does not check a URL.
func examineEntry(a *app.App, c clients.Client, entry clients.Entry) Finding {
	f := Finding{Check: "client", OK: true, Saw: c.Title + " " + clients.Describe(entry)}
	switch {
	case entry.Command != "" && entry.URL != "":
		f.OK, f.Saw = false, f.Saw+": an entry can only do one of them"
		f.Remedy = "Remove the entry kota from the file, then run: kota install " + c.Name
	case !clients.IsKOTA(entry):
		f.Saw, f.Remedy = c.Title+" "+clients.DescribeOther(entry), "To add KOTA as a second entry, run: kota install "+c.Name+" --name kota-memory"
	case entry.Off:
		f.Saw, f.Remedy = f.Saw+", and is disabled", "Enable its entry kota in "+c.Title+" when it should start KOTA."
	case entry.URL != "":
	default:
		f = examineProgram(c, entry)
		if why, remedy := EntryProblem(a, entry); f.OK && why != "" {
			f.OK, f.Saw, f.Remedy = false, f.Saw+", but that fails: "+why, remedy+" Then run: kota install "+c.Name
		}
	}
	return f
}

// EntryProblem says why KOTA would fail or find no data if the entry started
// it, and what to do. Both are "" if there is no such problem. They are also
// "" if the entry has variables such as ${userHome}, which only the client can
// fill in.
func EntryProblem(a *app.App, entry clients.Entry) (why, remedy string) {
	hasVariable := func(text string) bool { return strings.Contains(text, "${") }
	if slices.ContainsFunc(entry.Args, hasVariable) || hasVariable(entry.Env["KOTA_HOME"]) || hasVariable(entry.Env["KOTA_CONFIG"]) {
		return "", ""
	}
	if home := entry.Env["KOTA_HOME"]; home != "" && home != a.Config.Home {
		if _, err := os.Stat(home); err != nil {
			return "its KOTA_HOME " + home + " does not exist", "Restore the folder, or set another KOTA_HOME."
		}
	}
	var flags config.Flags
	flags.File, _ = clients.FlagValue(entry.Args, "--config")
	flags.Profile, _ = clients.FlagValue(entry.Args, "--profile")
	if _, err := config.Load(func(name string) string { return entry.Env[name] }, flags, app.KnownBundles(a.Bundles())); err != nil {
		return err.Error(), "Fix the file that it names, or pass another --profile or --config."
	}
	return "", ""
}

func examineProgram(c clients.Client, entry clients.Entry) Finding {
	f := Finding{Check: "client", Saw: c.Title + " starts " + entry.Command, Remedy: "Run: kota install " + c.Name}
	if !filepath.IsAbs(entry.Command) {
		f.OK, f.Remedy = true, ""
		f.Saw += ", as found in its PATH" // the client's PATH may differ from the PATH of this process
		return f
	}
	info, err := os.Stat(entry.Command)
	if err != nil || info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		f.Saw = fmt.Sprintf("%s cannot start %s: it does not exist or is not a program", c.Title, entry.Command)
		return f
	}
	f.OK = true
	if f.Remedy = ""; !clients.IsThisProgram(info) {
		f.Saw += ", which is not this kota"
	}
	return f
}
