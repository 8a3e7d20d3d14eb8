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
	mostFitting  = 500 // the most messages that are counted
	newestTried  = 100 // the newest messages that measure which share of a mailbox matches
	fewestTried  = 10  // the share of fewer messages means nothing
	smallestMail = 500 // bytes: the headers of any mail are larger
)

// A reach is how much of the existing mail a filter matches.
type reach struct {
	count  int // at most mostFitting
	more   bool
	nearly bool // it matches nearly all mail
}

func reachOf(ctx context.Context, m *mailbox.Mailbox, f *gmailapi.Filter) (reach, error) {
	fitting, more, err := search.Matching(ctx, m, criteriaWords(f.Criteria), mostFitting, "")
	if err != nil {
		return reach{}, err
	}
	newest, _, err := search.Matching(ctx, m, "", newestTried, "")
	if err != nil {
		return reach{}, err
	}
	hit := 0
	for _, id := range newest {
		if slices.Contains(fitting, id) {
			hit++
		}
	}
	share := len(newest) >= fewestTried && hit*10 >= len(newest)*9
	return reach{count: len(fitting), more: more, nearly: share || !narrows(f.Criteria)}, nil
}

func (r reach) String() string {
	if r.more {
		return fmt.Sprintf("more than %d messages", r.count)
	}
	return metadata.Counted(r.count, "message")
}

// preview adds the count to the answer of a dry run.
func (r reach) preview(out ManageOut) ManageOut {
	out.DryRun, out.Matching = true, &r.count
	if r.more && out.Note == "" {
		out.Note = r.String() + " fit"
	}
	return out
}

// narrows reports whether some condition can exclude a mail. A filter such as "larger:1"
// matches all mail.
func narrows(c *gmailapi.FilterCriteria) bool {
	says := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	}
	place := func(word string) bool {
		return !says(word) || strings.HasPrefix(strings.ToLower(strings.TrimLeft(word, "-({")), "in:")
	}
	query := strings.Fields(c.Query)
	return says(c.From) || says(c.To) || says(c.Subject) || c.HasAttachment || slices.ContainsFunc(query, func(word string) bool { return !place(word) }) ||
		c.SizeComparison == "larger" && c.Size > smallestMail || c.SizeComparison == "smaller" && c.Size < mailbox.MaxContent
}

// hides reports whether the filter moves matching mail out of sight, or keeps spam in the
// inbox.
func hides(f *gmailapi.Filter) bool {
	return trashes(f) || slices.Contains(f.Action.RemoveLabelIds, mailbox.Inbox) || slices.Contains(f.Action.RemoveLabelIds, mailbox.Spam)
}

func trashes(f *gmailapi.Filter) bool { return slices.Contains(f.Action.AddLabelIds, mailbox.Trash) }

// warning returns what the user should know before the filter is created. It returns
// REFUSED for a filter that would put nearly all mail into the trash.
func (r reach) warning(f *gmailapi.Filter) (string, error) {
	switch {
	case r.nearly && trashes(f):
		return "", metadata.Errorf(metadata.Refused, "this filter fits nearly all mail (%s by now), and would put it into the trash: nothing was changed", r).
			WithHint("Narrow the conditions; dry_run counts what fits. The user can make such a filter in Gmail's settings.")
	case r.nearly && hides(f):
		return fmt.Sprintf("this filter fits nearly all mail (%s by now): tell the user", r), nil
	case trashes(f):
		return fmt.Sprintf("mail that fits goes to the trash unseen and is deleted after 30 days; %s there are by now would have fitted", r), nil
	}
	return "", nil
}

// confirmFilter asks about a filter that moves future mail out of sight. It returns nil
// if the filter may be created.
func confirmFilter(ctx context.Context, f *gmailapi.Filter, row Row, note string) error {
	what := "makes a filter that takes mail to come out of the inbox"
	switch {
	case trashes(f):
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
