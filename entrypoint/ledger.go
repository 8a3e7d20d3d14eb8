package entrypoint

import (
	"context"
	"sync"
	"time"

	"kota/metadata"
)

// A Channel is a way by which an action is come upon, or called.
type Channel string

const (
	ByDiscover   Channel = "discover"    // a search showed it
	ByDescribe   Channel = "describe"    // it was read up on
	ByName       Channel = "direct"      // it was called as a tool of its own
	ByEntryPoint Channel = "entry_point" // through kota_entry_point
	ByRead       Channel = "read"        // through kota_read
	ByCLI        Channel = "cli"         // at the command line
)

// A Line of the ledger says what was used when, how, and with what outcome.
type Line struct {
	Day     string // "2026-11-20"
	Tool    string // "memory_set"; "" for all names that no tool has
	Channel Channel
	Code    metadata.Code // "" when it succeeded
}

// A Count is what a Line adds up to. Tokens are estimated by metadata.Tokens.
type Count struct{ Times, TokensIn, TokensOut int }

// A Pair is two tools that were called soon after one another, the first in the
// alphabet first.
type Pair [2]string

// Counts are what a ledger hands on: never what was asked or answered.
type Counts struct {
	Lines map[Line]Count
	Pairs map[Pair]int
}

// A Ledger counts in memory what is used, and hands it on every LedgerPause and
// when it is flushed. What is not handed on when the process is killed is lost,
// and nothing else. It is safe for concurrent use; a nil Ledger counts nothing.
type Ledger struct {
	now  func() time.Time
	keep func(context.Context, Counts) error

	mu     sync.Mutex
	counts Counts
	last   string // the tool that succeeded last
	lastAt time.Time
	timer  *time.Timer // runs the next flush; nil while nothing waits for one
}

const (
	LedgerPause = 15 * time.Second // from a first use to its being handed on

	mostLines  = 2000             // that wait to be handed on; uses that need more are not counted
	mostPairs  = 500              // the same
	soon       = 10 * time.Minute // between two calls that belong together
	keepWithin = 5 * time.Second  // what keep may take, in the background
)

// NewLedger returns an empty ledger. The day of a use is that of now, in its
// zone. keep writes counts down, all or none of them: when it returns an error
// they are kept in memory and handed on again, with those that follow.
func NewLedger(now func() time.Time, keep func(context.Context, Counts) error) *Ledger {
	return &Ledger{now: now, keep: keep, counts: noCounts()}
}

func noCounts() Counts { return Counts{Lines: map[Line]Count{}, Pairs: map[Pair]int{}} }

// Flush hands on what was counted. It returns the error of keep.
func (l *Ledger) Flush(ctx context.Context) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	counts := l.counts
	l.counts = noCounts()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	l.mu.Unlock()
	if len(counts.Lines) == 0 {
		return nil
	}
	err := l.keep(ctx, counts)
	if err == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for line, count := range counts.Lines {
		l.add(line, count)
	}
	for pair, times := range counts.Pairs {
		l.pair(pair, times)
	}
	return err
}

// count enters a call, and what it showed its caller.
func (l *Ledger) count(c *Call, shown []string, code metadata.Code, tokensIn, tokensOut int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	day := now.Format(time.DateOnly)
	l.add(Line{day, c.reached, c.Channel, code}, Count{1, tokensIn, tokensOut})
	for _, tool := range shown {
		l.add(Line{day, tool, c.shows(), ""}, Count{Times: 1})
	}
	if code == "" && !IsDiscoveryTool(c.reached) {
		l.follow(c.reached, now)
	}
	if l.timer == nil {
		l.timer = time.AfterFunc(LedgerPause, l.flushSoon)
	}
}

// flushSoon is a flush that nobody waits for. One that fails is tried again
// after the next use.
func (l *Ledger) flushSoon() {
	ctx, cancel := context.WithTimeout(context.Background(), keepWithin)
	defer cancel()
	_ = l.Flush(ctx)
}

// follow pairs the tool with the one before it. l.mu is held.
func (l *Ledger) follow(tool string, now time.Time) {
	if l.last != "" && l.last != tool && now.Sub(l.lastAt) <= soon {
		l.pair(Pair{min(l.last, tool), max(l.last, tool)}, 1)
	}
	l.last, l.lastAt = tool, now
}

// add adds to a line, when there is room for it. l.mu is held.
func (l *Ledger) add(line Line, more Count) {
	count, there := l.counts.Lines[line]
	if !there && len(l.counts.Lines) >= mostLines {
		return
	}
	l.counts.Lines[line] = Count{count.Times + more.Times, count.TokensIn + more.TokensIn, count.TokensOut + more.TokensOut}
}

// pair adds to a pair, when there is room for it. l.mu is held.
func (l *Ledger) pair(pair Pair, times int) {
	if _, there := l.counts.Pairs[pair]; there || len(l.counts.Pairs) < mostPairs {
		l.counts.Pairs[pair] += times
	}
}
