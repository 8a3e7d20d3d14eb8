package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
)

// A real browser walks the pages of the console of the built program. KOTA_CHROMIUM names
// the browser, KOTA_BROWSER_MODULES the folder with the packages of
// testdata/browser/package.json, and KOTA_NODE a node of 20 or newer if "node" is older; .ci/run
// installs them. KOTA_SHOTS keeps the screenshots.
func TestConsoleInChromium(t *testing.T) {
	needBrowser(t)
	t.Run("attacks", func(t *testing.T) {
		newAskingHome(t).browse("attacks")
	})
	t.Run("pages", func(t *testing.T) {
		newAskingHome(t, "daily: on", "gmail: on", "memory: on").browse("pages")
	})
	t.Run("empty", func(t *testing.T) {
		d := newTestHome(t)
		d.bundles = "daily: on, gmail: on, calendar: on"
		d.configure("")
		d.browse("empty")
	})
	t.Run("approvals", func(t *testing.T) {
		newAskingHome(t).browse("approvals")
	})
	t.Run("memory", func(t *testing.T) {
		newAskingHome(t).browse("memory")
	})
	t.Run("diary", func(t *testing.T) {
		newAskingHome(t, "daily: on", "gmail: on", "calendar: on").browse("diary")
	})
	t.Run("sent", func(t *testing.T) {
		d := newAskingHome(t, "gmail: on", "memory: on")
		d.configure("send: allow\n")
		withdraw := d.google.Fault(bundletest.GoogleFault{Method: sendDraft, Answer: bundletest.GoogleHang, AfterEffect: true})
		p := d.startSending()
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = p.cmd.Wait()
		withdraw()
		d.browse("sent")
	})
	t.Run("use", func(t *testing.T) {
		newAskingHome(t, "gmail: on", "memory: on").browse("use")
	})
	t.Run("try", func(t *testing.T) {
		newAskingHome(t, "daily: on", "gmail: on", "calendar: on", "memory: on").browse("try")
	})
}

// The test takes long and waits for no answer within a time, so it runs beside others.
func TestHostileTextInChromium(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	newHomeFullOfHostileText(t).browse("hostile")
}

func needBrowser(t *testing.T) {
	t.Helper()
	if os.Getenv("KOTA_CHROMIUM") == "" || os.Getenv("KOTA_BROWSER_MODULES") == "" {
		t.Skip("KOTA_CHROMIUM or KOTA_BROWSER_MODULES is not set: .ci/run installs a browser and runs this")
	}
}

// browse runs a script of testdata/browser in which a browser uses the console.
func (d *testHome) browse(flow string) {
	d.t.Helper()
	shots := os.Getenv("KOTA_SHOTS")
	if shots == "" {
		shots = d.t.TempDir()
	}
	ctx, cancel := context.WithTimeout(d.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, cmp.Or(os.Getenv("KOTA_NODE"), "node"), filepath.Join("testdata", "browser", flow+".mjs"))
	cmd.WaitDelay = 5 * time.Second // a program that the script left open would hold its output
	cmd.Env = append(os.Environ(), "KOTA_HOME="+d.home, "KOTA_SHOTS="+shots)
	out, err := cmd.CombinedOutput()
	d.t.Logf("%s", out)
	if err != nil {
		d.t.Errorf("%s: %v", flow, err)
	}
}

// newHomeFullOfHostileText returns a home where every text that others can write is one of
// testdata/browser/hostile.json: memories, mails, events, tasks, the log, and pending calls.
func newHomeFullOfHostileText(t *testing.T) *testHome {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "browser", "hostile.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil || len(texts) < 200 {
		t.Fatalf("%d texts: %v", len(texts), err)
	}
	d := newAskingHome(t, "gmail: on", "calendar: on")
	stored, waiting := 0, 0
	for i, text := range texts {
		// A key has no control characters and at most 200 characters.
		if _, _, status := d.run("call", "memory_set", mustJSON(t, object{"key": text, "value": text, "category": text, "tags": []string{text}, "source": "mail of " + text})); status == 0 {
			stored++
		}
		if i%8 == 0 {
			d.run("call", "memory_set", mustJSON(t, object{"key": fmt.Sprint("value ", i), "value": object{text: []string{text}}}))
		}
		d.run("call", "daily_log", mustJSON(t, object{"text": text, "tags": []string{text}}))
		d.run("call", "daily_task", mustJSON(t, object{"op": "add", "text": []string{text}}))
		d.google.User(ann).Deliver(bundletest.GoogleMail{From: "Bob <" + bob + ">", To: ann, Subject: strings.Map(oneLine, text), Text: text + "\nCan you answer?"})
		event := hourEvent(i%23, strings.Map(oneLine, text), ann)
		event["description"], event["location"] = text, text
		d.google.User(ann).AddEvent("primary", event)
		if i%4 == 0 {
			if _, _, status := d.run("call", "gmail_send_message", mustJSON(t, object{"to": []string{bob}, "subject": strings.Map(oneLine, text), "body": "Hello " + text})); status == 1 {
				waiting++
			}
		}
	}
	if stored < 150 || waiting < 40 {
		t.Fatalf("only %d memories and %d calls have hostile texts", stored, waiting)
	}
	return d
}

func oneLine(r rune) rune {
	if r == '\r' || r == '\n' {
		return ' '
	}
	return r
}

func mustJSON(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
