// Package usage counts what is called, how, and with what outcome: never a word of
// what was asked or answered.
package usage

import (
	"context"
	"sync"
	"time"

	"kota/entrypoint"
	"kota/metadata"
)

// A Line says what was used when, how, and with what outcome.
type Line struct {
	Day     string // "2026-11-20"
	Tool    string // "memory_set"; "" for all names that no tool has
	Channel entrypoint.Channel
	Code    metadata.Code // "" when it succeeded
}

// A Count is what a Line adds up to. Tokens are estimated by metadata.Tokens.
type Count struct{ Times, TokensIn, TokensOut int }

// Counts are what a Counter hands on.
type Counts struct {
	Lines map[Line]Count
	Pairs map[[2]string]int // tools that were called soon after one another, the first in the alphabet first
}

// A Store keeps counts.
type Store interface {
	// AddUsage writes counts down, all or none of them: when it returns an error they
	// are kept in memory and handed on again, with those that follow.
	AddUsage(context.Context, Counts) error
}

// A Counter counts in memory what is used, and hands it on every FlushInterval and
// when it is flushed. What is not handed on when the process is killed is lost,
// and nothing else. It is safe for concurrent use; a nil Counter counts nothing.
type Counter struct {
	now   func() time.Time
	store Store

	mu     sync.Mutex
	counts Counts
	last   string // the tool that succeeded last
	lastAt time.Time
	timer  *time.Timer // runs the next flush; nil while nothing waits for one
}

const (
	FlushInterval = 15 * time.Second // from a first use to its being handed on

	maxLines     = 2000             // that wait to be handed on; uses that need more are not counted
	maxPairs     = 500              // the same
	pairWithin   = 10 * time.Minute // between two calls that belong together
	flushTimeout = 5 * time.Second  // of a flush in the background
)

// NewCounter returns a Counter of nothing yet. The day of a use is that of now, in
// its zone.
func NewCounter(now func() time.Time, store Store) *Counter {
	return &Counter{now: now, store: store, counts: noCounts()}
}

func noCounts() Counts { return Counts{Lines: map[Line]Count{}, Pairs: map[[2]string]int{}} }

// Flush hands on what was counted. It returns the error of the Store.
func (u *Counter) Flush(ctx context.Context) error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	counts := u.counts
	u.counts = noCounts()
	if u.timer != nil {
		u.timer.Stop()
		u.timer = nil
	}
	u.mu.Unlock()
	if len(counts.Lines) == 0 {
		return nil
	}
	err := u.store.AddUsage(ctx, counts)
	if err == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for line, count := range counts.Lines {
		u.add(line, count)
	}
	for pair, times := range counts.Pairs {
		u.pair(pair, times)
	}
	return err
}

// Count counts calls as they are answered, and what they showed their callers.
func (u *Counter) Count(next entrypoint.Handler) entrypoint.Handler {
	if u == nil {
		return next
	}
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		out, err := next(ctx, c)
		text := c.Text
		if err != nil {
			text = entrypoint.ErrorText(err)
		}
		u.count(c, shownTools(out), metadata.CodeOf(err), Count{1, metadata.Tokens(c.Args), metadata.Tokens(text)})
		return out, err
	}
}

// shownTools returns the actions that an answer of the discovery tools is about.
func shownTools(out any) []string {
	if found, ok := out.(interface{ ShownTools() []string }); ok {
		return found.ShownTools()
	}
	return nil
}

func (u *Counter) count(c *entrypoint.Call, shown []string, code metadata.Code, cost Count) {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.now()
	day := now.Format(time.DateOnly)
	u.add(Line{day, c.Reached, c.Channel, code}, cost)
	showedBy := entrypoint.ByDiscover
	if c.Reached == entrypoint.ToolsKey+"_describe_bundle" {
		showedBy = entrypoint.ByDescribe
	}
	for _, tool := range shown {
		u.add(Line{day, tool, showedBy, ""}, Count{Times: 1})
	}
	if code == "" && !entrypoint.IsDiscoveryTool(c.Reached) {
		u.follow(c.Reached, now)
	}
	if u.timer == nil {
		u.timer = time.AfterFunc(FlushInterval, u.flushSoon)
	}
}

// flushSoon is a flush that nobody waits for. One that fails is tried again
// after the next use.
func (u *Counter) flushSoon() {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	_ = u.Flush(ctx)
}

// follow pairs the tool with the one before it. u.mu is held.
func (u *Counter) follow(tool string, now time.Time) {
	if u.last != "" && u.last != tool && now.Sub(u.lastAt) <= pairWithin {
		u.pair([2]string{min(u.last, tool), max(u.last, tool)}, 1)
	}
	u.last, u.lastAt = tool, now
}

// add adds to a line, when there is room for it. u.mu is held.
func (u *Counter) add(line Line, more Count) {
	count, there := u.counts.Lines[line]
	if !there && len(u.counts.Lines) >= maxLines {
		return
	}
	u.counts.Lines[line] = Count{count.Times + more.Times, count.TokensIn + more.TokensIn, count.TokensOut + more.TokensOut}
}

// pair adds to a pair, when there is room for it. u.mu is held.
func (u *Counter) pair(pair [2]string, times int) {
	if _, there := u.counts.Pairs[pair]; there || len(u.counts.Pairs) < maxPairs {
		u.counts.Pairs[pair] += times
	}
}
