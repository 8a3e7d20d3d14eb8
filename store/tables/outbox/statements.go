package outbox

import (
	"strings"

	"kota/store/engine"
)

// The statements that write or compare leases. {now} is the time of the database's clock, in
// milliseconds. A program compares no lease with its own clock.
var (
	itemByID      = withNow("SELECT " + itemColumns + " FROM outbox WHERE owner = ? AND bundle = ? AND id = ?")
	itemByKey     = withNow("SELECT " + itemColumns + " FROM outbox WHERE owner = ? AND bundle = ? AND account = ? AND key = ? AND status <> 'dropped'")
	itemByContent = withNow(`SELECT ` + itemColumns + ` FROM outbox
		WHERE owner = ?1 AND bundle = ?2 AND account = ?3 AND (gist = ?4 AND status IN ('pending', 'sending', 'unknown')
			OR digest = ?5 AND status <> 'dropped' AND (status NOT IN ('sent', 'saved') OR updated > ?6))
		ORDER BY status IN ('pending', 'sending', 'unknown') DESC, created DESC, rowid DESC LIMIT 1`)
	latestItems = withNow("SELECT " + itemColumns + " FROM outbox WHERE owner = ? AND bundle = ? ORDER BY updated DESC, rowid DESC LIMIT ?")

	insertItem = withNow(`INSERT INTO outbox (rowid, id, owner, bundle, account, key, digest, gist, kind, summary, raw, thread, save, draft, own, placed,
			message, status, error, tries, created, updated, holder, lease)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now} + ?)`)
	takeLease   = withNow("UPDATE outbox SET holder = ?, lease = {now} + ? WHERE owner = ? AND bundle = ? AND id = ?")
	extendLease = withNow("UPDATE outbox SET lease = {now} + ? WHERE owner = ? AND bundle = ? AND id = ? AND holder = ? AND lease > 0")
	saveItem    = withNow(`UPDATE outbox SET summary = ?4, draft = ?5, own = ?6, placed = ?7, message = ?8, status = ?9, error = ?10, tries = ?11, updated = ?12,
			lease = CASE WHEN CAST(?13 AS bigint) > 0 THEN {now} + ?13 ELSE 0 END,
			raw = CASE WHEN ?9 IN ('sent', 'saved', 'dropped') THEN NULL ELSE raw END
		WHERE owner = ?1 AND bundle = ?2 AND id = ?3 AND (holder = ?14 AND status <> 'sent' OR ?9 = 'sent')`)
)

// itemColumns are the columns that scanItem reads. The last says whether the lease has not expired.
const itemColumns = `id, account, key, digest, gist, kind, summary, thread, save, draft, own, placed, message, status, error, tries, created, updated, holder, lease, lease > {now}`

// withNow returns a statement with the databases' texts for {now}.
func withNow(text string) engine.Stmt {
	return engine.Stmt{SQLite: strings.ReplaceAll(text, "{now}", engine.SQLite.NowMillis()), Postgres: strings.ReplaceAll(text, "{now}", engine.Postgres.NowMillis())}
}
