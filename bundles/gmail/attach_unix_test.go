//go:build unix

package gmail_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"kota/bundles/bundletest"
)

// Opening a pipe would block until somebody writes into it.
func TestAttachRejectsPipes(t *testing.T) {
	d := newFixture(t)
	h := d.createFiles(t)
	pipe := filepath.Join(h.docs, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "attachments": []string{pipe}})
	if got := bundletest.ProblemPath(t, err); got != "attachments[0]" {
		t.Error(err)
	}
}
