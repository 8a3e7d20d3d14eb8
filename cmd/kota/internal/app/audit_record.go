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
	"kota/store/sqlite"
	auditlog "kota/store/sqlite/audit"
)

// auditor records what calls change in the audit log. It is nil under a profile
// that only reads, whose processes write nothing.
func (a *App) auditor() audit.Auditor {
	if a.Policy().ReadsOnly() {
		return nil
	}
	return auditor{a}
}

type auditor struct{ app *App }

func (a auditor) Begin(env *bundles.Env, entry audit.Entry) audit.Trail {
	trail := auditlog.NewTrail(logged(entry))
	env.Trail = trail
	return record{a.app, trail}
}

// onTrail begins the trail of an act and returns ctx for what that does: the first
// transaction in it that changes something has the act in the audit log.
func onTrail(ctx context.Context, act store.Act) (context.Context, *auditlog.Trail) {
	env := *bundles.EnvOf(ctx)
	trail := auditlog.NewTrail(act)
	env.Trail = trail
	return env.In(ctx), trail
}

// TrailOf returns the trail that ctx is on; nil for none.
func TrailOf(ctx context.Context) *auditlog.Trail {
	trail, _ := bundles.EnvOf(ctx).Trail.(*auditlog.Trail)
	return trail
}

// AuditLog returns the audit log of db.
func AuditLog(db *sqlite.DB) *auditlog.Log { return auditlog.New(db, TrailOf) }

func logged(act audit.Entry) store.Act {
	return store.Act{Owner: UsageOwner, Tool: act.Tool, Effect: string(act.Effect), Door: string(act.Channel), Args: act.Args}
}

// ByHand records what a command of the user's own changes, which is no call.
func (a *App) ByHand(ctx context.Context, command string, effect metadata.Effect, do func(context.Context) error) error {
	ctx, trail := onTrail(ctx, store.Act{Owner: UsageOwner, Tool: command, Effect: string(effect), Door: string(entrypoint.ByCLI), Args: []byte("{}")})
	err := do(ctx)
	trail.End(cmp.Or(string(metadata.CodeOf(err)), store.OK))
	return err
}

// A record is that of one call in the audit log.
type record struct {
	app   *App
	trail *auditlog.Trail
}

func (r record) Substituted(act audit.Entry) { r.trail.Became(logged(act)) }
func (r record) Approved(how string)         { r.trail.Approve(how) }

// End opens the database for a call that was not let through: nothing else may
// have.
func (r record) End(code metadata.Code, refused bool) {
	if r.trail.Begun() || !refused {
		r.trail.End(cmp.Or(string(code), store.OK))
		return
	}
	db, err := r.app.OpenDB(context.Background())
	if err != nil {
		r.app.Log.Warn("a call that was not let through is not in the audit log", "cause", err)
		return
	}
	AuditLog(db).Refuse(r.trail, string(code))
}

// auditing has the intent of a call in the audit log before anything that it
// changes at Google is asked for.
type auditing struct {
	next http.RoundTripper
	app  *App
}

func (t auditing) RoundTrip(request *http.Request) (*http.Response, error) {
	if reads(request) {
		return t.next.RoundTrip(request)
	}
	if err := t.app.intend(request.Context()); err != nil {
		if request.Body != nil {
			request.Body.Close()
		}
		return nil, &metadata.Error{
			Code: metadata.Unavailable, Message: "the audit log cannot be written, and nothing is changed at Google without it: nothing was sent",
			Hint: "Free some space on the disk, or run `kota doctor`.", Cause: err,
		}
	}
	return t.next.RoundTrip(request)
}

func (a *App) intend(ctx context.Context) error {
	db, err := a.OpenDB(ctx)
	if err != nil {
		return err
	}
	return AuditLog(db).Intend(ctx)
}
