// Package usage counts which tools are called, how, and with what outcome. It never stores
// arguments or answers.
package usage

import (
	"context"
	"sync"
	"time"

	"kota/entrypoint"
	"kota/metadata"
)

// A Line says when and how a tool was used, and with what outcome.
type Line struct {
	Day     string // "2026-11-20"
	Tool    string // "memory_set"; "" for all names without a tool
	Channel entrypoint.Channel
	Code    metadata.Code // the code of the call's error; "" if it succeeded
}

// A Count is the sum for a Line. metadata.Tokens estimates the tokens of calls and answers.
type Count struct{ Times, TokensIn, TokensOut int }

// Counts are what a Counter passes to its Store.
type Counts struct {
	Lines map[Line]Count
	Pairs map[[2]string]int // how often two tools were called soon after one another; the tools are in alphabetical order
}

// A Store stores counts.
type Store interface {
	// AddUsage stores all of the counts or none. If it returns an error, the Counter keeps
	// the counts in memory and passes them again with later counts.
	AddUsage(context.Context, Counts) error
}

// A Counter counts usage in memory. It passes the counts to its Store on Flush, and
// FlushInterval after the first use since the last flush. If the process is killed, only the
// counts since the last flush are lost. A Counter is safe for concurrent use; a nil Counter
// counts nothing.
type Counter struct {
	now   func() time.Time
	store Store

	mu     sync.Mutex
	counts Counts
	last   string // the last tool that succeeded
	lastAt time.Time
	timer  *time.Timer // runs the next flush; nil if none is due
}

const (
	FlushInterval = 15 * time.Second // from the first use after a flush to the next flush

	maxLines     = 2000             // maximum lines between two flushes; further lines are not counted
	maxPairs     = 500              // maximum pairs between two flushes; further pairs are not counted
	pairWindow   = 10 * time.Minute // maximum time between two calls that count as a pair
	flushTimeout = 5 * time.Second  // time limit of a flush in the background
)

// NewCounter returns an empty Counter. The day of a use is the day of now, in its zone.
func NewCounter(now func() time.Time, store Store) *Counter {
	return &Counter{now: now, store: store, counts: noCounts()}
}

func noCounts() Counts { return Counts{Lines: map[Line]Count{}, Pairs: map[[2]string]int{}} }

// Flush passes the counts to the Store. It returns the Store's error.
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
		u.addLine(line, count)
	}
	for pair, times := range counts.Pairs {
		u.addPair(pair, times)
	}
	return err
}

// Count counts calls when they are answered, and the actions that their answers showed. It does
// not count what a person looks at in the browser: the counts say what assistants need.
func (u *Counter) Count(next entrypoint.Handler) entrypoint.Handler {
	if u == nil {
		return next
	}
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		out, err := next(ctx, c)
		if c.Channel == entrypoint.ByConsole {
			return out, err
		}
		text := c.Text
		if err != nil {
			text = entrypoint.ErrorText(err)
		}
		u.count(c, shownTools(out), metadata.CodeOf(err), Count{1, metadata.Tokens(c.Args), metadata.Tokens(text)})
		return out, err
	}
}

// shownTools returns the actions in an answer of the discovery tools.
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
	u.addLine(Line{day, c.ReachedTool, c.Channel, code}, cost)
	showedBy := entrypoint.ByDiscover
	if c.ReachedTool == entrypoint.ToolsKey+"_describe_bundle" {
		showedBy = entrypoint.ByDescribe
	}
	for _, tool := range shown {
		u.addLine(Line{day, tool, showedBy, ""}, Count{Times: 1})
	}
	if code == "" && !entrypoint.IsDiscoveryTool(c.ReachedTool) {
		u.pairWithLast(c.ReachedTool, now)
	}
	if u.timer == nil {
		u.timer = time.AfterFunc(FlushInterval, u.flushInBackground)
	}
}

// flushInBackground flushes with a time limit. If it fails, the next use starts another timer.
func (u *Counter) flushInBackground() {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	_ = u.Flush(ctx)
}

// pairWithLast counts the tool and the last tool as a pair. The caller holds u.mu.
func (u *Counter) pairWithLast(tool string, now time.Time) {
	if u.last != "" && u.last != tool && now.Sub(u.lastAt) <= pairWindow {
		u.addPair([2]string{min(u.last, tool), max(u.last, tool)}, 1)
	}
	u.last, u.lastAt = tool, now
}

// addLine adds to the count of a line, unless there are too many lines. The caller holds u.mu.
func (u *Counter) addLine(line Line, more Count) {
	count, known := u.counts.Lines[line]
	if !known && len(u.counts.Lines) >= maxLines {
		return
	}
	u.counts.Lines[line] = Count{count.Times + more.Times, count.TokensIn + more.TokensIn, count.TokensOut + more.TokensOut}
}

// addPair adds to the count of a pair, unless there are too many pairs. The caller holds u.mu.
func (u *Counter) addPair(pair [2]string, times int) {
	if _, known := u.counts.Pairs[pair]; known || len(u.counts.Pairs) < maxPairs {
		u.counts.Pairs[pair] += times
	}
}
