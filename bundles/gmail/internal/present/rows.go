package present

import (
	"context"
	"html"
	"strings"
	"time"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// A Row is a message in a list, with enough data to decide whether to read it.
type Row struct {
	Account     string   `json:"account,omitempty"` // only if the argument account is "*"
	ID          string   `json:"id"`
	Thread      string   `json:"thread_id"`
	Date        string   `json:"date"` // RFC 3339, in the user's zone
	From        string   `json:"from"`
	To          string   `json:"to,omitempty"` // the first recipients, and the number of the others
	Subject     string   `json:"subject"`
	Snippet     string   `json:"snippet,omitempty"`
	Labels      []string `json:"labels"` // by name
	Unread      bool     `json:"unread,omitempty"`
	Attachments bool     `json:"attachments,omitempty"` // guessed from the Content-Type

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // set for mail by others, for drafts, and for the user's mail if it may quote others

	sent time.Time
}

// Rows returns the summaries as rows, in the same order. If several is true, the rows
// name their account.
func Rows(ctx context.Context, m *mailbox.Mailbox, summaries []*store.MailSummary, several bool) ([]Row, error) {
	var ids []string
	for _, h := range summaries {
		ids = append(ids, h.Labels...)
	}
	labels, err := m.LabelsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, 0, len(summaries))
	for _, h := range summaries {
		row := Row{
			ID: h.ID, Thread: h.Thread, Date: m.FormatTime(h.Date),
			From: mailbody.ShortList(h.Header("From")), To: mailbody.ShortList(h.Header("To")),
			Subject: mailbody.Line(h.Header("Subject"), mailbody.MaxSubject),
			Snippet: mailbody.Line(html.UnescapeString(h.Snippet), mailbody.MaxSnippet),
			Labels:  labels.VisibleNames(h.Labels),
			Unread:  h.HasLabel(mailbox.Unread), Attachments: hasAttachments(h.Header("Content-Type")),
			Provenance: labels.ProvenanceWith(ctx, ProvenanceOfSummary(ctx, h), h.Labels...),
			sent:       h.Date,
		}
		if several {
			row.Account = m.Account.Name
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// NewestFirst compares two rows so that the newest comes first.
func NewestFirst(a, b Row) int { return b.sent.Compare(a.sent) }

// Pointers returns pointers to the rows, in the same order.
func Pointers(rows []Row) []*Row {
	all := make([]*Row, len(rows))
	for i := range rows {
		all[i] = &rows[i]
	}
	return all
}

// hasAttachments guesses from the Content-Type whether a message has attachments. Nearly
// all messages with attachments are multipart/mixed.
func hasAttachments(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "multipart/mixed" || kind != "" && !strings.HasPrefix(kind, "multipart/") && !strings.HasPrefix(kind, "text/")
}
