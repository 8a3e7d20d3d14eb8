package gmail_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// These are the ids in examples: of a message or its thread, and of a draft.
const (
	exampleMessage = "18f2a9c0d1e2f3a4"
	exampleDraft   = "r-18f2a9c0d1e2f3a4"
)

// TestTheBundleKeepsTheContract runs every example on an empty mailbox and on a mailbox
// with the messages that the examples name.
func TestTheBundleKeepsTheContract(t *testing.T) {
	var d *fixture
	var ids *exampleIDs
	bundletest.Run(t, bundletest.Case{
		New: func(t *testing.T) bundles.Bundle {
			d = newFixture(t)
			d.files.Into = t.TempDir()
			ids = &exampleIDs{}
			d.wrapTransport = ids.replaceIn
			return d.bundle
		},
		Seed:              func(t *testing.T, _ bundles.Bundle) { seed(t, d, ids) },
		ConcurrentChanges: concurrentChanges(&d),
		Others:            []string{"calendar"},
	})
}

// seed puts the messages of the examples into the mailbox.
func seed(t *testing.T, d *fixture, ids *exampleIDs) {
	t.Helper()
	deliverReports(d.ann, 3)
	example := d.ann.Deliver(fakegmail.Mail{
		From: "Bob <" + bob + ">", To: ann + ", carol@example.com", Subject: "Report", Text: "See the file.", Date: daysAgo(5),
		Attachments: []fakegmail.Attachment{{Name: "report.csv", Type: "text/csv", Data: []byte("a,b\n1,2\n")}},
	})
	raw := "To: bob@example.org\r\nSubject: Figures\r\n\r\nHere they are.\r\n"
	draft, err := newGmailClient(t, d).Users.Drafts.Create("me", &gmailapi.Draft{Message: &gmailapi.Message{Raw: base64.URLEncoding.EncodeToString([]byte(raw))}}).Do()
	if err != nil {
		t.Fatal(err)
	}
	ids.set(example.ID, draft.Id)
}

// exampleIDs maps the ids in examples to the ids that the fake assigned.
type exampleIDs struct{ replace *strings.Replacer }

func (k *exampleIDs) set(message, draft string) {
	k.replace = strings.NewReplacer(exampleDraft, draft, exampleMessage, message)
}

// replaceIn returns a transport that replaces the example ids in requests.
func (k *exampleIDs) replaceIn(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if k.replace == nil {
			return next.RoundTrip(r)
		}
		r = r.Clone(r.Context())
		r.URL.Path = k.replace.Replace(r.URL.Path)
		if r.Body != nil {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, fmt.Errorf("read what is asked: %w", err)
			}
			body = []byte(k.replace.Replace(string(body)))
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		return next.RoundTrip(r)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
