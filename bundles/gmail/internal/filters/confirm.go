package filters

import (
	"context"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
)

// confirmFilter asks about a filter that moves mail to come to where nobody looks
// for it. It returns nil when it may be made.
func confirmFilter(ctx context.Context, f *gmailapi.Filter, row Row, note string) error {
	what := "makes a filter that takes mail to come out of the inbox"
	switch {
	case trashes(f):
		what = "makes a filter that moves mail to come to the trash"
	case !slices.Contains(f.Action.RemoveLabelIds, mailbox.Inbox):
		return nil
	}
	return bundles.ConfirmRemoval(ctx, bundles.Removal{Describe: func() (bundles.Doomed, error) {
		lines := []bundles.Line{{Name: "Mail that fits", Text: row.If}, {Name: "Then", Text: strings.Join(row.Then, ", ")}}
		if note != "" {
			lines = append(lines, bundles.Line{Name: "Note", Text: note})
		}
		return bundles.Doomed{What: what, Lines: lines}, nil
	}})
}
