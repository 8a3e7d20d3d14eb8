package auth

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
)

// networkFault says what failed below HTTP, in words that hold nothing of the
// request: the errors of net/http quote addresses, headers and bodies.
func networkFault(err error) string {
	if fault, ok := errors.AsType[*net.DNSError](err); ok {
		return "the name " + fault.Name + " cannot be resolved; is the network up?"
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return "the connection failed: " + number.Error()
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "its certificate is not valid for it; does a proxy stand between?"
	}
	if fault, ok := errors.AsType[*net.OpError](err); ok && fault.Op == "proxyconnect" {
		return "the proxy does not connect"
	}
	if errors.Is(err, os.ErrDeadlineExceeded) || isTimeout(err) {
		return "it did not answer in time"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the connection ended before the answer did"
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return "the request failed"
	}
	return "its answer is broken, or holds no token"
}

func isTimeout(err error) bool {
	fault, ok := errors.AsType[net.Error](err)
	return ok && fault.Timeout()
}
