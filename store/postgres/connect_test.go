package postgres

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"kota/store"
)

// fakeServer listens on loopback and serves each connection. It returns host and port.
func fakeServer(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return listener.Addr().String()
}

// refusing is a server that asks for a password if it needs one, and then refuses the connection.
func refusing(asks bool, code, message string) func(net.Conn) {
	return func(conn net.Conn) {
		backend := pgproto3.NewBackend(conn, conn)
		if _, err := backend.ReceiveStartupMessage(); err != nil {
			return
		}
		if asks {
			backend.Send(&pgproto3.AuthenticationCleartextPassword{})
			backend.Flush()
			backend.SetAuthType(pgproto3.AuthTypeCleartextPassword)
			backend.Receive()
		}
		backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: code, Message: message, Detail: "the password was " + canary, Hint: canary})
		backend.Flush()
	}
}

func TestRefusedConnectionsAreExplained(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asks          bool
		code, message string
		cause         error
		want          string
	}{
		"a wrong password":         {true, "28P01", `password authentication failed for user "kota"`, store.ErrNoRights, `the password for the role "kota"`},
		"no line in pg_hba.conf":   {false, "28000", `no pg_hba.conf entry for host "1.2.3.4", user "kota"`, store.ErrNoRights, "pg_hba.conf"},
		"an unknown role":          {false, "28000", `role "kota" does not exist`, store.ErrNoRights, "check the role"},
		"an unknown database":      {true, "3D000", `database "home" does not exist`, store.ErrUnusable, `CREATE DATABASE "home" OWNER "kota"`},
		"too many connections":     {true, "53300", "sorry, too many clients already", store.ErrBusy, "max_connections"},
		"a server that starts":     {false, "57P03", "the database system is starting up", store.ErrUnreachable, "starts or stops"},
		"a server that stops":      {false, "57P01", "terminating connection due to administrator command", store.ErrUnreachable, "stops"},
		"a pooler":                 {false, "08P01", "unsupported startup parameter: search_path", store.ErrUnusable, "PgBouncer"},
		"a message with a secret":  {true, "XX000", "internal: " + canary, nil, "SQLSTATE XX000"},
		"a message of a violation": {true, "23505", "duplicate " + canary, nil, "SQLSTATE 23505"},
	} {
		t.Run(name, func(t *testing.T) {
			address := fakeServer(t, refusing(c.asks, c.code, c.message))
			_, err := Open(t.Context(), fmt.Sprintf("postgres://kota:%s@%s/home?sslmode=disable", canary, address), Options{})
			checkFailure(t, err, c.cause, c.want)
		})
	}
}

// checkFailure checks the cause and the text of an error. Neither the text nor what a logger prints
// may have the password.
func checkFailure(t *testing.T, err, cause error, want string) {
	t.Helper()
	if err == nil || cause != nil && !errors.Is(err, cause) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %v with %q", err, cause, want)
	}
	if printed := fmt.Sprintf("%v %s %q", err, err, err); strings.Contains(printed, canary) {
		t.Errorf("the error shows the password: %s", printed)
	}
}

func TestServersThatCannotBeReachedAreExplained(t *testing.T) {
	t.Parallel()
	closed := fakeServer(t, func(net.Conn) {})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := listener.Addr().String()
	listener.Close()
	for name, c := range map[string]struct{ where, want string }{
		"no server":                         {nobody + "/home", "check the host and the port"},
		"a server that hangs up":            {closed + "/home", "failed"},
		"a host that does not exist":        {"nowhere.invalid/home", "host name"},
		"no socket":                         {"/home?host=/nowhere", "no server answers"},
		"two servers, none reached":         {nobody + "," + nobody + "/home", "check the host and the port"},
		"another protocol":                  {fakeServer(t, func(conn net.Conn) { fmt.Fprint(conn, "HTTP/1.1 400 Bad Request\r\n\r\n") }) + "/home", "does not use TLS"},
		"TLS is missing on the server":      {fakeServer(t, answering("N")) + "/home?sslmode=require", "does not use TLS"},
		"garbage in place of a certificate": {fakeServer(t, answering("Sgarbage!")) + "/home?sslmode=require", "TLS"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), "postgres://kota:"+canary+"@"+c.where, Options{})
			checkFailure(t, err, store.ErrUnreachable, c.want)
		})
	}
}

// answering is a server that answers the first message with a text.
func answering(text string) func(net.Conn) {
	return func(conn net.Conn) {
		conn.Read(make([]byte, 100))
		conn.Write([]byte(text))
		time.Sleep(50 * time.Millisecond)
	}
}

func TestServersThatDoNotAnswerAreLeft(t *testing.T) {
	t.Parallel()
	silent := fakeServer(t, func(conn net.Conn) { time.Sleep(10 * time.Second) })
	for name, c := range map[string]struct {
		parameters string
		limit      time.Duration // of the caller
	}{
		"by connect_timeout": {"?connect_timeout=2&sslmode=disable", time.Minute},
		"by the caller":      {"", 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), c.limit)
			defer cancel()
			began := time.Now()
			_, err := Open(ctx, "postgres://kota:"+canary+"@"+silent+"/home"+c.parameters, Options{})
			checkFailure(t, err, store.ErrUnreachable, "does not answer")
			if took := time.Since(began); took > 4*time.Second {
				t.Errorf("Open took %v", took)
			}
		})
	}
}

// certificate returns a self-signed certificate for host, and the file of it.
func certificate(t *testing.T, host string, until time.Time) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, NotBefore: until.Add(-time.Hour), NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "root.crt")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

func TestCertificatesAreExplained(t *testing.T) {
	t.Parallel()
	valid := time.Now().Add(30 * time.Minute)
	for name, c := range map[string]struct {
		host  string
		until time.Time
		trust bool
		want  string
	}{
		"expired":              {"127.0.0.1", time.Now().Add(-time.Minute), true, "expired"},
		"of an unknown issuer": {"127.0.0.1", valid, false, "sslrootcert"},
		"for another host":     {"db.example.com", valid, true, "another host"},
	} {
		t.Run(name, func(t *testing.T) {
			cert, file := certificate(t, c.host, c.until)
			if !c.trust {
				_, file = certificate(t, c.host, c.until)
			}
			address := fakeServer(t, func(conn net.Conn) {
				conn.Read(make([]byte, 8)) // the request for TLS
				conn.Write([]byte("S"))
				tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{cert}}).Handshake()
			})
			_, err := Open(t.Context(), fmt.Sprintf("postgres://kota:%s@%s/home?sslmode=verify-full&sslrootcert=%s", canary, address, file), Options{})
			checkFailure(t, err, store.ErrUnreachable, c.want)
		})
	}
}
