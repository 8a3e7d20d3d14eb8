package postgres

import (
	"kota/store"
	"kota/store/postgres/convert"
)

// auditRows are the columns of the new rows of audit logs, of all tenants of a group. One statement
// adds them: one for each row takes twice the time.
type auditRows struct {
	owner, seq, at []int64
	// name, call, phase, tool, effect, door, args, approval, code
	texts      [9][]string
	prev, hash [][]byte
}

const insertAudit = `
	INSERT INTO audit (owner, seq, at, name, call, phase, tool, effect, door, args, approval, code, prev, hash)
	SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
		$11::text[], $12::text[], $13::bytea[], $14::bytea[])`

// add adds rows of a tenant.
func (a *auditRows) add(tenant int64, rows []store.AuditRow) {
	for i := range rows {
		r := &rows[i]
		a.owner, a.seq, a.at = append(a.owner, tenant), append(a.seq, r.Seq), append(a.at, r.At.UnixMilli())
		for j, text := range [...]string{r.Owner, r.Call, string(r.Phase), r.Tool, r.Effect, r.Channel, r.Args, r.Approval, r.Code} {
			a.texts[j] = append(a.texts[j], convert.EscapeText(text))
		}
		a.prev, a.hash = append(a.prev, r.Prev[:]), append(a.hash, r.Hash[:])
	}
}

// insertAudit adds the statement that stores rows of audit logs, if there are any. Their tenants are
// in the group that is set.
func (t *trip) insertAudit(a auditRows) {
	if len(a.owner) == 0 {
		return
	}
	args := []any{a.owner, a.seq, a.at}
	for _, texts := range a.texts {
		args = append(args, texts)
	}
	t.queue(&statement{text: insertAudit, args: append(args, a.prev, a.hash)})
}
