package followups

import (
	"context"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
	"kota/store"
)

// messageTexts maps message ids to texts. It contains only messages whose subject and
// snippet do not show whether they ask something.
type messageTexts map[string]string

// maxConcurrentTexts is the maximum number of texts that are read concurrently.
const maxConcurrentTexts = 4

// cutSnippetLength is the length in characters from which a snippet may be incomplete,
// because Gmail cuts long snippets. A shorter snippet is complete.
const cutSnippetLength = 150

// isQuestion reports whether the message asks something. It returns true if that is
// unknown.
func (t messageTexts) isQuestion(h *store.MailSummary) bool {
	isQuestion, isCertain := isQuestionBySnippet(h)
	if isCertain {
		return isQuestion
	}
	text, isKnown := t[h.ID]
	return !isKnown || isQuestionText(text)
}

// isQuestionBySnippet reports whether the subject or the snippet asks something. It ignores
// the subject of a reply, which repeats another subject. isCertain is false if the whole
// text is needed to decide.
func isQuestionBySnippet(h *store.MailSummary) (isQuestion, isCertain bool) {
	subject := mailbody.Line(h.Header("Subject"), mailbody.MaxSubject)
	if subject != mailmsg.ReplySubject(subject) && isQuestionText(subject) {
		return true, true
	}
	text := html.UnescapeString(h.Snippet)
	if isQuestionText(text) {
		return true, true
	}
	return false, quoteStart().MatchString(text) || utf8.RuneCountInString(text) < cutSnippetLength
}

// read reads the texts of the messages whose subject and snippet are not enough. It skips
// messages that no longer exist or whose text cannot be read.
func (t messageTexts) read(ctx context.Context, m *mailbox.Mailbox, summaries []*store.MailSummary) error {
	var ids []string
	for _, h := range summaries {
		if _, isCertain := isQuestionBySnippet(h); !isCertain {
			ids = append(ids, h.ID)
		}
	}
	texts := make([]*string, len(ids)) // nil: not readable
	group, ctx := panicsafe.WithContext(ctx, maxConcurrentTexts)
	for i, id := range ids {
		group.Go(func() error {
			message, note, err := m.FullMessage(ctx, id, mailbox.MaxMessageOfMany)
			switch {
			case metadata.CodeOf(err) == metadata.NotFound:
				return nil
			case err != nil:
				return err
			case note == "":
				text := mailbody.Read(message.Payload, mailbody.Options{}).Text
				texts[i] = &text
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, id := range ids {
		if texts[i] != nil {
			t[id] = *texts[i]
		}
	}
	return nil
}

// isQuestionText reports whether a text asks something, in English, German, French, Dutch
// or Spanish. It returns true for a text that is mostly not in Latin script.
func isQuestionText(text string) bool {
	text, _, _ = strings.Cut(quoteStart().ReplaceAllString(text, "\x00"), "\x00")
	text = courtesies().ReplaceAllString(text, " ")
	return strings.ContainsAny(text, "?？¿") || requests().MatchString(text) || !isLatin(text)
}

// isLatin reports whether most letters of a text are Latin.
func isLatin(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	return other <= latin
}

var (
	// quoteStart matches the line above quoted mail.
	quoteStart = lazyregexp.New(`(?i)\b(on|am|le|op|el)\b[^\n]{6,120}?\b(wrote|schrieb|a écrit|schreef|escribió)\b[^\n]{0,120}?:|-{3,} ?(original message|forwarded message|ursprüngliche nachricht)`)

	// courtesies matches links and phrases that ask nothing.
	courtesies = lazyregexp.New(`(?i)https?://\S+` +
		`|\bno (need|reason) (to|for)( an?)? (reply|respond|answer|response)\b|\bno (reply|response|answer|action) (is )?(needed|necessary|required|expected)` +
		`|\b(please )?(find|see) (the )?(attached|enclosed|below)|\bplease (note|be aware|find|see|feel free|do not hesitate|don't hesitate)` +
		`|\b(please )?let (me|us) know if (you have|there are|you need) any(thing| \w+)( or \w+)?|\bif you have any (further )?(questions|comments|concerns)` +
		`|\b(keine antwort (nötig|erforderlich)|bitte schön|bitte sehr|graag gedaan|geen antwoord nodig|pas besoin de répondre|no hace falta (contestar|responder))`)

	// requests matches the words of requests and deadlines.
	requests = lazyregexp.New(`(?i)\b(please|pls|kindly|(could|can|would|will) you|let (me|us) know|get back to (me|us)|tell (me|us)|rsvp|asap|urgent(ly)?|deadline|action required|remind(er)?|invit(ation|ing|ed|e you)|awaiting|waiting for|hearing from you` +
		`|(i|we) (would |'d )?need|need (your|you)|(i|we)('d| would) (like|love) (your|you)|your (thoughts|opinion|view|views|feedback|approval|decision|answer|reply|ok|okay|input|signature|confirmation)|don't forget|make sure|fill (in|out)|due (by|on|today|tomorrow)` +
		`|by (today|tonight|tomorrow|noon|eod|cob|end of|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|the \d|\d)` +
		`|(send|give|call|show|bring|email|mail|forward) (me|us|it back))\b` +
		`|(^|[.!:;,\n] *(and )?)(approve|confirm|review|sign|reply|respond|answer|decide|choose|complete|submit|pay|return|send)\b` +
		`|\b(bitte|(kannst|könntest|würdest|magst) du|(können|könnten|würden) sie|sag(t|en sie)? (mir|uns)|bescheid|brauche|dringend|frist|rückmeldung|erinnerung|einladung|bis (heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|spätestens|zum|\d))\b` +
		`|\b(alsjeblieft|alstublieft|(kun|kan|zou|wil) (je|jij|u)|kunt u|laat (me|mij|ons|het) |graag|nodig|uiterlijk|spoed|dringend|herinnering|uitnodiging|v[oó]{2}r (vandaag|morgen|maandag|dinsdag|woensdag|donderdag|vrijdag))` +
		`|\b(s'il (te|vous) pla[iî]t|svp|merci de (me |nous |bien )?\pL+(er|ir|re)\b|(pouvez|pourriez)[- ]vous|(peux|pourrais)[- ]tu|(dites|dis)[- ](moi|nous)|besoin|avant (demain|lundi|mardi|mercredi|jeudi|vendredi|le \d)|rappel)` +
		`|\b(por favor|(puedes|podrías|puede|podría)|(av[ií]same|dime|dinos|mándame|env[ií]ame)|necesito|necesitamos|urgente|antes del?|recordatorio|invitación)`)
)
