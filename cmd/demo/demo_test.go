package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestMain removes what builtKota has built.
func TestMain(m *testing.M) {
	status := m.Run()
	os.RemoveAll(buildFolder)
	os.Exit(status)
}

var buildFolder string

// build builds kota without debug information, which takes half as long to link.
var build = sync.OnceValues(func() (binary string, err error) {
	if buildFolder, err = os.MkdirTemp("", "kota-demo-*"); err != nil {
		return "", err
	}
	binary = filepath.Join(buildFolder, "kota")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "kota/cmd/kota").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

// builtKota returns the program, which the tests build once.
func builtKota(t *testing.T) string {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatal("build: ", err)
	}
	return binary
}

// The tour runs as under `make demo`, and docs/tutorial/first-memory.md shows
// its output.
func TestTutorialShowsTourOutput(t *testing.T) {
	t.Setenv("KOTA_NOW", "2026-11-21T09:00:00Z")
	t.Setenv("TZ", "UTC")
	binary := builtKota(t)
	var transcript bytes.Buffer
	if err := tour(t.Context(), binary, &transcript); err != nil {
		t.Fatalf("%v\n%s", err, transcript.String())
	}
	tutorial, err := os.ReadFile("../../docs/tutorial/first-memory.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(tutorial), "```text\n")
	shown, _, closed := strings.Cut(shown, "```")
	if !found || !closed {
		t.Fatal("the tutorial shows no transcript in a block of text")
	}
	output := strings.Split(transcript.String(), "\n")
	for _, line := range strings.Split(strings.TrimSpace(shown), "\n") {
		if line != "" && !containsLine(output, line) {
			t.Errorf("the tutorial shows what the tour does not say:\n%s", line)
		}
	}
}

// containsLine reports whether the output has the line. A line that ends in … matches
// by its beginning.
func containsLine(output []string, line string) bool {
	start, cut := strings.CutSuffix(line, "…")
	for _, s := range output {
		if s == line || cut && strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}

// The pictures in the README must show the same commands as newly drawn
// pictures, and every command must succeed. The test does not compare the
// output of the commands, because its dates and IDs change.
func TestPicturesShowCurrentCommands(t *testing.T) {
	binary := builtKota(t)
	folder := t.TempDir()
	if err := pictures(t.Context(), binary, folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"session.svg", "briefing.svg", "approval.svg", "event.svg"} {
		want, shown := commandsInPicture(t, filepath.Join(folder, name)), commandsInPicture(t, filepath.Join("../../docs/images", name))
		if want != shown || !strings.Contains(want, "kota ") {
			t.Errorf("%s shows other commands than `make pictures` draws:\n%s\nwant\n%s", name, shown, want)
		}
	}
}

var (
	promptPattern = regexp.MustCompile(`<text class="prompt.*?>(.*)</text>`)
	idPattern     = regexp.MustCompile(`\b[au]_[0-9a-z]+`)
)

// commandsInPicture returns the commands of a picture, without IDs.
func commandsInPicture(t *testing.T, file string) string {
	t.Helper()
	drawn, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(drawn, new(struct{})); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	var commands []string
	for _, found := range promptPattern.FindAllStringSubmatch(string(drawn), -1) {
		commands = append(commands, idPattern.ReplaceAllString(found[1], "ID"))
	}
	return strings.Join(commands, "\n")
}

func TestTourFailsOnUnexpectedAnswer(t *testing.T) {
	var out bytes.Buffer
	if err := tour(t.Context(), filepath.Join(t.TempDir(), "no such program"), &out); err == nil {
		t.Errorf("a tour without a server succeeded:\n%s", out.String())
	}
}
