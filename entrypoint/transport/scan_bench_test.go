package transport

import (
	"strings"
	"testing"
)

// BenchmarkStdioScan measures the scan of a request alone.
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
