package memory

import (
	"context"
	"sync"
	"time"

	"kota/store/sqlite"
)

// uses counts how often memories were recalled, until there is time to write
// it down: reading never waits for a write.
type uses struct {
	db    *sqlite.DB
	mu    sync.Mutex
	count map[int64]int
	last  time.Time
	timer *time.Timer // runs flush; nil while nothing is counted
}

func usesOf(db *sqlite.DB) *uses {
	return sqlite.Extension(db, func() (*uses, sqlite.Hook) {
		u := &uses{db: db}
		return u, sqlite.Hook{Close: u.flush}
	})
}

const (
	usesPause = 2 * time.Second // after the first use that is not yet written
	usesMany  = 1000            // memories counted, after which more wait for the next flush
)

// Touch counts a use of each memory. It returns at once: the count is written
// when the database has been used for a while, and by Close. A process that is
// killed loses its last counts, and nothing else.
func (m *Store) Touch(ids ...int64) {
	u := usesOf(m.db)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last = m.db.Now()
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
			_ = m.db.Safely("count uses of memories", func() error { u.flush(context.Background()); return nil })
		})
	}
}

// flush writes the counts down. When it cannot, they are dropped: they
// only weigh a little in ranking.
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
	err := u.db.Write(ctx, func(t *sqlite.Tx) error {
		for id, n := range count {
			if _, err := t.Exec("UPDATE memories SET uses = uses + ?, last_used = ? WHERE id = ?", n, sqlite.Millis(last), id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		u.db.Log().Debug("uses of memories were not counted", "memories", len(count), "err", err)
	}
}
