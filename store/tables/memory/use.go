package memory

import (
	"context"
	"sync"
	"time"

	"kota/store/engine"
)

// A use identifies a memory.
type use struct {
	owner  any
	memory int64
}

// uses counts how often memories were used. It writes the counts later, because reading must not
// wait for a write.
type uses struct {
	db    engine.DB
	mu    sync.Mutex
	count map[use]int
	last  time.Time
	timer *time.Timer // runs flush; nil if no flush is scheduled
}

func usesOf(db engine.DB) *uses {
	return engine.Extension(db, func() (*uses, engine.Hook) {
		u := &uses{db: db}
		return u, engine.Hook{Close: u.flush}
	})
}

const (
	usesDelay  = 2 * time.Second // time from the first unwritten use to the write
	maxCounted = 1000            // maximum number of memories counted between two flushes; further uses are not counted
)

// Touch counts a use of each memory. It returns immediately: the counts are written two seconds
// later, or when the database is closed. A killed process only loses its last counts.
func (m *Store) Touch(ids ...int64) {
	u := usesOf(m.db)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last = m.db.Now()
	if u.count == nil {
		u.count = map[use]int{}
	}
	for _, id := range ids {
		if len(u.count) < maxCounted {
			u.count[use{m.owner, id}]++
		}
	}
	if u.timer == nil && len(u.count) > 0 {
		u.timer = time.AfterFunc(usesDelay, func() {
			_ = m.db.RunRecovered("count uses of memories", func() error { u.flush(context.Background()); return nil })
		})
	}
}

// flush writes the counts. If that fails, it drops the counts, because they matter little in
// ranking.
func (u *uses) flush(ctx context.Context) {
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
	err := u.db.Write(ctx, func(t engine.Tx) error {
		for used, n := range count {
			if err := t.Exec("UPDATE memories SET uses = uses + ?, last_used = ? WHERE id = ? AND owner = ?", n, engine.Millis(last), used.memory, used.owner); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		u.db.Log().Debug("the use of memories was not counted", "memories", len(count), "err", err)
	}
}
