package app

import (
	"cmp"
	"context"
	"net/http"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/audit"
	"kota/metadata"
	"kota/store"
	"kota/store/engine"
	auditlog "kota/store/tables/audit"
)

// auditor returns the Auditor that records changes in the audit log. It returns
// nil under a profile that only reads, because such a process writes nothing.
func (a *App) auditor() audit.Auditor {
	if a.Policy().ReadsOnly() {
		return nil
	}
	return auditor{a}
}

type auditor struct{ app *App }

func (a auditor) Begin(env *bundles.Env, entry audit.Entry) audit.Trail {
	trail := auditlog.NewTrail(storeEntry(entry))
	env.AuditTrail = trail
	return record{a.app, trail}
}

// withTrail begins an audit trail and returns a context that carries it. The first
// transaction in that context that changes something writes entry to the audit log.
func withTrail(ctx context.Context, entry store.AuditEntry) (context.Context, *auditlog.Trail) {
	env := *bundles.EnvOf(ctx)
	trail := auditlog.NewTrail(entry)
	env.AuditTrail = trail
	return env.NewContext(ctx), trail
}

// TrailFromContext returns the trail in ctx, or nil.
func TrailFromContext(ctx context.Context) *auditlog.Trail {
	trail, _ := bundles.EnvOf(ctx).AuditTrail.(*auditlog.Trail)
	return trail
}

// AuditLog returns the audit log of db.
func AuditLog(db engine.DB) *auditlog.Log { return auditlog.New(db, TrailFromContext) }

func storeEntry(entry audit.Entry) store.AuditEntry {
	return store.AuditEntry{Owner: Owner, Tool: entry.Tool, Effect: string(entry.Effect), Channel: string(entry.Channel), Args: entry.Args}
}

// RecordCommand runs do, which makes the changes of a command that the user ran.
// It records the changes in the audit log under the name of the command, because
// they belong to no tool call.
func (a *App) RecordCommand(ctx context.Context, command string, effect metadata.Effect, do func(context.Context) error) error {
	return a.RecordCommandBy(ctx, entrypoint.ByCLI, command, effect, do)
}

// RecordCommandBy does what RecordCommand does for a command that arrived by a channel.
func (a *App) RecordCommandBy(ctx context.Context, by entrypoint.Channel, command string, effect metadata.Effect, do func(context.Context) error) error {
	ctx, trail := withTrail(ctx, store.AuditEntry{Owner: Owner, Tool: command, Effect: string(effect), Channel: string(by), Args: []byte("{}")})
	err := do(ctx)
	trail.End(cmp.Or(string(metadata.CodeOf(err)), store.OK))
	return err
}

// record is the audit record of one call.
type record struct {
	app   *App
	trail *auditlog.Trail
}

func (r record) NoteSubstitution(entry audit.Entry) { r.trail.Replace(storeEntry(entry)) }
func (r record) NoteApproval(how string)            { r.trail.Approve(how) }

// End completes the record. If a refused call has no row yet, End opens the
// database, which may not be open yet, and writes a row.
func (r record) End(code metadata.Code, refused bool) {
	if r.trail.HasIntent() || !refused {
		r.trail.End(cmp.Or(string(code), store.OK))
		return
	}
	db, err := r.app.OpenDB(context.Background())
	if err != nil {
		r.app.Log.Warn("a call that was refused could not be written to the audit log", "cause", err)
		return
	}
	AuditLog(db).Refuse(r.trail, string(code))
}

// auditTransport writes the intent of a call to the audit log before it sends any
// request to Google that changes something.
type auditTransport struct {
	next http.RoundTripper
	app  *App
}

func (t auditTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if isRead(request) {
		return t.next.RoundTrip(request)
	}
	if err := t.app.writeIntent(request.Context()); err != nil {
		if request.Body != nil {
			request.Body.Close()
		}
		return nil, &metadata.Error{
			Code: metadata.Unavailable, Message: "the audit log cannot be written, and KOTA changes nothing at Google without it: nothing was sent",
			Hint: "Free some space on the disk, or run `kota doctor`.", Cause: err,
		}
	}
	return t.next.RoundTrip(request)
}

func (a *App) writeIntent(ctx context.Context) error {
	db, err := a.OpenDB(ctx)
	if err != nil {
		return err
	}
	return AuditLog(db).WriteIntent(ctx)
}
