package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/pending"
	"kota/cmd/kota/internal/signin"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint/approval"
	"kota/store"
)

// Every command that prints a list prints it as JSON in one way: an object that
// has the list.
func TestListCommandsPrintJSON(t *testing.T) {
	env := environment(t, map[string]string{"HOME": t.TempDir(), "USERPROFILE": t.TempDir()})
	for _, line := range []string{
		"install", "owners", "bundles", "bundles list", "profiles", "auth", "auth status", "pending", "outbox", "outbox list", "audit list", "undo",
		"doctor", "stats", "tokens", "discover", "describe memory", "memory stats",
	} {
		var stdout, stderr bytes.Buffer
		_ = run(t.Context(), append(strings.Fields(line), "--json"), env, strings.NewReader(""), &stdout, &stderr) // the doctor finds that nobody is signed in
		var answer map[string]json.RawMessage
		if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
			t.Errorf("kota %s --json: %v: %s%s", line, err, stdout.String(), stderr.String())
			continue
		}
		lists := 0
		for _, value := range answer {
			if bytes.HasPrefix(value, []byte("[")) {
				lists++
			}
		}
		if lists == 0 && line != "memory stats" {
			t.Errorf("kota %s --json has no list: %s", line, stdout.String())
		}
	}
}

// A character that is already visible is not marked again.
func TestPendingListMarksHiddenCharacterOnce(t *testing.T) {
	shown, err := json.Marshal(approval.RequestText{Title: "gmail_send_message: mail to bob@example.com", About: "Lu⟨U+FE0F⟩nch"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &app.App{Env: environment(t, nil), Terminal: term.Terminal{Stdout: &out, Stderr: &out}}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	if err := pending.WriteTable(a, &out, []store.Approval{{ID: "a_1", Shown: shown}}); err != nil || !strings.Contains(out.String(), "  Lu⟨U+FE0F⟩nch\n") {
		t.Errorf("%v: %s", err, out.String())
	}
}

// The steps that the program prints are those of the tutorial, with the same
// links.
func TestOAuthClientStepsMatchTutorial(t *testing.T) {
	tutorial := readPage(t, "docs/tutorial/google.md")
	for i, step := range signin.ClientSteps() {
		if !strings.Contains(tutorial, fmt.Sprintf("%d. **%s**", i+1, step.Title)) || len(step.Pages) == 0 || len(step.Do) == 0 {
			t.Errorf("the tutorial has no step %d %q, or it lacks a page or a sentence", i+1, step.Title)
		}
		for _, page := range step.Pages {
			if !strings.Contains(tutorial, "]("+page.URL+")") || !strings.HasPrefix(page.URL, signin.ConsoleURL) {
				t.Errorf("the tutorial has no link to %s", page.URL)
			}
		}
	}
	for _, line := range []string{"auth client", "auth --help", "auth client --help", "auth status"} {
		var stdout, stderr bytes.Buffer
		err := run(t.Context(), strings.Fields(line), environment(t, nil), strings.NewReader(""), &stdout, &stderr)
		output := stdout.String() + stderr.String()
		if err != nil {
			output += err.Error()
		}
		if !strings.Contains(output, "Google Auth Platform → Clients → Create client") || strings.Contains(output, "README") {
			t.Errorf("kota %s says %s", line, output)
		}
	}
}
