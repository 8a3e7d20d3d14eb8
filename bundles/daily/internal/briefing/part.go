package briefing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kota/bundles"
	"kota/bundles/daily/sources"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/timeparse"
	"kota/bundles/internal/untrusted"
)

// A briefPart is one source's part of the day.
type briefPart[R briefRow] struct {
	Status string   `json:"status" enum:"ok,empty,not_connected,failed,stale"`
	Reason string   `json:"reason,omitempty"` // why the status is neither ok nor empty
	Age    string   `json:"age,omitempty"`    // of a stale part: "25m"
	Unread []string `json:"unread,omitempty"` // parts of the source that could not be read
	Items  []R      `json:"items,omitempty"`
	More   string   `json:"more,omitempty"` // number of items left out, and the call that shows them

	omitted  int    // number of further items that the source has
	moreCall string // the call that shows more
}

// A briefRow is one item of a part. Items with a low rank stay longest if space is short.
type briefRow interface {
	rank() int
	provenance() *untrusted.Provenance
}

// A briefSource returns items. It is not connected if ask is nil.
type briefSource[R briefRow] struct {
	ask       func(context.Context) (sources.Found[R], error)
	offReason string // the reason if ask is nil
	moreCall  string // the call that shows more
}

// Limits on what a part says. maxUnreadTokens is in tokens as budget.Tokens estimates them.
const (
	maxUnreadTokens = 40
	maxUnread       = 3
)

// loadPart asks one source and sets the status of its part. A source without items has
// failed if a part of it could not be read: there may be items in that part.
func loadPart[R briefRow](ctx context.Context, b *Briefer, name, date string, from briefSource[R]) briefPart[R] {
	p := briefPart[R]{moreCall: bundles.WithoutHiddenTools(ctx, from.moreCall)}
	if from.ask == nil {
		p.Status, p.Reason = "not_connected", from.offReason
		return p
	}
	found, err := sources.Ask(ctx, b.Log, name, from.ask)
	if err != nil {
		found = sources.Found[R]{}
	}
	switch {
	case err == nil && len(found.Items)+found.More > 0:
		p.Status = "ok"
		b.lastAnswers.put(name, date, storedAnswer{found, b.Now()})
	case err == nil && len(found.Unread) > 0:
		p.Status, p.Reason = "failed", "what could be read is empty, but not everything could be read"
	case err == nil:
		p.Status = "empty"
		b.lastAnswers.put(name, date, storedAnswer{found, b.Now()})
	case sources.IsAbsent(err):
		p.Status, p.Reason = "not_connected", sources.Reason(err)
	default:
		p.Status, p.Reason = "failed", sources.Reason(err)
		if before, ok := b.lastAnswers.get(name, date, b.Now()); ok {
			found, _ = before.found.(sources.Found[R])
			p.Status, p.Age = "stale", timeparse.Length(max(0, b.Now().Sub(before.at)).Truncate(time.Minute))
		}
	}
	if slices.ContainsFunc(found.Items, func(row R) bool { return row.provenance() != nil }) {
		bundles.MarkUntrusted(ctx) // stale items may come from a different session
	}
	p.Items, p.omitted, p.Unread = found.Items, found.More, firstUnread(found.Unread)
	return p
}

// firstUnread returns the first maxUnread parts that could not be read, and the number of
// the others.
func firstUnread(unread []string) []string {
	said := []string(nil)
	for i, one := range unread {
		if i == maxUnread {
			return append(said, fmt.Sprintf("and %d more", len(unread)-maxUnread))
		}
		said = append(said, budget.Brief(htmltext.Line(one), maxUnreadTokens))
	}
	return said
}
