package main

import (
	"cmp"
	"context"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
)

// audited records what calls change in the database, as the program does.
func audited(db *sqlite.DB) entrypoint.Audit {
	sqlite.NewAuditLog(db, trailOf)
	return func(ctx context.Context, act entrypoint.AuditEntry) (context.Context, entrypoint.Record) {
		trail := sqlite.NewTrail(store.Act{Owner: owner, Tool: act.Tool, Effect: string(act.Effect), Door: string(act.Channel), Args: act.Args})
		env := *bundles.EnvOf(ctx)
		env.Trail = trail
		return env.In(ctx), record{db, trail}
	}
}

func trailOf(ctx context.Context) *sqlite.Trail {
	trail, _ := bundles.EnvOf(ctx).Trail.(*sqlite.Trail)
	return trail
}

// A record is that of one call in the audit log of db.
type record struct {
	db *sqlite.DB
	*sqlite.Trail
}

func (r record) Became(entrypoint.AuditEntry) {} // no call that is measured does
func (r record) Approved(how string)          { r.Approve(how) }

func (r record) End(code metadata.Code, _ bool) { r.Trail.End(cmp.Or(string(code), store.OK)) }
