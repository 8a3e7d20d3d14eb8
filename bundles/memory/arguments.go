package memory

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kota/metadata"
)

const (
	maxKey   = 200     // characters
	maxValue = 1 << 20 // bytes of JSON
	maxTag   = 60      // characters
)

// problems gathers everything wrong with the arguments that a schema cannot
// say, so that a caller hears of it at once.
type problems []metadata.Problem

func (p *problems) add(path, expected, got string) {
	*p = append(*p, metadata.Problem{Path: path, Expected: expected, Got: got})
}

// err returns nil, or a VALIDATION_ERROR that lists every problem.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	said := make([]string, 0, len(p))
	for _, problem := range p {
		said = append(said, problem.Path+" must be "+problem.Expected)
	}
	e := metadata.Errorf(metadata.ValidationError, "%s", strings.Join(said, "; "))
	e.Problems = p
	return e.WithHint("Mend the arguments and repeat the call.")
}

// key checks a key that is to be written: text on one line that a person
// could say.
func (p *problems) key(path, key string) {
	switch trimmed := strings.TrimSpace(key); {
	case trimmed == "":
		p.add(path, "a name that is not empty, such as \"theme\"", strconv.Quote(key))
	case utf8.RuneCountInString(trimmed) > maxKey:
		p.add(path, "at most "+strconv.Itoa(maxKey)+" characters", strconv.Itoa(utf8.RuneCountInString(trimmed))+" characters")
	case strings.ContainsFunc(trimmed, unicode.IsControl):
		p.add(path, "text without control characters", strconv.QuoteToASCII(brief(json.RawMessage(trimmed), 40)))
	}
}

func (p *problems) value(path string, value json.RawMessage) {
	if len(value) > maxValue {
		p.add(path, "at most 1 MiB of JSON", strconv.Itoa(len(value))+" bytes")
	}
}

func (p *problems) tags(path string, tags []string) {
	for i, tag := range tags {
		if strings.TrimSpace(tag) == "" || utf8.RuneCountInString(tag) > maxTag || strings.ContainsFunc(tag, unicode.IsControl) {
			p.add(path+"["+strconv.Itoa(i)+"]", "a word of at most "+strconv.Itoa(maxTag)+" characters", strconv.Quote(brief(json.RawMessage(tag), 40)))
		}
	}
}

// times reads a moment: RFC 3339, a date and time without an offset, or a
// date, which means its first moment. What has no offset is in the user's
// zone.
func (p *problems) time(path, text string, zone *time.Location) time.Time {
	if text == "" {
		return time.Time{}
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t
		}
	}
	p.add(path, `a time such as "2026-12-31T18:00:00+01:00", or a date`, strconv.Quote(brief(json.RawMessage(text), 40)))
	return time.Time{}
}

// span reads a duration in people's units: "90m", "12h", "30d", "2w".
func (p *problems) span(path, text string) time.Duration {
	if text == "" {
		return 0
	}
	units := map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour}
	if n, err := strconv.ParseFloat(strings.TrimRight(text, "dw"), 64); err == nil && len(text) > 1 && n > 0 && n < 1e5 {
		if unit, ok := units[text[len(text)-1:]]; ok && strings.Count(text, "d")+strings.Count(text, "w") == 1 {
			return time.Duration(n * float64(unit))
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d
	}
	p.add(path, `a time span such as "90m", "12h", "30d" or "2w"`, strconv.Quote(brief(json.RawMessage(text), 40)))
	return 0
}

// expiry reads when a memory ends, given as a moment or a span from now but
// not as both.
func (p *problems) expiry(at, ttl string, now time.Time, zone *time.Location) time.Time {
	if at != "" && ttl != "" {
		p.add("ttl", "left out when expires_at is given", strconv.Quote(ttl))
		return time.Time{}
	}
	expires := p.time("expires_at", at, zone)
	if span := p.span("ttl", ttl); span > 0 {
		expires = now.Add(span)
	}
	if !expires.IsZero() && !expires.After(now) {
		p.add("expires_at", "a time to come", strconv.Quote(at))
	}
	return expires
}

func quote(s string) string { return strconv.Quote(s) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// query checks words to look for: any text will do that is not a document.
func (p *problems) query(path, query string) {
	const most = 2000
	switch n := utf8.RuneCountInString(query); {
	case strings.TrimSpace(query) == "":
		p.add(path, "a key or words, such as \"coffee order\"", strconv.Quote(query))
	case n > most:
		p.add(path, "at most "+strconv.Itoa(most)+" characters", strconv.Itoa(n)+" characters")
	}
}
