package google

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http2"

	"kota/metadata"
)

// refuseStreams starts an HTTP/2 server that resets every stream with
// PROTOCOL_ERROR. It returns the server's URL and the number of requests so
// far. net/http retries such a request, although the server may already have
// made the change.
func refuseStreams(t *testing.T) (url string, requests *atomic.Int32) {
	t.Helper()
	certified := httptest.NewUnstartedServer(nil)
	certified.StartTLS()
	certificate := certified.TLS.Certificates[0]
	certified.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	requests = &atomic.Int32{}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go refuse(conn, requests)
		}
	}()
	return "https://" + listener.Addr().String(), requests
}

func refuse(conn net.Conn, requests *atomic.Int32) {
	defer conn.Close()
	preface := make([]byte, len(http2.ClientPreface))
	for read := 0; read < len(preface); {
		n, err := conn.Read(preface[read:])
		if err != nil {
			return
		}
		read += n
	}
	framer := http2.NewFramer(conn, conn)
	framer.WriteSettings()
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				framer.WriteSettingsAck()
			}
		case *http2.HeadersFrame:
			requests.Add(1)
			framer.WriteRSTStream(f.StreamID, http2.ErrCodeProtocol)
		}
	}
}

func TestChangeIsSentOnceOverHTTP2(t *testing.T) {
	for _, c := range []struct{ method, body string }{{"POST", ""}, {"DELETE", ""}, {"POST", "{}"}, {"PUT", "{}"}} {
		t.Run(c.method+" "+c.body, func(t *testing.T) {
			url, requests := refuseStreams(t)
			below := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
			defer below.CloseIdleConnections()
			client := Client(&http.Client{Transport: below}, Options{Endpoint: url})
			err := do(t, client, c.method, url+"/gmail/v1/users/me/messages/1/trash", c.body)
			if e := codeOf(t, err); e.Code != metadata.OutcomeUnknown || requests.Load() != 1 {
				t.Errorf("got %v after %d requests, want OUTCOME_UNKNOWN after one", e, requests.Load())
			}
		})
	}
}
