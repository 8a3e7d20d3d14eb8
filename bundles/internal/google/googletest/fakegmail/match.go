package fakegmail

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// matches reports whether the search finds the message. It finds spam and trash
// only if everywhere is set or the search names them.
func (m *mailbox) matches(msg *message, q *query, everywhere bool) bool {
	if !everywhere && (msg.has("SPAM") || msg.has("TRASH")) && !q.namesHidden() {
		return false
	}
	return q == nil || m.matchesQuery(msg, q)
}

// namesHidden reports whether the search names spam, trash or anywhere.
func (q *query) namesHidden() bool {
	if q == nil || q.op == "not" {
		return false
	}
	if q.op == "in" || q.op == "label" || q.op == "is" {
		return slices.Contains([]string{"anywhere", "spam", "trash"}, strings.ToLower(q.value))
	}
	return slices.ContainsFunc(q.operands, (*query).namesHidden)
}

// matchesQuery reports whether the query matches the message.
func (m *mailbox) matchesQuery(msg *message, q *query) bool {
	holds := func(operand *query) bool { return m.matchesQuery(msg, operand) }
	switch q.op {
	case "and":
		return !slices.ContainsFunc(q.operands, func(operand *query) bool { return !holds(operand) })
	case "or":
		return slices.ContainsFunc(q.operands, holds)
	case "not":
		return !holds(q.operands[0])
	case "":
		return msg.contains(q.value)
	case "subject":
		return contains(valuesOf(msg.root, "Subject"), q.value)
	case "from", "cc", "bcc":
		return m.namesPerson(msg, q.value, q.op)
	case "to":
		return m.namesPerson(msg, q.value, "to", "cc", "bcc")
	case "deliveredto":
		return contains(valuesOf(msg.root, "Delivered-To"), q.value)
	case "list":
		return contains(valuesOf(msg.root, "List-Id"), q.value)
	case "label", "in", "is", "category":
		return m.matchesLabel(msg, q)
	case "has":
		return m.hasKind(msg, strings.ToLower(q.value))
	case "filename":
		return msg.hasFile(strings.ToLower(q.value))
	case "rfc822msgid":
		return strings.EqualFold(strings.Trim(msg.root.get("Message-ID"), "<> "), strings.Trim(q.value, "<> "))
	case "larger", "size":
		return int64(len(msg.raw)) > parseSize(q.value)
	case "smaller":
		return int64(len(msg.raw)) < parseSize(q.value)
	}
	return m.matchesTime(msg, q)
}

// namesPerson reports whether one of the fields names the person. "me" is any
// of the user's addresses.
func (m *mailbox) namesPerson(msg *message, person string, fields ...string) bool {
	if strings.EqualFold(person, "me") {
		addresses, _ := addressesIn(msg.root, fields...) // an unreadable field names nobody
		return slices.ContainsFunc(addresses, m.settings.maySendAs)
	}
	return slices.ContainsFunc(fields, func(field string) bool { return contains(valuesOf(msg.root, field), person) })
}

// valuesOf returns the values of all fields with that name, joined.
func valuesOf(e *entity, name string) string {
	var values []string
	for _, f := range e.fields {
		if strings.EqualFold(f.name, name) {
			values = append(values, f.value)
		}
	}
	return strings.Join(values, " \x00 ")
}

// contains reports whether the words of the value are adjacent in the text.
// Like Gmail, it finds only whole words, ignoring case.
func contains(text, value string) bool { return containsWords(tokens(text), value) }

func containsWords(words []string, value string) bool {
	wanted := tokens(value)
	if len(wanted) == 0 {
		return strings.TrimSpace(value) == ""
	}
	for i := 0; i+len(wanted) <= len(words); i++ {
		if slices.Equal(words[i:i+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

func tokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// contains reports whether the words are in the subject, people, text or file names.
func (msg *message) contains(value string) bool {
	for _, field := range []string{"Subject", "From", "To", "Cc", "Bcc"} {
		if contains(valuesOf(msg.root, field), value) {
			return true
		}
	}
	if msg.words == nil {
		msg.words = append([]string{}, tokens(msg.root.text(maxIndexed))...)
	}
	found := containsWords(msg.words, value)
	msg.root.all(func(part *entity) bool {
		found = found || part.filename != "" && contains(part.filename, value)
		return !found
	})
	return found
}

// matchesLabel handles label:, in:, is: and category:.
func (m *mailbox) matchesLabel(msg *message, q *query) bool {
	value := strings.ToLower(q.value)
	if q.op == "category" {
		return msg.has(categories[value])
	}
	switch value {
	case "anywhere":
		return true
	case "read":
		return !msg.has("UNREAD")
	case "drafts":
		return msg.has("DRAFT")
	case "archive":
		return !slices.ContainsFunc([]string{"INBOX", "SPAM", "TRASH", "SENT", "DRAFT"}, msg.has)
	}
	for _, l := range m.labels {
		name := strings.ToLower(l.Name)
		if (value == name || value == searchName(name) || q.value == l.ID) && msg.has(l.ID) {
			return true
		}
	}
	return false
}

// searchName returns a label's name as a search writes it: with a hyphen for
// each space, slash, ampersand and parenthesis.
func searchName(name string) string {
	return strings.NewReplacer(" ", "-", "/", "-", "&", "-", "(", "-", ")", "-").Replace(name)
}

var categories = map[string]string{
	"primary": "CATEGORY_PERSONAL", "personal": "CATEGORY_PERSONAL", "social": "CATEGORY_SOCIAL",
	"promotions": "CATEGORY_PROMOTIONS", "updates": "CATEGORY_UPDATES", "forums": "CATEGORY_FORUMS",
}

// hasKind handles has:.
func (m *mailbox) hasKind(msg *message, kind string) bool {
	switch kind {
	case "attachment":
		return msg.hasFile("")
	case "userlabels", "nouserlabels":
		has := slices.ContainsFunc(msg.labels, func(id string) bool { l := m.label(id); return l != nil && l.Type == "user" })
		return has == (kind == "userlabels")
	case "yellow-star":
		return msg.has("STARRED")
	}
	return false // nothing of Drive, no other stars
}

// hasFile reports whether the name of an attached file contains the words of
// name or has name as its extension. "" matches every file.
func (msg *message) hasFile(name string) bool {
	found := false
	msg.root.all(func(part *entity) bool {
		file := strings.ToLower(part.filename)
		found = found || file != "" && (name == "" || contains(file, name) || strings.HasSuffix(file, "."+strings.TrimPrefix(name, ".")))
		return !found
	})
	return found
}

// pacific is the zone in which Gmail reads the dates of a search.
var pacific = time.FixedZone("PST", -8*60*60)

// matchesTime handles after:, before:, newer:, older:, newer_than: and older_than:.
func (m *mailbox) matchesTime(msg *message, q *query) bool {
	switch q.op {
	case "newer_than", "older_than":
		at, ok := parseAge(m.server.Now(), q.value)
		return ok && msg.date.After(at) == (q.op == "newer_than")
	}
	at, ok := parseDay(q.value)
	if !ok {
		return false
	}
	if q.op == "after" || q.op == "newer" {
		return !msg.date.Before(at)
	}
	return msg.date.Before(at)
}

// parseDay reads a date, or a time in Unix seconds.
func parseDay(value string) (time.Time, bool) {
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil && len(value) > 6 {
		return time.Unix(seconds, 0), true
	}
	for _, layout := range []string{"2006/1/2", "2006-1-2", "1/2/2006"} {
		if day, err := time.ParseInLocation(layout, value, pacific); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

func parseAge(now time.Time, value string) (time.Time, bool) {
	if value == "" {
		return time.Time{}, false
	}
	n, err := strconv.Atoi(value[:len(value)-1])
	if err != nil {
		return time.Time{}, false
	}
	switch value[len(value)-1] {
	case 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, -n), true
	case 'm':
		return now.AddDate(0, -n, 0), true
	case 'y':
		return now.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}

// parseSize reads a size such as 10M, 500K or 2048.
func parseSize(value string) int64 {
	factor := int64(1)
	switch number := strings.TrimRight(strings.ToUpper(value), "B"); {
	case strings.HasSuffix(number, "K"):
		factor, value = 1<<10, strings.TrimSuffix(number, "K")
	case strings.HasSuffix(number, "M"):
		factor, value = 1<<20, strings.TrimSuffix(number, "M")
	default:
		value = number
	}
	n, _ := strconv.ParseInt(value, 10, 64) // a value that is not a number counts as 0
	return n * factor
}
