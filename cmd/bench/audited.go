package main

import (
	"cmp"
	"context"

	"kota/bundles"
	"kota/entrypoint/audit"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
	auditlog "kota/store/tables/audit"
)

// auditor records the changes of calls in the database, as the program does.
type auditor struct{ db *sqlite.DB }

func newAuditor(db *sqlite.DB) auditor {
	auditlog.New(db, trailOf)
	return auditor{db}
}

func (a auditor) Begin(env *bundles.Env, entry audit.Entry) audit.Trail {
	trail := auditlog.NewTrail(store.AuditEntry{Owner: owner, Tool: entry.Tool, Effect: string(entry.Effect), Channel: string(entry.Channel), Args: entry.Args})
	env.AuditTrail = trail
	return record{a.db, trail}
}

func trailOf(ctx context.Context) *auditlog.Trail {
	trail, _ := bundles.EnvOf(ctx).AuditTrail.(*auditlog.Trail)
	return trail
}

// record is the audit record of one call, in the audit log of db.
type record struct {
	db *sqlite.DB
	*auditlog.Trail
}

func (r record) NoteSubstitution(audit.Entry) {} // no measured call does this
func (r record) NoteApproval(how string)      { r.Approve(how) }

func (r record) End(code metadata.Code, _ bool) { r.Trail.End(cmp.Or(string(code), store.OK)) }
