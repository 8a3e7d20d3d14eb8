package htmltext

import (
	"strings"
	"unicode/utf8"

	"kota/bundles/internal/lazyregexp"
)

// Unquote leaves out the history below a reply. It returns the writer's own
// words and how many characters it left out. History begins with quotes at the
// end, or with a line such as "On … wrote:" above them. It also begins with
// "-----Original Message-----", or with the From, Sent, To and Subject lines of
// Outlook. Unquote knows these lines in the common languages of mail.
//
// Quotes that are answered line by line stay, up to the last answer. A
// forwarded message is not history. If nothing would remain, nothing is left
// out.
func Unquote(text string) (own string, quoted int) {
	lines := strings.Split(text, "\n")
	end := len(lines)
	if at := historyStart(lines); at >= 0 && !answersBelow(lines[:at]) {
		end = at
	}
	end = quotesStart(lines[:end])
	own = strings.TrimRight(strings.Join(lines[:end], "\n"), " \t\n")
	if end == len(lines) || strings.TrimSpace(own) == "" || forwarded(own) {
		return text, 0
	}
	return own, utf8.RuneCountInString(text) - utf8.RuneCountInString(own)
}

// undecorated returns a line without emphasis marks, backslashes and
// surrounding space.
func undecorated(line string) string {
	return strings.TrimSpace(decorations.Replace(line))
}

var decorations = strings.NewReplacer("**", "", "\\", "", "*", "", "\u00A0", " ")

var original = lazyregexp.New(`(?i)^[-_—\s]{2,}\s*(original message|original appointment|ursprüngliche nachricht|originalnachricht|ursprünglicher termin|` +
	`message d['’]origine|message original|oorspronkelijk bericht|mensaje original|messaggio originale|mensagem original|` +
	`oprindelig meddelelse|ursprungligt meddelande|opprinnelig melding|alkuperäinen viesti|oryginalna wiadomość|исходное сообщение)\s*[-_—\s]{2,}$`)

var (
	fromField    = lazyregexp.New(`(?i)^(from|von|de|van|da|från|fra|lähettäjä|od|от)\s?:\s*\S`)
	sentField    = lazyregexp.New(`(?i)^(sent|date|gesendet|datum|envoyé|verzonden|enviado(?: el)?|fecha|inviato|data|skickat|sendt|lähetetty|wysłano|отправлено|дата)\s?:\s*\S`)
	toField      = lazyregexp.New(`(?i)^(to|an|à|aan|para|a|till|til|vastaanottaja|do|кому)\s?:\s*\S`)
	subjectField = lazyregexp.New(`(?i)^(subject|betreff|objet|onderwerp|asunto|oggetto|assunto|ämne|emne|aihe|temat|тема)\s?:`)
)

// historyStart returns the index of the line at which history in the style of
// Outlook begins. It returns -1 if no such line exists, or if a forwarded message
// comes first.
func historyStart(lines []string) int {
	for i, line := range lines {
		if len(line) > 2000 || !strings.ContainsAny(line, ":-_—") {
			continue // skip most lines, because the patterns are slow
		}
		plain := undecorated(line)
		switch {
		case forwardLine().MatchString(plain):
			return -1
		case original().MatchString(plain):
			return i
		case fromField().MatchString(plain) && isHeader(lines[i:]):
			for i > 0 && rulers().MatchString(lines[i-1]) {
				i--
			}
			return i
		}
	}
	return -1
}

var rulers = lazyregexp.New(`^[-_*\s]*$`)

// isHeader reports whether the first lines are the fields of a message: at
// least two of date, recipient and subject.
func isHeader(lines []string) bool {
	sent, to, subject, seen := 0, 0, 0, 0
	for _, line := range lines {
		line = undecorated(line)
		if line == "" {
			continue
		}
		if seen++; seen > 8 || len(line) > 2000 {
			break
		}
		switch {
		case sentField().MatchString(line):
			sent = 1
		case toField().MatchString(line):
			to = 1
		case subjectField().MatchString(line):
			subject = 1
		}
	}
	return sent+to+subject >= 2 && subject+sent > 0
}

// quotesStart returns the index of the first line of the quotes at the end, or
// of the attribution above them. It returns len(lines) if the lines do not end
// with quotes.
func quotesStart(lines []string) int {
	at := len(lines)
	quotes := 0
	for at > 0 {
		line := strings.TrimSpace(lines[at-1])
		if line != "" && line[0] != '>' {
			break
		}
		if line != "" {
			quotes++
		}
		at--
	}
	if quotes == 0 {
		return len(lines)
	}
	// The attribution may be split over three lines.
	for n := 1; n <= 3 && n <= at; n++ {
		if attribution(strings.Join(lines[at-n:at], " ")) {
			return at - n
		}
	}
	return at
}

var attributions = lazyregexp.New(`(?i)^(` + strings.Join([]string{
	`on .{5,300} wrote`, `(am|den) .{5,300} schrieb( .{0,100})?`, `.{3,200} schrieb am .{5,100}`, `le .{5,300} a écrit`,
	`op .{5,300} (schreef|heeft .{0,100}geschreven)( .{0,150})?`, `el .{5,300} escribió`, `il .{5,300} ha scritto`, `em .{5,300} escreveu`,
	`(den|på|d\.) .{5,300} skrev( .{0,150})?`, `.{3,200} (wrote|schrieb|a écrit|schreef|escribió|ha scritto|escreveu|napisał\(?a?\)?|написал\(?а?\)?|kirjoitti)`,
	`\d{4}-\d\d-\d\d .{5,300}`,
}, "|") + `)\s?[:：]$`)

// attribution reports whether the text is a line such as "On Friday, Ann wrote:"
// above a quote.
func attribution(text string) bool {
	text = strings.Join(strings.Fields(undecorated(text)), " ")
	return len(text) < 1000 && attributions().MatchString(text)
}

const forwardWords = `(?:forwarded message|begin forwarded message|weitergeleitete nachricht|anfang der weitergeleiteten nachricht|` +
	`message transféré|message réexpédié|début du message (?:transféré|réexpédié)|doorgestuurd bericht|begin doorgestuurd bericht|` +
	`mensaje reenviado|inicio del mensaje reenviado|messaggio inoltrato|inizio messaggio inoltrato|mensagem encaminhada|` +
	`vidarebefordrat meddelande|videresendt (?:meddelelse|melding))`

var (
	forwardLine = lazyregexp.New(`(?i)^[-—\s>]*` + forwardWords + `\s?:?[-—\s]*$`)
	forwardMark = lazyregexp.New(`(?im)(?:^[\s>]*|[-—]{3,}\s?)` + forwardWords + `\s?(?::|[-—]{3,})`)
)

// forwarded reports whether the text contains a forwarded message.
func forwarded(text string) bool { return forwardMark().MatchString(text) }

var answersBelowWords = lazyregexp.New(`(?i)\b(answers?|comments?|repl(y|ies)|response|antworten?|kommentare?|réponses?|commentaires?|antwoorden|opmerkingen|respuestas|comentarios)\b.{0,40}\b(below|inline|in[- ]line|red|blue|unten|rot|blau|ci-dessous|rouge|hieronder|rood|abajo|rojo)\b`)

// answersBelow reports whether the writer says that the answers are in the history.
func answersBelow(lines []string) bool {
	return answersBelowWords().MatchString(strings.Join(lines, " "))
}
