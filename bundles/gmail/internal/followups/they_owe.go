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

// theyOwe finds the conversations in which somebody has not answered the user.
// Conversations without a later message come first, because they certainly wait.
func (s *finder) theyOwe(ctx context.Context, all, some []*gmailapi.Message) error {
	mine := map[string]bool{}
	for _, message := range some {
		mine[message.Id] = true
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
		for len(ids) > 0 && !mine[ids[len(ids)-1]] { // messages before the user's first ask nobody
			ids = ids[:len(ids)-1]
		}
		switch {
		case len(ids) == 0:
		case mine[ids[0]]:
			last = append(last, ids)
		default:
			answered = append(answered, ids)
		}
	}
	if len(last) > mostLooked || len(answered) > mostLookedAfter {
		s.note("only the latest %d conversations were looked at, and %d in which somebody wrote later: choose a shorter within", mostLooked, mostLookedAfter)
	}
	if err := s.lookAt(ctx, last[:min(len(last), mostLooked)]); err != nil {
		return err
	}
	return s.lookAt(ctx, answered[:min(len(answered), mostLookedAfter)])
}

// lookAt adds waiting conversations until it has more than the answer can list.
func (s *finder) lookAt(ctx context.Context, conversations [][]string) error {
	found := len(s.out.Found)
	for len(conversations) > 0 && len(s.out.Found)-found <= s.in.Limit {
		n, ids := 0, []string{}
		for n < len(conversations) && (n == 0 || len(ids)+len(conversations[n]) <= headsAtOnce) {
			if one := conversations[n]; len(one) <= longConversation {
				ids = append(ids, one...)
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
		var mine []*store.MailSummary
		for _, h := range summaries {
			if threads[h.Thread] == nil {
				order = append(order, h.Thread)
			}
			threads[h.Thread] = append(threads[h.Thread], h)
			if s.isMine(h) && len(s.recipients(h)) > 0 {
				mine = append(mine, h)
			}
		}
		if err := s.texts.read(ctx, s.Mailbox, mine); err != nil {
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

// expected is the answer that one recipient should give.
type expected struct {
	whom     *mail.Address
	asked    *store.MailSummary
	answered bool
}

// addUnanswered adds the conversation if somebody has not answered. thread has the oldest
// message first.
func (s *finder) addUnanswered(ctx context.Context, thread []*store.MailSummary) error {
	var all []*expected
	var quiet *store.MailSummary
	for _, h := range thread {
		switch {
		case s.isMine(h) && !s.texts.ask(h):
			quiet = h
		case s.isMine(h):
			all = s.ask(all, h)
		case !isAutomaticAnswer(h):
			noteAnswer(all, h)
		}
	}
	var last *store.MailSummary
	var answered, not []string
	for _, one := range all {
		switch date := one.asked.Date; {
		case one.answered:
			answered = append(answered, one.whom.Address)
		case date.Before(s.span.Before) && !date.Before(s.span.After):
			not = append(not, one.whom.Address)
			if last == nil || date.After(last.Date) {
				last = one.asked
			}
		}
	}
	if last != nil {
		return s.add(ctx, last, answered, not)
	}
	if len(all) == 0 && quiet != nil && len(s.recipients(quiet)) > 0 {
		s.quiet = append(s.quiet, quiet)
	}
	return nil
}

// isMine reports whether the user sent the message and it is not in the trash.
func (s *finder) isMine(h *store.MailSummary) bool {
	return !h.HasLabel(mailbox.Trash) && (h.HasLabel(mailbox.Sent) || slices.ContainsFunc(mailbody.AddressesOnly(h.Header("From")), s.senders.Owns))
}

// ask records that each recipient of the message should answer.
func (s *finder) ask(all []*expected, h *store.MailSummary) []*expected {
	for _, whom := range s.recipients(h) {
		at := slices.IndexFunc(all, func(one *expected) bool { return mailbox.SameAddress(one.whom, whom) })
		if at < 0 {
			all = append(all, &expected{whom: whom, asked: h})
			continue
		}
		all[at].asked, all[at].answered = h, false
	}
	return all
}

// recipients returns the people who should answer a message of the user: those in To, or
// those in Cc if To contains nobody else.
func (s *finder) recipients(h *store.MailSummary) []*mail.Address {
	for _, name := range []string{"To", "Cc"} {
		list, _ := mailmsg.ParseAddressList(h.Header(name))
		list = slices.DeleteFunc(list, func(a *mail.Address) bool { return s.senders.Owns(a.Address) || machine().MatchString(a.Address) })
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// noteAnswer records who answered with this message. It matches the sender's address, or
// else the name. If only one answer is expected, any sender counts.
func noteAnswer(all []*expected, h *store.MailSummary) {
	senders, _ := mailmsg.ParseAddressList(h.Header("From"))
	for _, sender := range senders {
		at := slices.IndexFunc(all, func(one *expected) bool { return mailbox.SameAddress(one.whom, sender) })
		if at < 0 && sender.Name != "" {
			at = slices.IndexFunc(all, func(one *expected) bool { return strings.EqualFold(one.whom.Name, sender.Name) })
		}
		if at < 0 && len(all) == 1 {
			at = 0
		}
		if at >= 0 {
			all[at].answered = true
		}
	}
}
