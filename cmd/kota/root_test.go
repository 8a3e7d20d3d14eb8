package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"kota/cmd/kota/internal/mistake"
)

// For a misspelt command, subcommand or flag the program suggests the nearest.
// For a word that resembles none it suggests nothing.
func TestMisspeltCommandSuggestsNearest(t *testing.T) {
	for line, want := range map[string]string{
		"docter":               `"doctor"`,
		"memry":                `"memory"`,
		"bundels":              `"bundles"`,
		"Restor":               `"restore"`,
		"memory exprt":         `"export"`,
		"auth logn":            `"login"`,
		"http tokn":            `"token"`,
		"audit verfy":          `"verify"`,
		"outbox retr":          `"retry"`,
		"auth status --chekc":  `--check`,
		"discover --limt 3 a":  `--limit`,
		"pending --profle=x":   `--profile`,
		"approvals":            `"pending"`,
		"help memry":           `"memory"`,
		"help memory exprt":    `"export"`,
		"memory exprt --help":  `"export"`,
		"docter --help":        `"doctor"`,
		"completion bahs":      `"bash"`,
		"photosynthesis":       "",
		"memory rhododendron":  "",
		"pending --rhododendr": "",
	} {
		var stdout, stderr bytes.Buffer
		err := run(t.Context(), strings.Fields(line), environment(t, nil), strings.NewReader(""), &stdout, &stderr)
		usage := (*mistake.Error)(nil)
		if !errors.As(err, &usage) {
			t.Errorf("kota %s: %v", line, err)
			continue
		}
		if want == "" && strings.Contains(usage.Error(), "Did you mean") || !strings.Contains(usage.Error(), want) {
			t.Errorf("kota %s: %v; want %s", line, usage, want)
		}
	}
}
