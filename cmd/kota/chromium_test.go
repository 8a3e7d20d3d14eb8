package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
)

// A real browser signs in: it follows Google's redirect to this machine and
// shows KOTA's last page. KOTA_CHROMIUM names the browser; .ci/run installs
// Debian's.
func TestSigningInWithChromium(t *testing.T) {
	chromium := os.Getenv("KOTA_CHROMIUM")
	if chromium == "" {
		t.Skip("KOTA_CHROMIUM names no browser: .ci/run installs Debian's and runs this")
	}
	d := newTestHome(t)
	d.storeClient()
	d.google.SetConsent(bundletest.GoogleConsent{User: ann})
	shown := make(chan string, 1)
	browse := func(line string) {
		if match := printedAddress.FindStringSubmatch(line); match != nil {
			go func() { shown <- browserPage(t, chromium, match[1]) }()
		}
	}
	stdout, stderr, status := d.runWith(strings.NewReader(""), browse, "auth", "login", "--no-browser")
	if status != 0 || !strings.Contains(stdout, "Signed in as "+ann) {
		t.Fatalf("status %d\n%s\n%s", status, stdout, stderr)
	}
	page := <-shown
	if !strings.Contains(page, "You are signed in") || strings.Contains(page, "<script") {
		t.Errorf("Chromium shows:\n%s", page)
	}
	d.must("call", "gmail_list_labels")
}

// browserPage opens the address and returns the page as the browser then has it.
func browserPage(t *testing.T, chromium, address string) string {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--user-data-dir="+t.TempDir(), "--dump-dom", address)
	page, err := cmd.Output()
	if err != nil {
		t.Errorf("chromium: %v", err)
	}
	return string(page)
}
