package filters

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/search"
	"kota/metadata"
)

const (
	maxCounted   = 500 // the maximum number of counted messages
	sampleSize   = 100 // the number of newest messages that KOTA checks to estimate the share that matches
	minSample    = 10  // with fewer messages, KOTA does not estimate the share
	minMailBytes = 500 // every mail is larger, because of its headers
)

// A coverage says how much of the existing mail a filter matches.
type coverage struct {
	count     int  // the number of matching messages, at most maxCounted
	more      bool // more than count messages match
	nearlyAll bool // the filter matches nearly all mail
}

func measureCoverage(ctx context.Context, m *mailbox.Mailbox, f *gmailapi.Filter) (coverage, error) {
	matching, more, err := search.MatchingIDs(ctx, m, criteriaQuery(f.Criteria), maxCounted, "")
	if err != nil {
		return coverage{}, err
	}
	newest, _, err := search.MatchingIDs(ctx, m, "", sampleSize, "")
	if err != nil {
		return coverage{}, err
	}
	hits := 0
	for _, id := range newest {
		if slices.Contains(matching, id) {
			hits++
		}
	}
	isMost := len(newest) >= minSample && hits*10 >= len(newest)*9
	return coverage{count: len(matching), more: more, nearlyAll: isMost || !canExclude(f.Criteria)}, nil
}

func (c coverage) String() string {
	if c.more {
		return fmt.Sprintf("more than %d messages", c.count)
	}
	return metadata.CountOf(c.count, "message")
}

// preview returns out as the answer of a dry run, with the count.
func (c coverage) preview(out ManageOut) ManageOut {
	out.DryRun, out.Matching = true, &c.count
	if c.more && out.Note == "" {
		out.Note = c.String() + " match"
	}
	return out
}

// canExclude reports whether a condition other than NegatedQuery can exclude a mail. Words
// such as "in:inbox" do not count. A size such as "larger:1" does not count either, because
// it matches all mail.
func canExclude(c *gmailapi.FilterCriteria) bool {
	hasWords := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	}
	isPlace := func(word string) bool {
		return !hasWords(word) || strings.HasPrefix(strings.ToLower(strings.TrimLeft(word, "-({")), "in:")
	}
	query := strings.Fields(c.Query)
	return hasWords(c.From) || hasWords(c.To) || hasWords(c.Subject) || c.HasAttachment || slices.ContainsFunc(query, func(word string) bool { return !isPlace(word) }) ||
		c.SizeComparison == "larger" && c.Size > minMailBytes || c.SizeComparison == "smaller" && c.Size < mailbox.MaxContent
}

// hidesMail reports whether the filter moves matching mail out of sight, or keeps spam in
// the inbox.
func hidesMail(f *gmailapi.Filter) bool {
	return movesToTrash(f) || slices.Contains(f.Action.RemoveLabelIds, mailbox.Inbox) || slices.Contains(f.Action.RemoveLabelIds, mailbox.Spam)
}

func movesToTrash(f *gmailapi.Filter) bool {
	return slices.Contains(f.Action.AddLabelIds, mailbox.Trash)
}

// warning returns what the user should know before KOTA creates the filter, or "". It
// returns REFUSED for a filter that would move nearly all mail to the trash.
func (c coverage) warning(f *gmailapi.Filter) (string, error) {
	switch {
	case c.nearlyAll && movesToTrash(f):
		return "", metadata.Errorf(metadata.Refused, "this filter matches nearly all mail (%s now) and would move it to the trash: nothing was changed", c).
			WithHint("Narrow the conditions; dry_run counts the matches. The user can create such a filter in Gmail's settings.")
	case c.nearlyAll && hidesMail(f):
		return fmt.Sprintf("this filter matches nearly all mail (%s now): inform the user", c), nil
	case movesToTrash(f):
		return fmt.Sprintf("matching mail goes to the trash unread and is deleted after 30 days; %s of the existing mail would match", c), nil
	}
	return "", nil
}

// confirmFilter asks bundles.ConfirmRemoval about a filter that moves future mail to
// the trash or out of the inbox. It returns nil if KOTA may create the filter.
func confirmFilter(ctx context.Context, f *gmailapi.Filter, row Row, note string) error {
	what := "creates a filter that keeps future mail out of the inbox"
	switch {
	case movesToTrash(f):
		what = "creates a filter that moves future mail to the trash"
	case !slices.Contains(f.Action.RemoveLabelIds, mailbox.Inbox):
		return nil
	}
	return bundles.ConfirmRemoval(ctx, bundles.Removal{Describe: func() (bundles.Deletion, error) {
		lines := []bundles.Line{{Name: "Matching mail", Text: row.If}, {Name: "Then", Text: strings.Join(row.Then, ", ")}}
		if note != "" {
			lines = append(lines, bundles.Line{Name: "Note", Text: note})
		}
		return bundles.Deletion{What: what, Lines: lines}, nil
	}})
}
