package sqlite

import (
	"context"
	"sync"
	"time"
)

// uses counts how often memories were recalled, until there is time to write
// it down: reading never waits for a write.
type uses struct {
	mu    sync.Mutex
	count map[int64]int
	last  time.Time
	timer *time.Timer // runs flush; nil while nothing is counted
}

const (
	usesPause = 2 * time.Second // after the first use that is not yet written
	usesMany  = 1000            // memories counted, after which more wait for the next flush
)

// Touch counts a use of each memory. It returns at once: the count is written
// when the database has been used for a while, and by Close. A process that is
// killed loses its last counts, and nothing else.
func (m *Memories) Touch(ids ...int64) {
	u := &m.db.uses
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last = m.db.now()
	if u.count == nil {
		u.count = map[int64]int{}
	}
	for _, id := range ids {
		if len(u.count) < usesMany {
			u.count[id]++
		}
	}
	if u.timer == nil && len(u.count) > 0 {
		u.timer = time.AfterFunc(usesPause, func() {
			_ = m.db.safely("count uses of memories", func() error { m.db.flushUses(context.Background()); return nil })
		})
	}
}

// flushUses writes the counts down. When it cannot, they are dropped: they
// only weigh a little in ranking.
func (db *DB) flushUses(ctx context.Context) {
	u := &db.uses
	u.mu.Lock()
	count, last := u.count, u.last
	u.count = nil
	if u.timer != nil {
		u.timer.Stop()
		u.timer = nil
	}
	u.mu.Unlock()
	if len(count) == 0 {
		return
	}
	err := db.write(ctx, func(t *tx) error {
		for id, n := range count {
			if _, err := t.exec("UPDATE memories SET uses = uses + ?, last_used = ? WHERE id = ?", n, millis(last), id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		db.log.Debug("uses of memories were not counted", "memories", len(count), "err", err)
	}
}
