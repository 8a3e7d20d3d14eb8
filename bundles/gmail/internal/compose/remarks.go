package compose

import (
	"strings"

	"kota/bundles/internal/lazyregexp"
)

var (
	speaksOfFile = lazyregexp.Of(`(?i)\b(attached|attachment|attaching|enclosed|im anhang|anbei|angehängt|beigefügt|ci-joint|pièce jointe|en pièces jointes|adjunt[oa]|in allegato|bijlage|bijgevoegd)\b`)
	placeholder  = lazyregexp.Of(`(?i)\[(your|my|insert|recipient|name|first name|company|date|position|title|contact|phone|link)\b[^\]\n]{0,40}\]([^(]|$)`)
)

// remark warns of what looks forgotten in what the user is about to send.
func (l *Letter) remark() {
	say := func(what string) { l.Warnings = append(l.Warnings, what) }
	files := len(l.Message.Attachments)
	if strings.TrimSpace(l.Message.Subject) == "" {
		say("there is no subject")
	}
	if strings.TrimSpace(l.words) == "" && files == 0 && l.Kind != "forward" {
		say("there is no text")
	}
	if files == 0 && speaksOfFile().MatchString(l.words) {
		say("the text speaks of an attachment, and none is attached")
	}
	if left := placeholder().FindString(l.words); left != "" {
		say("a placeholder is left in the text: " + strings.TrimSpace(left))
	}
}
