package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/store"
	"kota/store/postgres"
)

// serverTimeout is how long the server may take for all checks.
const serverTimeout = 30 * time.Second

// examineServer checks the database server and what is in the tables of the owner.
func examineServer(a *app.App, ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, serverTimeout)
	defer cancel()
	f := Finding{Check: "database", Saw: a.DescribeDatabase()}
	failed := func(err error) []Finding {
		f.Saw, f.Remedy = err.Error(), serverRemedy(a, err)
		return append([]Finding{f}, examinePassword(a)...)
	}
	opened, err := a.OpenDB(ctx)
	if err != nil {
		return failed(err)
	}
	db, ok := opened.(app.ServerDatabase)
	if !ok {
		return failed(errors.New("the database is a file"))
	}
	status, err := db.Status(ctx)
	if err == nil {
		err = db.Writable(ctx)
	}
	if err != nil {
		return failed(err)
	}
	f.OK, f.Saw = true, fmt.Sprintf("PostgreSQL %s, %s", status.Version, db.Describe())
	found := append([]Finding{f, encryptionFinding(status, db.Describe())}, examinePassword(a)...)
	found = append(found, rightsFinding(status), separationFinding(status), tablesFinding(status), settingsFinding(ctx, db))
	index := Finding{Check: "search index", OK: true, Saw: "checking it needs write access: run this with --profile full"}
	if !a.Policy().ReadsOnly() {
		index = ExamineIndex(ctx, db)
	}
	return append(append(found, index, keysFinding(a, ctx)), examineRows(a, ctx, db)...)
}

// serverRemedy says what to do about a server that cannot be used.
func serverRemedy(a *app.App, err error) string {
	where := a.Config.Database.Source
	switch {
	case errors.Is(err, store.ErrUnreachable), errors.Is(err, context.DeadlineExceeded):
		return "Start the database server, or correct the URL: " + where + " has it. Nothing that was stored is lost."
	case errors.Is(err, store.ErrNoRights):
		return "An administrator of the server can give the rights; if the role or the password is wrong, correct the URL: " + where + " has it."
	case errors.Is(err, store.ErrReadOnly):
		return "Name the primary server in the URL, or make the database writable: " + where + " has the URL."
	case errors.Is(err, store.ErrForeign):
		return "Nothing was changed. Name a database of KOTA's own in the URL: " + where + " has it."
	case errors.Is(err, store.ErrNewer):
		return "Nothing was changed. Update this KOTA."
	case errors.Is(err, postgres.ErrRemoved):
		return "Nothing was changed. To admit the person again, without the earlier data, an administrator sets `removed` to NULL in kota.tenants."
	case errors.Is(err, store.ErrBusy), errors.Is(err, store.ErrFull):
		return "The administrator of the database server can say why; the log of the server has more."
	}
	return "Correct the URL, which " + where + " has, or ask the administrator of the database server; its log has more."
}

// encryptionFinding notes a connection over a network that others could read.
func encryptionFinding(status postgres.Status, where string) Finding {
	host, _, _ := net.SplitHostPort(strings.Split(where, "/")[0])
	address := net.ParseIP(host)
	switch {
	case status.TLS:
		return Finding{Check: "encryption", OK: true, Saw: "the connection uses TLS"}
	case strings.HasPrefix(where, "/"), host == "localhost", address != nil && address.IsLoopback():
		return Finding{Check: "encryption", OK: true, Saw: "the connection stays on this machine"}
	}
	return Finding{
		Check: "encryption", OK: true, Note: true, Saw: "the connection does not use TLS: anybody who can read the network traffic can read the data",
		Remedy: "Switch TLS on in the server, and add sslmode=verify-full to the URL.",
	}
}

// examinePassword checks that others cannot read a password in bundles.yaml.
func examinePassword(a *app.App) []Finding {
	info, err := os.Stat(a.Config.File)
	if err != nil || !strings.HasPrefix(a.Config.Database.Source, a.Config.File+":") || !a.Config.Database.URL.HasPassword() || info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return []Finding{{
		Check: "password", Saw: fmt.Sprintf("%s has the password of the database, and other users can read it (mode %04o)", a.Config.File, info.Mode().Perm()),
		Remedy: "Run: chmod 600 " + a.Config.File + ", or use KOTA_DATABASE_URL or a file .pgpass.",
	}}
}

// rightsFinding names the role that KOTA works as.
func rightsFinding(status postgres.Status) Finding {
	switch {
	case status.Role != status.Login && status.LoginBypasses:
		return Finding{
			Check: "rights", OK: true, Note: true,
			Saw:    fmt.Sprintf("KOTA works as the role %s, which owns nothing, but the role %s of the URL bypasses row-level security: a connection with this URL can read everybody's data", status.Role, status.Login),
			Remedy: fmt.Sprintf("Safer: an administrator runs CREATE ROLE kota LOGIN PASSWORD '…'; GRANT %s TO kota, and you name the role kota in the URL. Start KOTA once with the present URL after each update.", status.Role),
		}
	case status.Role != status.Login:
		return Finding{Check: "rights", OK: true, Saw: fmt.Sprintf("KOTA works as the role %s, which owns nothing", status.Role)}
	}
	return Finding{
		Check: "rights", OK: true, Note: true, Saw: fmt.Sprintf("KOTA works as the role %s, which owns its tables and could disable row-level security", status.Role),
		Remedy: fmt.Sprintf("Safer: an administrator runs ALTER ROLE %s CREATEROLE once, and you restart KOTA.", status.Role),
	}
}

// separationFinding says whether the server itself keeps people apart.
func separationFinding(status postgres.Status) Finding {
	if len(status.Unprotected) == 0 {
		return Finding{Check: "separation", OK: true, Saw: "row-level security holds on every table"}
	}
	table := "kota." + status.Unprotected[0]
	return Finding{
		Check: "separation", Saw: "row-level security does not hold on these tables: " + strings.Join(status.Unprotected, ", "),
		Remedy: fmt.Sprintf("The owner of the tables can run: ALTER TABLE %s ENABLE ROW LEVEL SECURITY; ALTER TABLE %[1]s FORCE ROW LEVEL SECURITY. KOTA does not start before.", table),
	}
}

// tablesFinding compares the tables with what this KOTA knows.
func tablesFinding(status postgres.Status) Finding {
	f := Finding{Check: "tables", OK: true, Saw: fmt.Sprintf("schema %d, which this KOTA knows", status.Steps)}
	if status.Steps > status.KnownSteps {
		f.Note, f.Saw = true, fmt.Sprintf("KOTA %s has changed them to schema %d, and this KOTA knows schema %d; it can still use them", status.ChangedBy, status.Steps, status.KnownSteps)
		f.Remedy = "Update this KOTA."
	}
	return f
}

// settingsFinding reports settings of the server with which data can be lost.
func settingsFinding(ctx context.Context, db app.Database) Finding {
	problems, err := db.Check(ctx)
	switch {
	case err != nil:
		return Finding{Check: "server", Saw: err.Error(), Remedy: "See the log of the database server."}
	case len(problems) > 0:
		return Finding{Check: "server", Saw: strings.Join(problems, " "), Remedy: "The administrator of the database server can change that."}
	}
	return Finding{Check: "server", OK: true, Saw: "its settings keep what was stored, and its clock agrees"}
}
