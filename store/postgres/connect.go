package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kota/store"
	"kota/store/postgres/failure"
	"kota/store/postgres/schema"
)

// connect opens a connection. Its errors say what to do and contain no password.
func connect(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, config.Copy())
	if err != nil {
		return nil, explainConnect(ctx, err, &config.Config)
	}
	return conn, nil
}

// explainConnect returns the failure for an error of connecting.
func explainConnect(ctx context.Context, err error, config *pgconn.Config) error {
	if err == nil || failure.Is(err) {
		return err
	}
	where := describe(config)
	unreachable := func(reason string) error {
		return failure.Wrap(store.ErrUnreachable, err, store.ErrUnreachable.Error()+": "+reason)
	}
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		return explainRefusal(refused, err, config)
	}
	expired, unknown, host := x509.CertificateInvalidError{}, x509.UnknownAuthorityError{}, x509.HostnameError{}
	dns, record := (*net.DNSError)(nil), tls.RecordHeaderError{}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return failure.OfContext(err)
	case errors.As(err, &expired):
		return unreachable("the certificate of " + where + " is not valid: " + expired.Error())
	case errors.As(err, &unknown):
		return unreachable("the certificate of " + where + " is from an unknown authority: name the file of its certificate with sslrootcert in the database URL")
	case errors.As(err, &host):
		return unreachable("the certificate of " + where + " is for another host: write the host in the database URL as in the certificate")
	case errors.As(err, &record), strings.Contains(err.Error(), "server refused TLS"):
		return unreachable(where + " does not use TLS: switch it on there, or, if the network is safe, give sslmode=disable in the database URL")
	case errors.Is(err, pgconn.ErrReadOnlyConnection) && severalHosts(config): // one of them takes over soon
		return unreachable("no server of " + where + " accepts writes")
	case errors.Is(err, pgconn.ErrReadOnlyConnection):
		return failure.Wrap(store.ErrReadOnly, err, "no server of "+where+" accepts writes")
	case errors.As(err, &dns):
		return unreachable("the host name of " + where + " is not known")
	case pgconn.Timeout(err), errors.Is(err, context.DeadlineExceeded):
		return unreachable(where + " does not answer")
	}
	if dial := (*net.OpError)(nil); errors.As(err, &dial) && dial.Op == "dial" {
		return unreachable(fmt.Sprintf("no server answers at %s (%v): check the host and the port in the database URL, and that the server runs", where, dial.Err))
	}
	return unreachable("the connection to " + where + " failed")
}

// explainRefusal returns the failure for an error of the server at the start of a connection.
func explainRefusal(refused *pgconn.PgError, err error, config *pgconn.Config) error {
	where := describe(config)
	switch {
	case refused.Code == "28P01":
		return failure.Wrap(store.ErrNoRights, err, fmt.Sprintf("the password for the role %q of %s is wrong: correct it in the database URL", config.User, where))
	case refused.Code == "28000" && strings.Contains(refused.Message, "pg_hba.conf"):
		return failure.Wrap(store.ErrNoRights, err, fmt.Sprintf("%s admits no connection of the role %q from here: an administrator can add a line to pg_hba.conf, or TLS is missing", where, config.User))
	case strings.HasPrefix(refused.Code, "28"):
		return failure.Wrap(store.ErrNoRights, err, fmt.Sprintf("%s does not admit the role %q: check the role in the database URL", where, config.User))
	case refused.Code == "3D000":
		return failure.Wrap(store.ErrUnusable, err, fmt.Sprintf("%s does not exist: an administrator can run CREATE DATABASE %s OWNER %s", where, schema.Quote(config.Database), schema.Quote(config.User)))
	case strings.Contains(refused.Message, "unsupported startup parameter"):
		return failure.Wrap(store.ErrUnusable, err, where+" is a connection pooler such as PgBouncer, through which KOTA cannot work: name the database server itself in the database URL")
	}
	return failure.Classify(err)
}
