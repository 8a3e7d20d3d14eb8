package app

import (
	"bytes"
	"io"
	"net/http"
	"path"
	"strings"

	"kota/metadata"
)

// readOnlyTransport refuses every request to Google that does not only read.
// Under a profile that only reads, no action sends such a request; the
// transport makes sure of it.
type readOnlyTransport struct{ next http.RoundTripper }

func (r readOnlyTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if isRead(request) {
		return r.next.RoundTrip(request)
	}
	if request.Body != nil {
		request.Body.Close()
	}
	return nil, metadata.Errorf(metadata.WritesDisabled, "the profile only reads, and this would change something at Google: nothing was sent")
}

// isRead reports whether the request is a GET, or one of the two POSTs that only
// read. These are the query of free and busy times
// (https://developers.google.com/workspace/calendar/api/v3/reference/freebusy/query)
// and a batch in which every part is a GET
// (https://developers.google.com/workspace/gmail/api/guides/batch).
func isRead(request *http.Request) bool {
	switch {
	case request.Method == http.MethodGet:
		return true
	case request.Method != http.MethodPost:
		return false
	case path.Base(request.URL.Path) == "freeBusy":
		return true
	}
	return strings.Contains(request.URL.Path, "/batch/") && hasOnlyGETs(request)
}

// hasOnlyGETs reports whether every part of a batch is a GET.
func hasOnlyGETs(request *http.Request) bool {
	if request.GetBody == nil {
		return false
	}
	body, err := request.GetBody()
	if err != nil {
		return false
	}
	defer body.Close()
	raw, err := io.ReadAll(body)
	parts := bytes.Count(raw, []byte("Content-Type: application/http"))
	return err == nil && parts > 0 && bytes.Count(raw, []byte("\r\n\r\nGET /")) == parts
}
