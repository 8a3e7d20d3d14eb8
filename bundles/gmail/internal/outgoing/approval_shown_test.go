package outgoing

import (
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/internal/mailmsg"
)

// similarTexts lists different texts that look the same, or nearly the same.
var similarTexts = []string{"4711", "47\uFE0F11", "47\uFE0011", "47\u180B11", "47\u280011", "47\u200B11", "47\u200D11", "47\U000E004111",
	"47 11", "47  11", "47\u00A011", "47\u200311", "47\u300011", "47\t11", "4711 ", "\u00A04711", "47\n11", "47\n\n\n11", "47⟨U+200B⟩11"}

// approvalText returns the text that an approval shows of a mail.
func approvalText(raw []byte) string {
	var text strings.Builder
	for _, line := range approvalOf(raw).Lines {
		text.WriteString(bundles.VisibleLine(line.Name) + ": " + strings.ReplaceAll(bundles.Visible(line.Text), "\n", "\n    ") + "\n")
	}
	return text.String()
}

// If two mails differ in the text of a field, their approvals must differ too, however a
// screen renders them.
func TestApprovalsOfDifferentMailsDiffer(t *testing.T) {
	for field, set := range map[string]func(m *mailmsg.Message, text string){
		"subject":    func(m *mailmsg.Message, text string) { m.Subject = text },
		"name in To": func(m *mailmsg.Message, text string) { m.To[0].Name = text },
		"name in Reply-To": func(m *mailmsg.Message, text string) {
			m.ReplyTo = []*mail.Address{{Name: text, Address: "drop@example.com"}}
		},
		"other header":      func(m *mailmsg.Message, text string) { m.Headers = []mailmsg.Field{{Name: "X-Spy", Value: text}} },
		"text":              func(m *mailmsg.Message, text string) { m.Text = text },
		"text and its HTML": func(m *mailmsg.Message, text string) { m.Text, m.HTML = text, mailbody.NewContent(text, "").HTML },
		"HTML beside a text": func(m *mailmsg.Message, text string) {
			m.Text, m.HTML = "4711", "<p>"+strings.ReplaceAll(strings.Join(strings.FieldsFunc(text, isASCIISpace), " "), "\u00A0", "&nbsp;")+"</p>"
		},
		"HTML alone": func(m *mailmsg.Message, text string) {
			m.HTML = "<p>" + strings.Join(strings.FieldsFunc(text, isASCIISpace), " ") + "</p>"
		},
		"name of a file": func(m *mailmsg.Message, text string) {
			m.Attachments = []mailmsg.File{{Name: text + ".txt", Content: []byte("x")}}
		},
		"name of a picture": func(m *mailmsg.Message, text string) {
			m.Inline = []mailmsg.File{{Name: text, ContentID: "a@b", Content: []byte("x")}}
		},
	} {
		seen := map[string]string{}
		for _, text := range similarTexts {
			m := mailmsg.Message{From: &mail.Address{Address: "ann@example.com"}, To: []*mail.Address{{Address: "bob@example.com"}}, Subject: "x"}
			set(&m, text)
			raw, err := m.Bytes(strings.NewReader(strings.Repeat("0", 64)))
			if err != nil {
				continue // this mail cannot be sent
			}
			shown := approvalText(raw)
			if other, again := seen[shown]; again && other != string(raw) {
				t.Errorf("%s: %+q is shown as another is:\n%s", field, text, shown)
			}
			seen[shown] = string(raw)
		}
		if len(seen) < 4 {
			t.Errorf("%s: only %d of the texts leave", field, len(seen))
		}
	}
}

func isASCIISpace(r rune) bool { return slices.Contains([]rune(" \t\n"), r) }

// KOTA's HTML of a text has the same blanks as the text, so its source is not shown.
func TestHTMLOfATextHasSameSpaces(t *testing.T) {
	for _, text := range []string{"10\u00A0000 €\n\n日本\u3000語", "a\n\n> \u00A0b", "Un\u202Fpeu ?"} {
		for _, page := range []string{mailbody.NewContent(text, "").HTML, (&mailbody.Original{Text: text}).Quote(time.UTC).HTML} {
			shownText := text
			if strings.Contains(page, "blockquote") {
				shownText = (&mailbody.Original{Text: text}).Quote(time.UTC).Text
			}
			if !hasSameSpaces(shownText, page) {
				t.Errorf("of %+q the page %+q has other blanks", shownText, page)
			}
		}
	}
	code := &mailbody.Original{Text: "see:\n\n    indented\n\ttoo\n> quoted\n>   deep"}
	if quote := code.Quote(time.UTC); !hasSameSpaces(quote.Text, quote.HTML) {
		t.Errorf("of %+q the page %+q has other blanks", quote.Text, quote.HTML)
	}
}
