package main

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A real browser walks the pages of the console of the built program. KOTA_CHROMIUM names
// the browser, KOTA_BROWSER_MODULES the folder with the packages of
// testdata/browser/package.json, and KOTA_NODE a node of 20 or newer if "node" is older; .ci/run
// installs them. KOTA_SHOTS keeps the screenshots.
func TestConsoleInChromium(t *testing.T) {
	if os.Getenv("KOTA_CHROMIUM") == "" || os.Getenv("KOTA_BROWSER_MODULES") == "" {
		t.Skip("KOTA_CHROMIUM or KOTA_BROWSER_MODULES is not set: .ci/run installs a browser and runs this")
	}
	t.Run("approvals", func(t *testing.T) { newAskingHome(t).browse("approvals") })
}

// browse runs a script of testdata/browser in which a browser uses the console.
func (d *testHome) browse(flow string) {
	d.t.Helper()
	shots := os.Getenv("KOTA_SHOTS")
	if shots == "" {
		shots = d.t.TempDir()
	}
	ctx, cancel := context.WithTimeout(d.t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, cmp.Or(os.Getenv("KOTA_NODE"), "node"), filepath.Join("testdata", "browser", flow+".mjs"))
	cmd.Env = append(os.Environ(), "KOTA_HOME="+d.home, "KOTA_SHOTS="+shots)
	out, err := cmd.CombinedOutput()
	d.t.Logf("%s", out)
	if err != nil {
		d.t.Errorf("%s: %v", flow, err)
	}
}
