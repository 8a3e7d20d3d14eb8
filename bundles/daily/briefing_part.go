package daily

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"kota/bundles/internal/readable"
	"kota/bundles/internal/room"
	"kota/bundles/internal/zoned"
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
type briefRow interface{ rank() int }

// A briefSource is asked for rows. Nil is not connected.
type briefSource[R briefRow] struct {
	ask func(context.Context) (Found[R], error)
	off string // why it is not connected, where ask is nil
	see string // the call that shows more
}

// What a part says at most, in tokens as room.Tokens estimates them.
const (
	mostOfReason = 50
	mostOfUnread = 40
	mostUnread   = 3
)

// briefOn asks one source and says how it went. A source that has nothing, and of
// which a part could not be read, has failed: nobody knows what is in there.
func briefOn[R briefRow](ctx context.Context, d *daily, name, date string, from briefSource[R]) briefPart[R] {
	p := briefPart[R]{see: from.see}
	if from.ask == nil {
		p.Status, p.Reason = "not_connected", from.off
		return p
	}
	found, err := askSource(ctx, from.ask)
	d.note(name, err)
	if err != nil {
		found = Found[R]{}
	}
	switch {
	case err == nil && len(found.Items)+found.More > 0:
		p.Status = "ok"
		d.earlier.keep(name, date, remembered{found, d.Now()})
	case err == nil && len(found.Unread) > 0:
		p.Status, p.Reason = "failed", "nothing is in what could be read, and not all of it could"
	case err == nil:
		p.Status = "empty"
		d.earlier.keep(name, date, remembered{found, d.Now()})
	case isAbsent(err):
		p.Status, p.Reason = "not_connected", reasonOf(err)
	default:
		p.Status, p.Reason = "failed", reasonOf(err)
		if before, ok := d.earlier.of(name, date, d.Now()); ok {
			found, _ = before.found.(Found[R])
			p.Status, p.Age = "stale", zoned.Length(d.Now().Sub(before.at).Truncate(time.Minute))
		}
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
		said = append(said, room.Brief(readable.Line(one), mostOfUnread))
	}
	return said
}

// needs is what the rows of a part cost.
func (p *briefPart[R]) needs() int {
	sum := 0
	for _, r := range p.Items {
		sum += tokensOf(r)
	}
	return sum
}

// keep leaves out the rows for which there is no space, the least important
// first, and says so. The others stay in their order.
func (p *briefPart[R]) keep(space int) {
	order := make([]int, len(p.Items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Items[a].rank(), p.Items[b].rank()) })
	kept := order[:0:0]
	for _, i := range order {
		if space -= tokensOf(p.Items[i]); space < 0 {
			break
		}
		kept = append(kept, i)
	}
	slices.Sort(kept)
	rows := make([]R, 0, len(kept))
	for _, i := range kept {
		rows = append(rows, p.Items[i])
	}
	if left := len(p.Items) - len(rows) + p.beyond; left > 0 {
		p.More = fmt.Sprintf("%d more: %s", left, p.see)
	}
	p.Items = rows
}

// What an answer may cost as tokensOf estimates it: rather more than it does.
// What weighs 1,570 has 1,000 to 1,300 tokens in most scripts, and below 1,500 in
// a mixture of them.
const (
	mostOfBriefing = 1570
	mostOfMore     = 45 // the line that says what was left out
	leastOfPart    = 60 // so that each part shows what is first in it
)

// fit leaves out what there is no room for. Parts that need little leave the
// rest to the others.
func (out *briefingOut) fit() {
	parts := []interface {
		needs() int
		keep(space int)
	}{&out.Calendar, &out.Tasks, &out.Mail, &out.Memories, &out.Yesterday}
	frame := *out
	frame.Calendar.Items, frame.Tasks.Items, frame.Mail.Items, frame.Memories.Items, frame.Yesterday.Items = nil, nil, nil, nil, nil
	space := mostOfBriefing - tokensOf(frame)
	needs := make([]int, len(parts))
	for i, p := range parts {
		if needs[i] = p.needs(); needs[i] > 0 {
			space -= mostOfMore
		}
	}
	for i, portion := range room.Portions(needs, space, leastOfPart) {
		parts[i].keep(portion)
	}
}

// tokensOf estimates the tokens of a value in an answer: what its texts cost, and
// for each of them and of their names what stands around it.
func tokensOf(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	sum := 0
	for words := json.NewDecoder(bytes.NewReader(raw)); ; {
		switch word, err := words.Token(); text := word.(type) {
		case nil:
			if err != nil {
				return sum
			}
			sum++
		case string:
			sum += room.Tokens(text) + 1
		default:
			sum++
		}
	}
}

// lastAnswers keep what sources answered last, so that one which cannot be read
// for a moment is not lost from the day.
type lastAnswers struct {
	mu   sync.Mutex
	last map[string]remembered // by source and date
}

type remembered struct {
	found any // a Found of the source's rows
	at    time.Time
}

// stillTells is how long an answer says something of the day.
const stillTells = 12 * time.Hour

// mostRemembered bounds what is kept: some days of each source.
const mostRemembered = 64

func (l *lastAnswers) keep(source, date string, answer remembered) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || len(l.last) >= mostRemembered {
		l.last = map[string]remembered{}
	}
	l.last[source+" "+date] = answer
}

// of returns what the source answered last of the date, unless that is too long
// ago.
func (l *lastAnswers) of(source, date string, now time.Time) (remembered, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	answer, ok := l.last[source+" "+date]
	return answer, ok && now.Sub(answer.at) <= stillTells
}
