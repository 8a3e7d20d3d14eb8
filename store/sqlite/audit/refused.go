package audit

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// mostRefused is how many calls that were not let through have a row of their own
// in an hour, across restarts. What more there are is counted, so that no loop fills
// the log: a row for each tool and code then says how many, of each process.
const mostRefused = 100

// refusals count the calls of one hour that were not let through.
type refusals struct {
	since time.Time
	rows  int
	more  map[refusal]int
}

type refusal struct{ owner, tool, effect, door, code string }

// refuse notes a call that was not let through.
func (a *Log) refuse(row store.AuditRow) {
	a.mu.Lock()
	if a.refused.since.IsZero() { // the first of this process
		a.refused = refusals{since: row.At, rows: a.refusedLately(row.At), more: map[refusal]int{}}
	}
	if age := row.At.Sub(a.refused.since); age < 0 || age >= time.Hour {
		a.sumRefused(row.At)
		a.refused = refusals{since: row.At, more: map[refusal]int{}}
	}
	whole := a.refused.rows < mostRefused
	if whole {
		a.refused.rows++
	} else {
		a.refused.more[refusal{row.Owner, row.Tool, row.Effect, row.Door, row.Code}]++
	}
	a.mu.Unlock()
	if whole {
		a.note(row)
	}
}

// refusedLately is how many rows of refusals the log has of the hour before, 0
// where it cannot be read. Of a fuller log it looks at the end.
func (a *Log) refusedLately(at time.Time) (rows int) {
	const end = "SELECT phase, at FROM audit ORDER BY seq DESC LIMIT 1000"
	_ = a.db.Read(context.Background()).Row("SELECT count(*) FROM ("+end+") WHERE phase = ? AND at > ? AND at <= ?",
		store.Refused, sqlite.Millis(at.Add(-time.Hour)), sqlite.Millis(at)).Scan(&rows)
	return rows
}

// sumRefused lets the rows wait that say how many more calls were not let
// through. a.mu is held.
func (a *Log) sumRefused(at time.Time) {
	for of, n := range a.refused.more {
		a.waiting = append(a.waiting, store.AuditRow{
			Owner: of.owner, At: store.StoredTime(at), Call: strings.ToLower(rand.Text()[:16]), Phase: store.Refused, Tool: of.tool, Effect: of.effect, Door: of.door,
			Args: fmt.Sprintf(`{"more":%d,"since":%q}`, n, a.refused.since.Format(time.RFC3339)), Code: of.code,
		})
	}
	clear(a.refused.more)
}
