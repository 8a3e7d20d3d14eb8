package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
	"kota/metadata"
	"kota/metadata/search"
)

// A tool is a tool of a server.
type tool struct {
	server string // "" if there is one file
	name   string // as its server calls it
	schema json.RawMessage
	entry  search.Entry
}

// readServers returns the tools of all files. If there are several files, each is
// a server, and its name is part of the names of its entries, so that two servers
// may have tools of one name.
func readServers(files []string, stdin io.Reader) (list []tool, notes []string, err error) {
	for i, file := range files {
		if file == "" {
			return nil, nil, mistake.Errorf("--catalog needs the name of a file, or - for stdin")
		}
		if slices.ContainsFunc(files[:i], func(other string) bool { return filepath.Clean(other) == filepath.Clean(file) }) {
			return nil, nil, mistake.Errorf("--catalog names %s twice", file)
		}
		raw, err := readCatalogue(file, stdin)
		if err != nil {
			return nil, nil, err
		}
		entries, schemas, skipped, err := search.ParseCatalogue(raw)
		if err != nil {
			return nil, nil, mistake.Errorf("%s: %s", shown(file), plainMessage(err))
		}
		if len(skipped) > 0 {
			notes = append(notes, skippedNote(shown(file), skipped))
		}
		if search.HasNextPage(raw) {
			notes = append(notes, fmt.Sprintf(`%s has a nextCursor: the server has more tools than this page. To search them all, call tools/list with that cursor, and append its tools to "tools" in this file.`, shown(file)))
		}
		server := ""
		if len(files) > 1 {
			server = serverName(files, i)
		}
		for j, e := range entries {
			t := tool{server: server, name: e.Tool, schema: schemas[j], entry: e}
			if server != "" {
				t.entry.Tool = server + ":" + e.Tool
				if e.Bundle == "" {
					t.entry.Bundle = server
				}
			}
			list = append(list, t)
		}
	}
	return list, notes, nil
}

// skippedNote says which tools of a file are not searched, and why.
func skippedNote(file string, skipped []string) string {
	const most = 3
	text := strings.Join(skipped[:min(most, len(skipped))], "; ")
	if len(skipped) > most {
		text += fmt.Sprintf("; and %d more", len(skipped)-most)
	}
	return fmt.Sprintf("%s: KOTA leaves out %s, counted from 0: %s.", file, metadata.CountOf(len(skipped), "tool"), term.Printable(text))
}

// serverName returns the name of files[i] without its folder and extension. If
// another file has the same name, it returns files[i] itself.
func serverName(files []string, i int) string {
	short := func(file string) string {
		base := filepath.Base(shown(file))
		return strings.TrimSuffix(base, filepath.Ext(base))
	}
	for j, other := range files {
		if i != j && short(other) == short(files[i]) {
			return shown(files[i])
		}
	}
	return short(files[i])
}

// shown returns the name of the file for messages.
func shown(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}

// readCatalogue reads a file of at most 64 MiB.
func readCatalogue(path string, stdin io.Reader) ([]byte, error) {
	const maxBytes = 64 << 20
	in := stdin
	if path != "-" {
		file, err := mistake.OpenFile(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxBytes+1))
	if err != nil {
		return nil, mistake.Errorf("%s", mistake.FileProblem(err, shown(path)))
	}
	if len(raw) > maxBytes {
		return nil, mistake.Errorf("%s is larger than %d MiB", shown(path), maxBytes>>20)
	}
	return raw, nil
}

// plainMessage returns the message and the hint of an error. It omits the code,
// which is for programs.
func plainMessage(err error) string {
	var answer *metadata.Error
	if !errors.As(err, &answer) {
		return err.Error()
	}
	if answer.Hint == "" {
		return answer.Message
	}
	return answer.Message + "; " + answer.Hint
}
