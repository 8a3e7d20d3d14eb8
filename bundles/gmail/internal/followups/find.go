package followups

import (
	"context"
	"fmt"
	"slices"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/gmail/internal/search"
	"kota/bundles/internal/google"
	"kota/bundles/internal/panicsafe"
	"kota/store"
)

// Gmail charges five units for a page of ids, and twenty for a message. KOTA therefore
// compares lists to find the conversations that may wait, and reads only those.
const (
	pagesOfAll       = 6  // 3,000 messages
	pagesOfLast      = 2  // 1,000 messages that may wait for an answer
	headsAtOnce      = 20 // two batches: one round trip
	mostLooked       = 80 // conversations
	mostLookedAfter  = 40 // of the conversations in which somebody wrote later
	longConversation = 25 // messages; longer conversations are skipped
	mostStatements   = 5  // the most statements in an answer
)

// Found is the answer of one account.
type Found struct {
	Account    string
	Found      []Followup
	Statements []Statement
	Notes      []string
}

// A finder searches the conversations of one mailbox for followups.
type finder struct {
	*mailbox.Mailbox
	in      In
	span    Span
	senders mailbox.Identities
	texts   texts
	quiet   []*store.MailSummary // messages that ask nothing
	out     *Found
}

// Find returns the messages that wait for an answer.
func Find(ctx context.Context, m *mailbox.Mailbox, in In, span Span) (*Found, error) {
	s := &finder{Mailbox: m, in: in, span: span, texts: texts{}, out: &Found{Account: m.Account.Name, Found: []Followup{}}}
	all, some, err := s.lists(ctx)
	if err != nil {
		return nil, err
	}
	if s.senders, err = m.Identities(ctx); err != nil {
		return nil, err
	}
	if in.Direction == "they_owe_me" {
		err = s.theyOwe(ctx, all, some)
	} else {
		err = s.iOwe(ctx, all, some)
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.out.Found, func(a, b Followup) int { return present.NewestFirst(a.Row, b.Row) })
	if len(s.out.Found) > in.Limit {
		s.out.Found = s.out.Found[:in.Limit]
		s.note("more wait than limit allows to list")
	}
	return s.out, s.tellStatements(ctx)
}

func (s *finder) note(format string, args ...any) {
	s.out.Notes = append(s.out.Notes, fmt.Sprintf(format, args...))
}

// lists returns all messages since the span begins, and those in the span that may wait:
// the user's messages, or messages to the user. The newest are first.
func (s *finder) lists(ctx context.Context) (all, some []*gmailapi.Message, err error) {
	var more, much bool
	group, both := panicsafe.WithContext(ctx, 3)
	group.Go(func() (err error) { // an answer in the trash also counts
		all, more, err = search.ListPages(both, s.Mailbox, fmt.Sprintf("in:anywhere -in:spam -in:drafts after:%d", s.span.After.Unix()), pagesOfAll)
		return err
	})
	group.Go(func() error {
		_, err := s.Identities(both) // fills the cache for the code that reads the messages
		return err
	})
	group.Go(func() (err error) {
		some, much, err = search.ListPages(both, s.Mailbox, s.query(s.span.After, s.span.Before), pagesOfLast)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	if more || much {
		s.note("there is too much mail to look at all of it: choose a shorter within")
	}
	return all, some, nil
}

// query returns the search for messages that may wait.
func (s *finder) query(after, before time.Time) string {
	q := "in:sent"
	if s.in.Direction != "they_owe_me" {
		q = "to:me -from:me -in:sent -category:promotions -category:social -category:forums"
	}
	q += fmt.Sprintf(" -in:drafts after:%d", after.Unix())
	if before.Before(s.Now()) {
		q += fmt.Sprintf(" before:%d", before.Unix())
	}
	return q
}

// iOwe finds the conversations whose last message asks the user something.
func (s *finder) iOwe(ctx context.Context, all, some []*gmailapi.Message) error {
	last := lastOf(all, some)
	for chunk := range slices.Chunk(last[:min(len(last), mostLooked)], headsAtOnce) {
		summaries, err := s.wanting(ctx, chunk)
		if err != nil {
			return err
		}
		for _, h := range summaries {
			if err := s.add(ctx, h, nil, nil); err != nil {
				return err
			}
		}
		if len(s.out.Found) > s.in.Limit {
			return nil
		}
	}
	if len(last) > mostLooked {
		s.note("only the latest %d conversations were looked at: choose a shorter within", mostLooked)
	}
	return s.tellNewer(ctx, all)
}

// lastOf returns the ids of the messages in some that are the last of their conversation.
func lastOf(all, some []*gmailapi.Message) (ids []string) {
	last := map[string]string{} // by conversation
	for _, message := range all {
		if last[message.ThreadId] == "" {
			last[message.ThreadId] = message.Id
		}
	}
	for _, message := range some {
		if last[message.ThreadId] == message.Id {
			ids = append(ids, message.Id)
		}
	}
	return ids
}

// wanting returns the messages that a person wrote and that ask something.
func (s *finder) wanting(ctx context.Context, ids []string) ([]*store.MailSummary, error) {
	summaries, err := mailcache.SummariesOf(ctx, s.Mailbox, ids)
	if err != nil {
		return nil, err
	}
	summaries = slices.DeleteFunc(summaries, func(h *store.MailSummary) bool { return !isFromPerson(h) })
	if err := s.texts.read(ctx, s.Mailbox, summaries); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(summaries, func(h *store.MailSummary) bool {
		if s.texts.ask(h) {
			return false
		}
		s.quiet = append(s.quiet, h)
		return true
	}), nil
}

// tellNewer adds a note with the number of waiting messages that are newer than the span.
func (s *finder) tellNewer(ctx context.Context, all []*gmailapi.Message) error {
	if !s.span.Before.Before(s.Now()) {
		return nil
	}
	some, _, err := search.ListPages(ctx, s.Mailbox, s.query(s.span.Before, s.Now()), 1)
	if err != nil {
		return err
	}
	quiet := s.quiet
	ids := lastOf(all, some)
	newer, err := s.wanting(ctx, ids[:min(len(ids), headsAtOnce)])
	s.quiet = quiet
	if len(newer) > 0 {
		s.note(`%s too: older_than "0d" lists them`, present.Counted(len(newer), "newer mail waits", "newer mails wait"))
	}
	return err
}

// add adds a waiting message to the answer.
func (s *finder) add(ctx context.Context, h *store.MailSummary, answered, not []string) error {
	rows, err := present.Rows(ctx, s.Mailbox, []*store.MailSummary{h}, s.in.Account == google.EveryAccount)
	for _, row := range rows {
		s.out.Found = append(s.out.Found, Followup{
			Days: int(s.Now().Sub(h.Date) / (24 * time.Hour)), Answered: fewOf(answered), NotAnswered: fewOf(not), Row: row,
		})
	}
	return err
}

// fewOf returns the first addresses of a list, and the number of the others.
func fewOf(list []string) []string {
	if more := len(list) - present.MaxListedAmongMany; more > 0 {
		list = append(list[:present.MaxListedAmongMany:present.MaxListedAmongMany], fmt.Sprintf("and %d more", more))
	}
	return list
}

// tellStatements adds a note with the number of conversations that are omitted because
// they ask nothing.
func (s *finder) tellStatements(ctx context.Context) error {
	if len(s.quiet) == 0 {
		return nil
	}
	if s.in.Direction == "they_owe_me" {
		s.note("%s left out", present.Counted(len(s.quiet), "conversation in which I ask nothing is", "conversations in which I ask nothing are"))
		return nil
	}
	s.note("%s left out", present.Counted(len(s.quiet), "conversation whose last mail asks nothing is", "conversations whose last mail asks nothing are"))
	rows, err := present.Rows(ctx, s.Mailbox, s.quiet[:min(len(s.quiet), mostStatements)], false)
	for _, row := range rows {
		s.out.Statements = append(s.out.Statements, Statement{ID: row.ID, From: row.From, Subject: row.Subject, Provenance: row.Provenance})
	}
	return err
}
