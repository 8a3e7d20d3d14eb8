package google

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// CheckEndpoint returns an error when a token must not be sent to that base
// URL: anything but https at *.googleapis.com and http or https at this
// machine. "" is Google's own.
func CheckEndpoint(endpoint string) error {
	if endpoint == "" {
		return nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" || !trusted(u) {
		return fmt.Errorf("the Google endpoint %q is not http://127.0.0.1:PORT, another loopback address or https://*.googleapis.com", endpoint)
	}
	return nil
}

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

// CalendarBatch returns the URL that Batch wants for Calendar.
func CalendarBatch(endpoint string) string {
	return base(endpoint, "https://www.googleapis.com") + "/" + calendarBatchPath
}

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
