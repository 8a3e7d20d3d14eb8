package followups

import (
	"context"
	"net/mail"
	"slices"
	"strings"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailcache"
	"kota/bundles/internal/mailmsg"
	"kota/store"
)

// findTheyOwe finds the conversations in which somebody has not answered the user. It first
// reads those in which the user wrote last, because nobody has answered there.
func (s *finder) findTheyOwe(ctx context.Context, all, candidates []*gmailapi.Message) error {
	isFromUser := map[string]bool{}
	for _, message := range candidates {
		isFromUser[message.Id] = true
	}
	var order []string
	threads := map[string][]string{} // newest first
	for _, message := range all {
		if threads[message.ThreadId] == nil {
			order = append(order, message.ThreadId)
		}
		threads[message.ThreadId] = append(threads[message.ThreadId], message.Id)
	}
	var last, answered [][]string
	for _, thread := range order {
		ids := threads[thread]
		for len(ids) > 0 && !isFromUser[ids[len(ids)-1]] { // messages before the user's first message do not answer it
			ids = ids[:len(ids)-1]
		}
		switch {
		case len(ids) == 0:
		case isFromUser[ids[0]]:
			last = append(last, ids)
		default:
			answered = append(answered, ids)
		}
	}
	if len(last) > maxConversations || len(answered) > maxAnsweredConversations {
		s.note("only the latest %d conversations were checked, and %d in which somebody wrote later: choose a shorter within", maxConversations, maxAnsweredConversations)
	}
	if err := s.scan(ctx, last[:min(len(last), maxConversations)]); err != nil {
		return err
	}
	return s.scan(ctx, answered[:min(len(answered), maxAnsweredConversations)])
}

// scan adds waiting conversations until it has found more than limit.
func (s *finder) scan(ctx context.Context, conversations [][]string) error {
	found := len(s.out.Followups)
	for len(conversations) > 0 && len(s.out.Followups)-found <= s.in.Limit {
		n, ids := 0, []string{}
		for n < len(conversations) && (n == 0 || len(ids)+len(conversations[n]) <= summariesPerRead) {
			if conversation := conversations[n]; len(conversation) <= maxConversationLength {
				ids = append(ids, conversation...)
			}
			n++
		}
		summaries, err := mailcache.SummariesOf(ctx, s.Mailbox, ids)
		if err != nil {
			return err
		}
		conversations = conversations[n:]
		var order []string
		threads := map[string][]*store.MailSummary{}
		var fromUser []*store.MailSummary
		for _, h := range summaries {
			if threads[h.Thread] == nil {
				order = append(order, h.Thread)
			}
			threads[h.Thread] = append(threads[h.Thread], h)
			if s.isFromUser(h) && len(s.recipients(h)) > 0 {
				fromUser = append(fromUser, h)
			}
		}
		if err := s.texts.read(ctx, s.Mailbox, fromUser); err != nil {
			return err
		}
		for _, thread := range order {
			slices.Reverse(threads[thread])
			if err := s.addUnanswered(ctx, threads[thread]); err != nil {
				return err
			}
		}
	}
	return nil
}

// An expectedAnswer is the answer that one recipient should give to a question of the user.
type expectedAnswer struct {
	recipient *mail.Address
	question  *store.MailSummary
	answered  bool
}

// addUnanswered adds the user's last unanswered question in a thread to s.out, if there is
// one. If the user asked nothing, it adds the user's last message to s.statements. thread
// has the oldest message first.
func (s *finder) addUnanswered(ctx context.Context, thread []*store.MailSummary) error {
	var all []*expectedAnswer
	var statement *store.MailSummary
	for _, h := range thread {
		switch {
		case s.isFromUser(h) && !s.texts.isQuestion(h):
			statement = h
		case s.isFromUser(h):
			all = s.expectAnswers(all, h)
		case !isAutomaticAnswer(h):
			recordAnswer(all, h)
		}
	}
	var last *store.MailSummary
	var answered, notAnswered []string
	for _, expected := range all {
		switch date := expected.question.Date; {
		case expected.answered:
			answered = append(answered, expected.recipient.Address)
		case date.Before(s.span.Before) && !date.Before(s.span.After):
			notAnswered = append(notAnswered, expected.recipient.Address)
			if last == nil || date.After(last.Date) {
				last = expected.question
			}
		}
	}
	if last != nil {
		return s.add(ctx, last, answered, notAnswered)
	}
	if len(all) == 0 && statement != nil && len(s.recipients(statement)) > 0 {
		s.statements = append(s.statements, statement)
	}
	return nil
}

// isFromUser reports whether the user sent the message, and the message is not in the
// trash.
func (s *finder) isFromUser(h *store.MailSummary) bool {
	return !h.HasLabel(mailbox.Trash) && (h.HasLabel(mailbox.Sent) || slices.ContainsFunc(mailbody.BareAddresses(h.Header("From")), s.identities.Owns))
}

// expectAnswers records in all that each recipient of the message should answer it, and
// returns the extended list.
func (s *finder) expectAnswers(all []*expectedAnswer, h *store.MailSummary) []*expectedAnswer {
	for _, recipient := range s.recipients(h) {
		at := slices.IndexFunc(all, func(expected *expectedAnswer) bool { return mailbox.SameAddress(expected.recipient, recipient) })
		if at < 0 {
			all = append(all, &expectedAnswer{recipient: recipient, question: h})
			continue
		}
		all[at].question, all[at].answered = h, false
	}
	return all
}

// recipients returns the people who should answer a message of the user: those in To, or
// those in Cc if To contains nobody else.
func (s *finder) recipients(h *store.MailSummary) []*mail.Address {
	for _, name := range []string{"To", "Cc"} {
		list, _ := mailmsg.ParseAddressList(h.Header(name))
		list = slices.DeleteFunc(list, func(a *mail.Address) bool {
			return s.identities.Owns(a.Address) || machineAddress().MatchString(a.Address)
		})
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// recordAnswer marks the elements of all that this message answers. It compares the
// sender's address with the recipients, and then the sender's name. If all has only one
// element, an answer from any sender counts.
func recordAnswer(all []*expectedAnswer, h *store.MailSummary) {
	senders, _ := mailmsg.ParseAddressList(h.Header("From"))
	for _, sender := range senders {
		at := slices.IndexFunc(all, func(expected *expectedAnswer) bool { return mailbox.SameAddress(expected.recipient, sender) })
		if at < 0 && sender.Name != "" {
			at = slices.IndexFunc(all, func(expected *expectedAnswer) bool { return strings.EqualFold(expected.recipient.Name, sender.Name) })
		}
		if at < 0 && len(all) == 1 {
			at = 0
		}
		if at >= 0 {
			all[at].answered = true
		}
	}
}
