package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tour runs as `make demo` runs it, and the README shows what it says.
func TestReadmeShowsTheTour(t *testing.T) {
	t.Setenv("KOTA_NOW", "2026-11-21T09:00:00Z")
	t.Setenv("TZ", "UTC")
	binary := filepath.Join(t.TempDir(), "kota")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "kota/cmd/kota").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	var transcript bytes.Buffer
	if err := tour(t.Context(), binary, &transcript); err != nil {
		t.Fatalf("%v\n%s", err, transcript.String())
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(readme), "```text\n")
	shown, _, closed := strings.Cut(shown, "```")
	if !found || !closed {
		t.Fatal("the README shows no transcript in a block of text")
	}
	said := strings.Split(transcript.String(), "\n")
	for _, line := range strings.Split(strings.TrimSpace(shown), "\n") {
		if line != "" && !says(said, line) {
			t.Errorf("the README shows what the tour does not say:\n%s", line)
		}
	}
}

// says reports whether a line was said; one that ends in … was cut there.
func says(said []string, line string) bool {
	start, cut := strings.CutSuffix(line, "…")
	for _, s := range said {
		if s == line || cut && strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}

func TestTourFailsWhenTheServerDoesNotDoAsItSays(t *testing.T) {
	var out bytes.Buffer
	if err := tour(t.Context(), filepath.Join(t.TempDir(), "no such program"), &out); err == nil {
		t.Errorf("a tour without a server succeeded:\n%s", out.String())
	}
}
