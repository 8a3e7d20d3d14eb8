package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"kota/cmd/kota/internal/app"
)

const (
	googleURL     = "https://gmail.googleapis.com/"
	googleTimeout = 5 * time.Second // for Google's answer, while the user waits
	// clockTolerance is how far Google's clock and this machine's may differ.
	// With a larger difference, tokens seem expired or not yet valid, and days
	// begin at the wrong time.
	clockTolerance = 2 * time.Minute
)

// examineGoogle sends Google one request without authorization. It checks
// whether Google can be reached, and compares this clock with the Date of the
// answer (RFC 9110, section 6.6.1).
func examineGoogle(a *app.App, ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, googleTimeout)
	defer cancel()
	base := cmp.Or(a.Config.GoogleEndpoint, googleURL)
	f := Finding{Check: "network", Remedy: "Check the connection, a proxy (HTTPS_PROXY) or a firewall. Memory and diary also work without Google."}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base, nil)
	if err != nil {
		f.Saw = err.Error()
		return []Finding{f}
	}
	asked := time.Now()
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		f.Saw = fmt.Sprintf("%s cannot be reached: %s", request.URL.Host, networkProblem(err))
		return []Finding{f}
	}
	response.Body.Close()
	took := time.Since(asked)
	f = Finding{Check: "network", OK: true, Saw: fmt.Sprintf("%s answers in %d ms", request.URL.Host, took.Milliseconds())}
	googleTime, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return []Finding{f}
	}
	return []Finding{f, clockFinding(a.Now().Sub(googleTime))}
}

// networkProblem says why a request got no answer.
func networkProblem(err error) string {
	dns := (*net.DNSError)(nil)
	switch {
	case errors.As(err, &dns):
		return "the name of the server was not found"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %d seconds", int(googleTimeout.Seconds()))
	}
	if urlError := (*url.Error)(nil); errors.As(err, &urlError) { // whose text repeats the URL
		err = urlError.Err
	}
	return err.Error()
}

// clockFinding reports whether this clock agrees with Google's. ahead is negative
// if this clock is behind.
func clockFinding(ahead time.Duration) Finding {
	if ahead.Abs() <= clockTolerance {
		return Finding{Check: "clock", OK: true, Saw: "within two minutes of Google's"}
	}
	how := "ahead of"
	if ahead < 0 {
		how = "behind"
	}
	return Finding{
		Check: "clock", Saw: fmt.Sprintf("%s %s Google's", ahead.Abs().Round(time.Second), how),
		Remedy: "Let the system set the clock (NTP): until then, sign-ins fail and days begin at the wrong time.",
	}
}
