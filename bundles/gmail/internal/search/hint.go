package search

import (
	"fmt"
	"slices"
	"strings"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/lazyregexp"
	"kota/metadata"
)

// operators are Gmail's search operators: https://support.google.com/mail/answer/7190
var operators = []string{
	"from", "to", "cc", "bcc", "subject", "after", "before", "older", "newer", "older_than", "newer_than", "label", "category",
	"has", "list", "filename", "in", "is", "size", "larger", "smaller", "larger_than", "smaller_than", "rfc822msgid", "deliveredto", "around",
}

// otherOperators maps operators of other mail programs to what to use in Gmail.
var otherOperators = map[string]string{
	"sender": "from", "recipient": "to", "since": "after", "until": "before", "attachment": "has:attachment or filename", "folder": "in or label",
	"tag": "label", "title": "subject", "date": "after and before", "body": "plain words", "has_attachment": "has:attachment", "unread": "is:unread",
}

var (
	operator     = lazyregexp.New(`(?:^|[\s({-])([A-Za-z][A-Za-z0-9_]*):`)
	dateOperator = lazyregexp.New(`\b(?:after|before|older|newer|older_than|newer_than):`)
	badDate      = lazyregexp.New(`\b(?:after|before|newer|older):(?:\D|\d{1,2}[./-]|\d{4}[./-]\d{1,2}(?:\s|$))\S*`)
)

// manyWords is a number of words that rarely all occur in one mail.
const manyWords = 5

// HintFor returns what to try after a search without results.
func HintFor(q string) string {
	var hints []string
	for _, match := range operator().FindAllStringSubmatch(q, -1) {
		name := strings.ToLower(match[1])
		if slices.Contains(operators, name) || name == "http" || name == "https" || name == "mailto" {
			continue
		}
		if replacement, ok := otherOperators[name]; ok {
			hints = append(hints, fmt.Sprintf("Gmail has no %s:, use %s.", name, replacement))
		} else if near := metadata.Nearest(name, operators, 1); len(near) > 0 {
			hints = append(hints, fmt.Sprintf("Gmail has no %s:, did you mean %s:?", name, near[0]))
		}
	}
	if date := badDate().FindString(q); date != "" {
		hints = append(hints, fmt.Sprintf("Gmail cannot read %q: dates are 2026/03/01, spans newer_than:7d.", arguments.Brief(date)))
	}
	switch {
	case strings.Contains(q, `"`):
		hints = append(hints, "Quotes match the exact words: omit them to find these words anywhere.")
	case len(strings.Fields(q)) >= manyWords:
		hints = append(hints, "Every word must occur: give only the most important ones.")
	}
	if !IncludesSpamOrTrash(q) {
		hints = append(hints, "Add in:anywhere to look in spam and trash too.")
	}
	switch {
	case len(hints) > 0:
		return "Nothing found. " + strings.Join(hints, " ")
	case dateOperator().MatchString(q):
		return "Nothing matches: remove a condition, or widen the dates."
	case len(strings.Fields(q)) > 1:
		return "Nothing matches: remove a condition."
	}
	return "Nothing matches."
}
