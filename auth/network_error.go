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

// describeNetworkError returns what failed below HTTP. Its text has nothing from the request
// except a host name. The errors of net/http quote addresses, headers and bodies.
func describeNetworkError(err error) string {
	if fault, ok := errors.AsType[*net.DNSError](err); ok {
		return "the name " + fault.Name + " cannot be resolved; check the network"
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return "the connection failed: " + number.Error()
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "its certificate is not valid for that name; check whether a proxy intercepts the connection"
	}
	if fault, ok := errors.AsType[*net.OpError](err); ok && fault.Op == "proxyconnect" {
		return "the proxy refused the connection"
	}
	if errors.Is(err, os.ErrDeadlineExceeded) || isTimeout(err) {
		return "it did not answer in time"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the connection ended before the answer was complete"
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return "the request failed"
	}
	return "its answer is invalid, or has no token"
}

func isTimeout(err error) bool {
	fault, ok := errors.AsType[net.Error](err)
	return ok && fault.Timeout()
}

// recoverPanic returns the error of do, or an error if do panics. Without it, a panic in a
// goroutine would end the program. The error does not contain the panic's value, which may
// quote a token.
func recoverPanic(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: a %T", p)
		}
	}()
	return do()
}

// CheckProtected returns an *UnsafeError if anybody except this process's user and root can change
// the file or folder at path. Others may read it, and may write to a sticky folder, such as /tmp.
// CheckProtected returns nil if path does not exist or cannot be reached. On Windows it always
// returns nil: the access rules of the user's profile folder protect the file.
func CheckProtected(path string) error {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" { // the caller will get any other error when it opens the file
		return nil
	}
	mode := info.Mode()
	isSticky := mode.IsDir() && mode&fs.ModeSticky != 0 // in such a folder, as in /tmp, people can change only their own files
	switch {
	case !isOwn(info) && !isRootOwned(info):
		return &UnsafeError{path, "belongs to another user", `sudo chown "$(id -u)" ` + shellQuote(path)}
	case mode.Perm()&0o022 != 0 && !isSticky:
		return &UnsafeError{path, fmt.Sprintf("can be written by others (mode %04o)", mode.Perm()), "chmod go-w " + shellQuote(path)}
	}
	return nil
}
