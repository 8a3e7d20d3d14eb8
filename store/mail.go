package store

import (
	"slices"
	"strings"
	"time"
)

// MaxMail limits the stored summaries of one mailbox. If there are more, those stored longest ago
// are dropped.
const MaxMail = 20_000

// A MailSummary is the part of a message that a list shows. Only its labels can change.
type MailSummary struct {
	ID      string
	Thread  string
	Date    time.Time // to the millisecond
	Size    int64
	Snippet string
	Headers [][2]string // name and value
	Labels  []string    // ids, sorted; never nil
}

// HasLabel reports whether the message has the label with that id.
func (h *MailSummary) HasLabel(label string) bool { return slices.Contains(h.Labels, label) }

// Header returns the value of the first header with that name, or "". Case does not matter.
func (h *MailSummary) Header(name string) string {
	for _, header := range h.Headers {
		if strings.EqualFold(header[0], name) {
			return header[1]
		}
	}
	return ""
}

// A MailChange is one change in the history of a mailbox. It concerns one message.
type MailChange struct {
	History uint64 // the history id
	ID      string
	Deleted bool
	Added   []string // label ids
	Removed []string
}

// Apply changes the labels. Applying the same series of changes a second time, in the same order,
// has no effect.
func (h *MailSummary) Apply(c MailChange) {
	labels := slices.DeleteFunc(slices.Clone(h.Labels), func(id string) bool { return slices.Contains(c.Removed, id) })
	labels = append(labels, c.Added...)
	slices.Sort(labels)
	h.Labels = slices.Compact(labels)
}

// A MailUpdate holds the changes of a mailbox between two history ids. Its Summaries were read at
// the later id or after it.
type MailUpdate struct {
	From      uint64       // 0: nothing is stored yet, so there are no Changes
	To        uint64       // above 0
	Changes   []MailChange // all between From and To, oldest first
	Summaries []*MailSummary
}
