package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"kota/clients"
)

// examineClients looks at the entries that start KOTA in the files of the
// clients on this machine. A file that does not name it, or cannot be read, is
// its client's own affair.
func (a *app) examineClients() []finding {
	place, err := a.place()
	if err != nil {
		return nil
	}
	var found []finding
	for _, c := range clients.All() {
		text, _, err := readForeign(c.File(place))
		if err != nil {
			continue
		}
		if entry, there, err := c.Read(text, "kota"); err == nil && there {
			found = append(found, examineEntry(c, entry))
		}
	}
	return found
}

func examineEntry(c clients.Client, entry clients.Entry) finding {
	f := finding{Check: "client", Saw: c.Title + " starts " + entry.Command, Remedy: "Run: kota install " + c.Name}
	if !filepath.IsAbs(entry.Command) {
		f.OK, f.Remedy = true, ""
		f.Saw += ", wherever it finds that" // by the client's PATH, which is not this one
		return f
	}
	info, err := os.Stat(entry.Command)
	if err != nil || info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		f.Saw = fmt.Sprintf("%s cannot start %s: there is no such program", c.Title, entry.Command)
		return f
	}
	f.OK = true
	if f.Remedy = ""; !isThisProgram(info) {
		f.Saw += ", which is not this kota"
	}
	return f
}

// isThisProgram reports whether the file is the one that runs.
func isThisProgram(file os.FileInfo) bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	mine, err := os.Stat(self)
	return err == nil && os.SameFile(mine, file)
}
