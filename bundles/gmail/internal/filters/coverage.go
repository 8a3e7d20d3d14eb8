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
	sampleSize   = 100 // the newest messages that measure which share of a mailbox matches
	minSample    = 10  // the share of fewer messages means nothing
	minMailBytes = 500 // bytes: the headers of any mail are larger
)

// A coverage is how much of the existing mail a filter matches.
type coverage struct {
	count     int // at most maxCounted
	more      bool
	nearlyAll bool // it matches nearly all mail
}

func measureCoverage(ctx context.Context, m *mailbox.Mailbox, f *gmailapi.Filter) (coverage, error) {
	fitting, more, err := search.MatchingIDs(ctx, m, criteriaQuery(f.Criteria), maxCounted, "")
	if err != nil {
		return coverage{}, err
	}
	newest, _, err := search.MatchingIDs(ctx, m, "", sampleSize, "")
	if err != nil {
		return coverage{}, err
	}
	hits := 0
	for _, id := range newest {
		if slices.Contains(fitting, id) {
			hits++
		}
	}
	isMost := len(newest) >= minSample && hits*10 >= len(newest)*9
	return coverage{count: len(fitting), more: more, nearlyAll: isMost || !canExclude(f.Criteria)}, nil
}

func (c coverage) String() string {
	if c.more {
		return fmt.Sprintf("more than %d messages", c.count)
	}
	return metadata.CountOf(c.count, "message")
}

// preview adds the count to the answer of a dry run.
func (c coverage) preview(out ManageOut) ManageOut {
	out.DryRun, out.Matching = true, &c.count
	if c.more && out.Note == "" {
		out.Note = c.String() + " fit"
	}
	return out
}

// canExclude reports whether some condition can exclude a mail. A filter such as
// "larger:1" matches all mail.
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

// warning returns what the user should know before the filter is created. It returns
// REFUSED for a filter that would put nearly all mail into the trash.
func (c coverage) warning(f *gmailapi.Filter) (string, error) {
	switch {
	case c.nearlyAll && movesToTrash(f):
		return "", metadata.Errorf(metadata.Refused, "this filter fits nearly all mail (%s by now), and would put it into the trash: nothing was changed", c).
			WithHint("Narrow the conditions; dry_run counts what fits. The user can make such a filter in Gmail's settings.")
	case c.nearlyAll && hidesMail(f):
		return fmt.Sprintf("this filter fits nearly all mail (%s by now): tell the user", c), nil
	case movesToTrash(f):
		return fmt.Sprintf("mail that fits goes to the trash unseen and is deleted after 30 days; %s there are by now would have fitted", c), nil
	}
	return "", nil
}

// confirmFilter asks about a filter that moves future mail out of sight. It returns nil
// if the filter may be created.
func confirmFilter(ctx context.Context, f *gmailapi.Filter, row Row, note string) error {
	what := "makes a filter that takes mail to come out of the inbox"
	switch {
	case movesToTrash(f):
		what = "makes a filter that moves mail to come to the trash"
	case !slices.Contains(f.Action.RemoveLabelIds, mailbox.Inbox):
		return nil
	}
	return bundles.ConfirmRemoval(ctx, bundles.Removal{Describe: func() (bundles.Deletion, error) {
		lines := []bundles.Line{{Name: "Mail that fits", Text: row.If}, {Name: "Then", Text: strings.Join(row.Then, ", ")}}
		if note != "" {
			lines = append(lines, bundles.Line{Name: "Note", Text: note})
		}
		return bundles.Deletion{What: what, Lines: lines}, nil
	}})
}
