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

// Gmail charges five quota units for a page of ids, and twenty for a message. KOTA therefore
// compares lists to find the conversations that may wait, and reads only those.
const (
	maxPages                 = 6  // pages of all messages: 3,000 messages
	maxCandidatePages        = 2  // pages of messages that may wait for an answer: 1,000 messages
	summariesPerRead         = 20 // messages in one read: two batches in one round trip
	maxConversations         = 80 // conversations that are read
	maxAnsweredConversations = 40 // conversations that are read although somebody wrote later
	maxConversationLength    = 25 // messages; longer conversations are skipped
	maxStatements            = 5  // statements in an answer
)

// AccountFollowups is the answer of one account.
type AccountFollowups struct {
	Account    string
	Followups  []Followup
	Statements []Statement
	Notes      []string
}

// A finder searches the conversations of one mailbox for followups.
type finder struct {
	*mailbox.Mailbox
	in         FindIn
	span       Span
	identities mailbox.Identities
	texts      messageTexts
	statements []*store.MailSummary // messages that are omitted because they ask nothing
	out        *AccountFollowups
}

// Find returns the messages that wait for an answer.
func Find(ctx context.Context, m *mailbox.Mailbox, in FindIn, span Span) (*AccountFollowups, error) {
	s := &finder{Mailbox: m, in: in, span: span, texts: messageTexts{}, out: &AccountFollowups{Account: m.Account.Name, Followups: []Followup{}}}
	all, candidates, err := s.listMessages(ctx)
	if err != nil {
		return nil, err
	}
	if s.identities, err = m.Identities(ctx); err != nil {
		return nil, err
	}
	if in.Direction == "they_owe_me" {
		err = s.findTheyOwe(ctx, all, candidates)
	} else {
		err = s.findIOwe(ctx, all, candidates)
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.out.Followups, func(a, b Followup) int { return present.NewestFirst(a.Row, b.Row) })
	if len(s.out.Followups) > in.Limit {
		s.out.Followups = s.out.Followups[:in.Limit]
		s.note("there are more than limit")
	}
	return s.out, s.noteStatements(ctx)
}

func (s *finder) note(format string, args ...any) {
	s.out.Notes = append(s.out.Notes, fmt.Sprintf(format, args...))
}

// listMessages returns the messages since the beginning of the span, except spam and drafts.
// candidates are the messages in the span that may wait: the user's messages, or messages to
// the user. Both lists have the newest message first, and maxPages and maxCandidatePages
// limit them.
func (s *finder) listMessages(ctx context.Context) (all, candidates []*gmailapi.Message, err error) {
	var more, moreCandidates bool
	group, groupCtx := panicsafe.WithContext(ctx, 3)
	group.Go(func() (err error) { // an answer in the trash also counts
		all, more, err = search.ListPages(groupCtx, s.Mailbox, fmt.Sprintf("in:anywhere -in:spam -in:drafts after:%d", s.span.After.Unix()), maxPages)
		return err
	})
	group.Go(func() error {
		_, err := s.Identities(groupCtx) // fills the cache for Find
		return err
	})
	group.Go(func() (err error) {
		candidates, moreCandidates, err = search.ListPages(groupCtx, s.Mailbox, s.query(s.span.After, s.span.Before), maxCandidatePages)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	if more || moreCandidates {
		s.note("there is too much mail to check all of it: choose a shorter within")
	}
	return all, candidates, nil
}

// query returns the search for the messages between two times that may wait.
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

// findIOwe finds the conversations whose last message asks the user something.
func (s *finder) findIOwe(ctx context.Context, all, candidates []*gmailapi.Message) error {
	last := lastInConversation(all, candidates)
	for chunk := range slices.Chunk(last[:min(len(last), maxConversations)], summariesPerRead) {
		summaries, err := s.questions(ctx, chunk)
		if err != nil {
			return err
		}
		for _, h := range summaries {
			if err := s.add(ctx, h, nil, nil); err != nil {
				return err
			}
		}
		if len(s.out.Followups) > s.in.Limit {
			return nil
		}
	}
	if len(last) > maxConversations {
		s.note("only the latest %d conversations were checked: choose a shorter within", maxConversations)
	}
	return s.noteNewer(ctx, all)
}

// lastInConversation returns the ids of the candidates that are the last message of their
// conversation. all has the newest message first.
func lastInConversation(all, candidates []*gmailapi.Message) (ids []string) {
	last := map[string]string{} // thread id → message id
	for _, message := range all {
		if last[message.ThreadId] == "" {
			last[message.ThreadId] = message.Id
		}
	}
	for _, message := range candidates {
		if last[message.ThreadId] == message.Id {
			ids = append(ids, message.Id)
		}
	}
	return ids
}

// questions returns the messages that a person wrote and that ask something. If a person
// wrote a message that asks nothing, questions adds it to s.statements.
func (s *finder) questions(ctx context.Context, ids []string) ([]*store.MailSummary, error) {
	summaries, err := mailcache.SummariesOf(ctx, s.Mailbox, ids)
	if err != nil {
		return nil, err
	}
	summaries = slices.DeleteFunc(summaries, func(h *store.MailSummary) bool { return !isFromPerson(h) })
	if err := s.texts.read(ctx, s.Mailbox, summaries); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(summaries, func(h *store.MailSummary) bool {
		if s.texts.isQuestion(h) {
			return false
		}
		s.statements = append(s.statements, h)
		return true
	}), nil
}

// noteNewer adds a note with the number of waiting messages that are too new for the span.
// It leaves s.statements unchanged.
func (s *finder) noteNewer(ctx context.Context, all []*gmailapi.Message) error {
	if !s.span.Before.Before(s.Now()) {
		return nil
	}
	candidates, _, err := search.ListPages(ctx, s.Mailbox, s.query(s.span.Before, s.Now()), 1)
	if err != nil {
		return err
	}
	statements := s.statements
	ids := lastInConversation(all, candidates)
	newer, err := s.questions(ctx, ids[:min(len(ids), summariesPerRead)])
	s.statements = statements
	if len(newer) > 0 {
		s.note(`%s too; older_than "0d" lists them`, present.Counted(len(newer), "newer mail waits", "newer mails wait"))
	}
	return err
}

// add adds a waiting message to the answer. answered and notAnswered are addresses.
func (s *finder) add(ctx context.Context, h *store.MailSummary, answered, notAnswered []string) error {
	rows, err := present.Rows(ctx, s.Mailbox, []*store.MailSummary{h}, s.in.Account == google.AllAccounts)
	for _, row := range rows {
		s.out.Followups = append(s.out.Followups, Followup{
			Days: int(s.Now().Sub(h.Date) / (24 * time.Hour)), Answered: firstAddresses(answered), NotAnswered: firstAddresses(notAnswered), Row: row,
		})
	}
	return err
}

// firstAddresses returns the first addresses of a list, and the number of the others.
func firstAddresses(list []string) []string {
	if more := len(list) - present.MaxListedOfMany; more > 0 {
		list = append(list[:present.MaxListedOfMany:present.MaxListedOfMany], fmt.Sprintf("and %d more", more))
	}
	return list
}

// noteStatements adds a note with the number of conversations that are omitted because
// they ask nothing. For i_owe_them it also adds the newest of them to the answer.
func (s *finder) noteStatements(ctx context.Context) error {
	if len(s.statements) == 0 {
		return nil
	}
	if s.in.Direction == "they_owe_me" {
		s.note("%s omitted", present.Counted(len(s.statements), "conversation in which I ask nothing is", "conversations in which I ask nothing are"))
		return nil
	}
	s.note("%s omitted", present.Counted(len(s.statements), "conversation whose last mail asks nothing is", "conversations whose last mail asks nothing are"))
	rows, err := present.Rows(ctx, s.Mailbox, s.statements[:min(len(s.statements), maxStatements)], false)
	for _, row := range rows {
		s.out.Statements = append(s.out.Statements, Statement{ID: row.ID, From: row.From, Subject: row.Subject, Provenance: row.Provenance})
	}
	return err
}
