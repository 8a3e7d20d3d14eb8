package store

import (
	"slices"
	"strings"
	"time"
)

// MaxMail bounds the heads that are kept of one mailbox. Beyond it those that
// were kept first are dropped.
const MaxMail = 20_000

// A MailHead is what a list shows of a message in a mailbox. All of it stays
// the same for as long as the message exists, but for its labels.
type MailHead struct {
	ID      string
	Thread  string
	Date    time.Time // to the millisecond
	Size    int64
	Snippet string
	Headers [][2]string // name and value
	Labels  []string    // ids, sorted; never nil
}

// Has reports whether the message carries the label of that id.
func (h *MailHead) Has(label string) bool { return slices.Contains(h.Labels, label) }

// Header returns the value of the first header of that name, in any case, or "".
func (h *MailHead) Header(name string) string {
	for _, header := range h.Headers {
		if strings.EqualFold(header[0], name) {
			return header[1]
		}
	}
	return ""
}

// A MailChange is what happened to one message at one point of its mailbox's
// history.
type MailChange struct {
	History uint64 // where in the history
	ID      string
	Deleted bool
	Added   []string // label ids
	Removed []string
}

// Apply makes the labels what they are after the change. Applying changes
// again, all of them in their order, makes no difference.
func (h *MailHead) Apply(c MailChange) {
	labels := slices.DeleteFunc(slices.Clone(h.Labels), func(id string) bool { return slices.Contains(c.Removed, id) })
	labels = append(labels, c.Added...)
	slices.Sort(labels)
	h.Labels = slices.Compact(labels)
}

// A MailUpdate is what was learnt of a mailbox: what happened in its history
// from one point to another, and messages that were read at the later point or
// after it.
type MailUpdate struct {
	From    uint64       // 0: nothing was known, so there are no Changes
	To      uint64       // above 0
	Changes []MailChange // all there are between From and To, oldest first
	Heads   []*MailHead
}
