package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDoctorChecksAttachmentFolders(t *testing.T) {
	d := newTestHome(t)
	good := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(d.home, link); err != nil {
		t.Fatal(err)
	}
	for lines, want := range map[string]string{
		"attachments: {from: [\"" + good + "\"], into: \"" + good + "\"}\n":        "ok    attachments    " + good,
		"attachments: {from: [\"" + good + "/none\"]}\n":                           "no such file or directory",
		"attachments: {into: \"" + filepath.Join(d.home, "bundles.yaml") + "\"}\n": "is not a folder",
		"attachments: {into: \"" + link + "\"}\n":                                  "is KOTA's own folder",
	} {
		d.configure(lines)
		out, _, status := d.run("doctor")
		if !strings.Contains(out, want) || (status == 0) != strings.HasPrefix(want, "ok") {
			t.Errorf("%s: status %d, want %q in\n%s", lines, status, want, out)
		}
	}
}
