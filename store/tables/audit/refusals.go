package audit

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// maxRefusedRows is how many refused calls per hour get their own row, even if KOTA is restarted
// within the hour. Further refused calls are only counted, so that a loop of calls cannot fill
// the log. One row for each combination of owner, tool, effect, channel and code then gives their
// number.
const maxRefusedRows = 100

// refusals counts the refused calls of one hour.
type refusals struct {
	since  time.Time
	rows   int
	counts map[refusal]int
}

type refusal struct{ owner, tool, effect, channel, code string }

// refuse records a refused call.
func (a *Log) refuse(row store.AuditRow) {
	a.mu.Lock()
	if a.refused.since.IsZero() { // no refused call of this process yet
		a.refused = refusals{since: row.At, rows: a.recentRefusals(row.At), counts: map[refusal]int{}}
	}
	if age := row.At.Sub(a.refused.since); age < 0 || age >= time.Hour {
		a.queueRefusalCounts(row.At)
		a.refused = refusals{since: row.At, counts: map[refusal]int{}}
	}
	ownRow := a.refused.rows < maxRefusedRows
	if ownRow {
		a.refused.rows++
	} else {
		a.refused.counts[refusal{row.Owner, row.Tool, row.Effect, row.Channel, row.Code}]++
	}
	a.mu.Unlock()
	if ownRow {
		a.enqueue(row)
	}
}

// recentRefusals returns the number of rows of refused calls in the hour before at, or 0 if the
// log cannot be read. It only reads the last 1000 rows of the log.
func (a *Log) recentRefusals(at time.Time) (rows int) {
	_ = a.db.Read(context.Background()).Row(countRefusals.For(a.db), a.person, store.PhaseRefused, engine.Millis(at.Add(-time.Hour)), engine.Millis(at)).Scan(&rows)
	return rows
}

// queueRefusalCounts queues the rows that give the numbers of refused calls without their own
// row. The caller holds a.mu.
func (a *Log) queueRefusalCounts(at time.Time) {
	for refusal, n := range a.refused.counts {
		a.queue = append(a.queue, store.AuditRow{
			Owner: refusal.owner, At: store.StoredTime(at), Call: strings.ToLower(rand.Text()[:16]), Phase: store.PhaseRefused, Tool: refusal.tool, Effect: refusal.effect, Channel: refusal.channel,
			Args: fmt.Sprintf(`{"more":%d,"since":%q}`, n, a.refused.since.Format(time.RFC3339)), Code: refusal.code,
		})
	}
	clear(a.refused.counts)
}
