package google

import (
	"net"
	"net/url"
	"strings"
)

// trusted reports whether authorization may go to the host of u.
func trusted(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return u.Scheme == "http" || u.Scheme == "https"
	}
	return u.Scheme == "https" && strings.HasSuffix(host, ".googleapis.com")
}

// GmailBase returns what option.WithEndpoint of the Gmail client wants.
func GmailBase(endpoint string) string { return base(endpoint, "https://gmail.googleapis.com") + "/" }

// CalendarBase returns what option.WithEndpoint of the Calendar client wants.
func CalendarBase(endpoint string) string {
	return base(endpoint, "https://www.googleapis.com") + "/calendar/v3/"
}

// GmailBatch returns the URL that Batch wants for Gmail.
func GmailBatch(endpoint string) string { return GmailBase(endpoint) + gmailBatchPath }

const (
	gmailBatchPath    = "batch/gmail/v1"
	calendarBatchPath = "batch/calendar/v3"
)

func base(endpoint, own string) string {
	if endpoint == "" {
		return own
	}
	return strings.TrimRight(endpoint, "/")
}

// serves reports whether a client for that endpoint may send requests to u. It
// is the last guard of the token: no mistake elsewhere can send it away.
func serves(endpoint string, u *url.URL) bool {
	if endpoint == "" {
		return u.Scheme == "https" && trusted(u)
	}
	own, err := url.Parse(endpoint)
	return err == nil && trusted(own) && sameHost(own, u)
}

func sameHost(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host)
}
