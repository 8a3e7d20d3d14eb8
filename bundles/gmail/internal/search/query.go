package search

import (
	"strconv"
	"strings"
	"time"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/lazyregexp"
	"kota/metadata"
)

// Conditions are search conditions in addition to a query in Gmail's language. The zero
// value of a field is no condition.
type Conditions struct {
	From, To, Subject, Label string
	After, Before            string // times that ParseWhen accepts
	Unread, HasAttachment    *bool
}

// Query combines words, a query in Gmail's language, with the conditions. Neither part
// changes the meaning of the other. Query returns a VALIDATION_ERROR for an unknown time.
func (c Conditions) Query(words string, now time.Time) (string, error) {
	var terms []string
	for _, t := range []struct{ operator, value string }{{"from:", c.From}, {"to:", c.To}, {"subject:", c.Subject}} {
		if value := quotedTerm(t.value); value != "" {
			terms = append(terms, t.operator+value)
		}
	}
	if c.Label != "" {
		terms = append(terms, labelTerm(c.Label))
	}
	if c.Unread != nil {
		terms = append(terms, choose(*c.Unread, "is:unread", "is:read"))
	}
	if c.HasAttachment != nil {
		terms = append(terms, choose(*c.HasAttachment, "has:attachment", "-has:attachment"))
	}
	var wrong []metadata.Problem
	for _, t := range []struct{ path, value string }{{"after", c.After}, {"before", c.Before}} {
		if t.value == "" {
			continue
		}
		at, ok := ParseWhen(t.value, now)
		if !ok {
			wrong = append(wrong, metadata.Problem{Path: t.path, Expected: "a date, a time or an age", Got: strconv.Quote(arguments.Brief(t.value))})
			continue
		}
		terms = append(terms, t.path+":"+strconv.FormatInt(at.Unix(), 10))
	}
	if words = strings.TrimSpace(LocalDates(words, now.Location())); words != "" {
		if len(terms) > 0 && OrOperator().MatchString(words) {
			words = "(" + removeUnopenedBrackets(words) + ")"
		}
		terms = append(terms, words) // last, so that an unclosed quote ends with the words
	}
	if wrong != nil {
		e := metadata.Errorf(metadata.ValidationError, "%s: %s is not a date, a time or an age", wrong[0].Path, wrong[0].Got).
			WithHint(`Write 2026-03-01, 2026-03-01T14:00, yesterday, 7d or "last week".`)
		e.Problems = wrong
		return "", e
	}
	return strings.Join(terms, " "), nil
}

// OrOperator matches operators that would make an adjacent term only an alternative.
var OrOperator = lazyregexp.New(`\bOR\b|\|`)

// removeUnopenedBrackets removes closing brackets without an opening bracket. Gmail ignores
// them, but one of them would close the bracket that Query adds before the words.
func removeUnopenedBrackets(words string) string {
	open, quoted := []rune{}, false
	return strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			open = append(open, ')')
		case r == '{':
			open = append(open, '}')
		case r == ')' || r == '}':
			if len(open) == 0 || open[len(open)-1] != r {
				return -1
			}
			open = open[:len(open)-1]
		}
		return r
	}, words)
}

func choose(isTrue bool, yes, no string) string {
	if isTrue {
		return yes
	}
	return no
}

// PlainTerm matches a value that needs no quotes in a query.
var PlainTerm = lazyregexp.New(`^[\pL\pN@._+'][\pL\pN@._+'-]*$`)

// quotedTerm returns value as one term of Gmail's language. Gmail has no escape for
// quotes, so quotes inside the value become spaces. Gmail finds the same mail with spaces.
func quotedTerm(value string) string {
	value = strings.Join(strings.Fields(strings.ReplaceAll(value, `"`, " ")), " ")
	if value == "" || PlainTerm().MatchString(value) && value != "OR" && value != "AND" {
		return value
	}
	return `"` + value + `"`
}

// labelTerms are the operators for Gmail's own labels.
var labelTerms = map[string]string{
	mailbox.Inbox: "in:inbox", mailbox.Unread: "is:unread", mailbox.Starred: "is:starred", mailbox.Important: "is:important",
	mailbox.Spam: "in:spam", mailbox.Trash: "in:trash", mailbox.Sent: "in:sent", mailbox.Draft: "in:drafts", "CHAT": "in:chats",
	"CATEGORY_PERSONAL": "category:primary", "CATEGORY_SOCIAL": "category:social", "CATEGORY_PROMOTIONS": "category:promotions",
	"CATEGORY_UPDATES": "category:updates", "CATEGORY_FORUMS": "category:forums",
}

// unsearchable matches the characters of a label's name that are written as a hyphen in a
// query.
var unsearchable = lazyregexp.New(`[\s/&(){}|",:]`)

// labelTerm returns the term for a label: "Work/To do" is label:work-to-do.
func labelTerm(name string) string {
	own := strings.ToUpper(strings.TrimSpace(name))
	if id, ok := mailbox.FriendlyNames[strings.ToLower(own)]; ok {
		own = id
	}
	if term, ok := labelTerms[own]; ok {
		return term
	}
	return "label:" + unsearchable().ReplaceAllString(strings.ToLower(strings.TrimSpace(name)), "-")
}

// dateTerm matches a search term with a date.
var dateTerm = lazyregexp.New(`\b(after|before|newer|older):(\d{4})[/-](\d{1,2})[/-](\d{1,2})(\s|$|[)}])`)

// LocalDates replaces each date in a query with the Unix seconds at which that day begins
// in zone. Gmail would read a date in Pacific time.
func LocalDates(words string, zone *time.Location) string {
	return dateTerm().ReplaceAllStringFunc(words, func(term string) string {
		part := dateTerm().FindStringSubmatch(term)
		year, _ := strconv.Atoi(part[2])
		month, _ := strconv.Atoi(part[3])
		day, _ := strconv.Atoi(part[4])
		at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, zone)
		if at.Day() != day || int(at.Month()) != month {
			return term // no such day: Gmail decides how to read it
		}
		return part[1] + ":" + strconv.FormatInt(at.Unix(), 10) + part[5]
	})
}

// spamOrTrash matches terms that ask for spam or trash, which the API excludes by default.
var spamOrTrash = lazyregexp.New(`(?i)(?:^|[\s({])(?:in|is|label):"?(?:anywhere|spam|trash)\b`)

// IncludesSpamOrTrash reports whether a query includes spam or trash.
func IncludesSpamOrTrash(q string) bool { return spamOrTrash().MatchString(q) }
