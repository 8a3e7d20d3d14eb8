package transport

import (
	"strings"
	"testing"
)

// BenchmarkStdioScan measures only the scan of a request.
func BenchmarkStdioScan(b *testing.B) {
	request := []byte(call("1", "echo", `{"text":"`+strings.Repeat("x", 1_000_000)+`"}`) + "\n")
	b.SetBytes(int64(len(request)))
	var s messageScan
	for b.Loop() {
		s.reset()
		s.feed(request)
		if e := s.envelope(false); e.kind != isRequest {
			b.Fatal(e.reason)
		}
	}
}
