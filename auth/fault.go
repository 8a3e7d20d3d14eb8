package auth

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"runtime"
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

// contained returns the error of do, or of its panic, which would end the program in a
// goroutine. A panic's value may quote a token and is not in it.
func contained(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: a %T", p)
		}
	}()
	return do()
}

// Guarded returns an *UnsafeError when somebody else than this process's user,
// or root, may change what is at path: the file, or which files a folder has. It
// may be read by all. What is not there, or out of reach, is nobody's. On Windows the access rules
// of the user's profile folder decide, and nothing is refused.
func Guarded(path string) error {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" { // whoever opens it says the rest
		return nil
	}
	mode := info.Mode()
	othersStay := mode.IsDir() && mode&fs.ModeSticky != 0 // each may change their own files there alone, as in /tmp
	switch {
	case !isOwn(info) && !isRoots(info):
		return &UnsafeError{path, "belongs to another user", `sudo chown "$(id -u)" ` + quote(path)}
	case mode.Perm()&0o022 != 0 && !othersStay:
		return &UnsafeError{path, fmt.Sprintf("can be written by others (mode %04o)", mode.Perm()), "chmod go-w " + quote(path)}
	}
	return nil
}
