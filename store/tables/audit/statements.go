package audit

import (
	"slices"
	"strings"

	"kota/store"
	"kota/store/engine"
)

// The columns of a row, in the order of auditFields. In SQLite, the column owner has the owner of the
// call. In PostgreSQL, it has the number of the person whose log it is, and name has the owner of the
// call. ?1 is that number.
const (
	auditNames       = "seq, owner, at, call, phase, tool, effect, door, args, approval, code, prev, hash"
	auditNamesPerson = "seq, name, at, call, phase, tool, effect, door, args, approval, code, prev, hash"
)

func auditFields(r *store.AuditRow) []any {
	return []any{r.Seq, r.Owner, r.At.UnixMilli(), r.Call, string(r.Phase), r.Tool, r.Effect, r.Channel, r.Args, r.Approval, r.Code, r.Prev[:], r.Hash[:]}
}

// auditRow has a placeholder for each field of a row.
const auditRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

// selectRows selects rows by ?2 owner of the call, ?3 tool, ?4 call, ?5 time and ?6 number.
// ORDER BY follows.
var selectRows = engine.Stmt{
	SQLite: "SELECT " + auditNames + ` FROM audit WHERE ?2 IN ('', owner) AND ?3 IN ('', tool) AND ?4 IN ('', call) AND at >= ?5
		AND (?6 = 0 OR call = (SELECT call FROM audit WHERE seq = ?6))`,
	Postgres: "SELECT " + auditNamesPerson + ` FROM audit WHERE owner = ?1 AND ?2 IN ('', name) AND ?3 IN ('', tool) AND ?4 IN ('', call) AND at >= ?5
		AND (CAST(?6 AS bigint) = 0 OR call = (SELECT call FROM audit WHERE owner = ?1 AND seq = ?6))`,
}

// countRefusals counts the rows with the phase ?2 after ?3 and up to ?4 among the last 1000 rows.
var countRefusals = engine.Stmt{
	SQLite: `SELECT count(*) FROM (SELECT phase, at FROM audit ORDER BY seq DESC LIMIT 1000)
		WHERE phase = ?2 AND at > ?3 AND at <= ?4`,
	Postgres: `SELECT count(*) FROM (SELECT phase, at FROM audit WHERE owner = ?1 ORDER BY seq DESC LIMIT 1000) AS last
		WHERE phase = ?2 AND at > ?3 AND at <= ?4`,
}

// countRow counts the rows with the number ?2 and the hash ?3: one or none.
var countRow = engine.Stmt{
	SQLite:   "SELECT count(*) FROM audit WHERE seq = ?2 AND hash = ?3",
	Postgres: "SELECT count(*) FROM audit WHERE owner = ?1 AND seq = ?2 AND hash = ?3",
}

// selectTriggers selects the names of the triggers on the log.
var selectTriggers = engine.Stmt{
	SQLite:   "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'",
	Postgres: "SELECT CAST(tgname AS text) FROM pg_trigger WHERE tgrelid = CAST('audit' AS regclass) AND tgenabled IN ('O', 'A')",
}

// insertSizes are the numbers of rows that one statement adds, largest first. In a sequence of
// calls, each transaction adds two rows: the outcome of the previous call and the intent of its
// own.
var insertSizes = [...]int{16, 2, 1}

// insertSize returns how many of the rows the next statement adds.
func insertSize(rows []store.AuditRow) int {
	return insertSizes[slices.IndexFunc(insertSizes[:], func(n int) bool { return n <= len(rows) })]
}

// insertRows has the statement of SQLite for each of insertSizes. Its last argument is the first
// number: if a row with that number or a later one exists, the statement adds nothing.
var insertRows = func() map[int]string {
	queries := map[int]string{}
	for _, n := range insertSizes {
		rows := auditRow + strings.Repeat(", "+auditRow, n-1)
		queries[n] = "INSERT INTO audit (" + auditNames + ") SELECT * FROM (VALUES " + rows + ") WHERE NOT EXISTS (SELECT 1 FROM audit WHERE seq >= ?)"
	}
	return queries
}()
