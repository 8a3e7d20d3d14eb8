package gmail_test

import (
	"errors"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/attachment"
	"kota/metadata"
)

// A remote tenant has no files on this machine, and no setting grants any. Only the
// person who runs KOTA has them.
func TestRemoteTenantCannotAttachFiles(t *testing.T) {
	d := newFixture(t)
	d.files = attachment.Folders{Remote: true}
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "Lunch", "body": "Noon?", "attachments": []string{"/etc/passwd"}})
	refused := (*metadata.Error)(nil)
	if !errors.As(err, &refused) || len(refused.Problems) != 1 {
		t.Fatalf("got %v, want one problem", err)
	}
	if p := refused.Problems[0]; p.Path != "attachments[0]" || !strings.Contains(p.Expected, "only the operator of this server") || strings.Contains(p.Expected, "bundles.yaml") {
		t.Errorf("got %+v", p)
	}
}
