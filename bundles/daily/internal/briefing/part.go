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

// A briefPart is what one source tells of the day.
type briefPart[R briefRow] struct {
	Status string   `json:"status" enum:"ok,empty,not_connected,failed,stale"`
	Reason string   `json:"reason,omitempty"` // why it is neither ok nor empty
	Age    string   `json:"age,omitempty"`    // of what is stale: "25m"
	Unread []string `json:"unread,omitempty"` // what of it could not be read
	Items  []R      `json:"items,omitempty"`
	More   string   `json:"more,omitempty"` // what was left out, and the call that shows it

	beyond int    // how many the source has besides
	see    string // that call
}

// A briefRow is one line of a part. The lower its rank, the longer it stays when
// there is no room for all.
type briefRow interface {
	rank() int
	whose() *untrusted.Provenance
}

// A briefSource is asked for rows. Nil is not connected.
type briefSource[R briefRow] struct {
	ask func(context.Context) (sources.Found[R], error)
	off string // why it is not connected, where ask is nil
	see string // the call that shows more
}

// What a part says at most, in tokens as budget.Tokens estimates them.
const (
	mostOfUnread = 40
	mostUnread   = 3
)

// briefOn asks one source and says how it went. A source that has nothing, and of
// which a part could not be read, has failed: nobody knows what is in there.
func briefOn[R briefRow](ctx context.Context, b *Briefer, name, date string, from briefSource[R]) briefPart[R] {
	p := briefPart[R]{see: bundles.WithoutHiddenTools(ctx, from.see)}
	if from.ask == nil {
		p.Status, p.Reason = "not_connected", from.off
		return p
	}
	found, err := sources.Ask(ctx, b.Log, name, from.ask)
	if err != nil {
		found = sources.Found[R]{}
	}
	switch {
	case err == nil && len(found.Items)+found.More > 0:
		p.Status = "ok"
		b.earlier.keep(name, date, remembered{found, b.Now()})
	case err == nil && len(found.Unread) > 0:
		p.Status, p.Reason = "failed", "nothing is in what could be read, and not all of it could"
	case err == nil:
		p.Status = "empty"
		b.earlier.keep(name, date, remembered{found, b.Now()})
	case sources.IsAbsent(err):
		p.Status, p.Reason = "not_connected", sources.Reason(err)
	default:
		p.Status, p.Reason = "failed", sources.Reason(err)
		if before, ok := b.earlier.of(name, date, b.Now()); ok {
			found, _ = before.found.(sources.Found[R])
			p.Status, p.Age = "stale", timeparse.Length(max(0, b.Now().Sub(before.at)).Truncate(time.Minute))
		}
	}
	if slices.ContainsFunc(found.Items, func(row R) bool { return row.whose() != nil }) {
		bundles.MarkUntrusted(ctx) // in this session too, where what is stale came in another
	}
	p.Items, p.beyond, p.Unread = found.Items, found.More, firstUnread(found.Unread)
	return p
}

// firstUnread are the first few of what could not be read.
func firstUnread(unread []string) []string {
	said := []string(nil)
	for i, one := range unread {
		if i == mostUnread {
			return append(said, fmt.Sprintf("and %d more", len(unread)-mostUnread))
		}
		said = append(said, budget.Brief(htmltext.Line(one), mostOfUnread))
	}
	return said
}
