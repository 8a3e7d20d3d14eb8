// Command manual writes the man pages of kota, one for each command, from
// docs/reference/cli.md. A test keeps that page equal to the help of the program.
// Run the command at the root of the project.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	folder := flag.String("out", "dist/share/man/man1", "the folder for the pages")
	version := flag.String("version", "", "the version of kota")
	flag.Parse()
	if err := write(*folder, *version, "."); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

// write writes the pages of the project at root into the folder, which it creates.
func write(folder, version, root string) error {
	commands, err := os.ReadFile(filepath.Join(root, "docs", "reference", "cli.md"))
	if err != nil {
		return err
	}
	environment, err := os.ReadFile(filepath.Join(root, "docs", "reference", "environment.md"))
	if err != nil {
		return err
	}
	pages, err := parse(string(commands))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	files := map[string]string{"kota.1": overview(pages, variables(string(environment)), version)}
	for _, p := range pages {
		files[p.file()] = p.roff(pages, version)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
