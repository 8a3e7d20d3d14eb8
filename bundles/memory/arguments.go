package memory

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kota/bundles/internal/timeparse"
	"kota/metadata"
	"kota/store"
)

const (
	maxKey    = 200            // characters
	maxValue  = store.MaxValue // bytes of JSON
	maxTag    = 60             // characters
	maxTags   = 50             // per memory
	maxSource = 500            // characters
)

// problems collects all problems that a schema cannot express, to report them together.
type problems []metadata.Problem

func (p *problems) add(path, expected, got string) {
	*p = append(*p, metadata.Problem{Path: path, Expected: expected, Got: got})
}

// err returns nil, or a VALIDATION_ERROR that lists the first 20 problems.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return metadata.Invalid(p).WithHint("Fix the arguments and repeat the call.")
}

// key checks a key to write or delete: one line of at most maxKey characters, at least
// one of them visible.
func (p *problems) key(path, key string) {
	if !strings.ContainsFunc(key, visible) {
		p.add(path, "a name that is not empty, such as \"theme\"", strconv.Quote(key))
		return
	}
	p.line(path, strings.TrimSpace(key), maxKey)
}

func visible(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }

// line checks that a text is UTF-8 and has no more characters than most allows.
// The text must not contain control characters, such as newlines, or characters
// that change the text direction.
func (p *problems) line(path, text string, most int) {
	switch n := utf8.RuneCountInString(text); {
	case n > most:
		p.add(path, "at most "+strconv.Itoa(most)+" characters", strconv.Itoa(n)+" characters")
	case !utf8.ValidString(text) || strings.ContainsFunc(text, invisible):
		p.add(path, "text without control characters", strconv.QuoteToASCII(shorten(json.RawMessage(text), 40)))
	}
}

// invisible reports whether a character is a control character or changes the text
// direction (Unicode TR9). Such characters can make one key look like another.
func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// query checks the words of a search: at most 2,000 characters, and not only
// white space.
func (p *problems) query(path, query string) {
	const most = 2000
	switch n := utf8.RuneCountInString(query); {
	case strings.TrimSpace(query) == "":
		p.add(path, "a key or words, such as \"coffee order\"", strconv.Quote(query))
	case n > most:
		p.add(path, "at most "+strconv.Itoa(most)+" characters", strconv.Itoa(n)+" characters")
	}
}

func (p *problems) value(path string, value json.RawMessage) {
	if len(value) > maxValue {
		p.add(path, "at most 1 MiB of JSON", strconv.Itoa(len(value))+" bytes")
	}
}

func (p *problems) tags(path string, tags []string) {
	if len(tags) > maxTags {
		p.add(path, "at most "+strconv.Itoa(maxTags)+" tags", strconv.Itoa(len(tags))+" tags")
		return
	}
	for i, tag := range tags {
		at := path + "[" + strconv.Itoa(i) + "]"
		if strings.TrimSpace(tag) == "" {
			p.add(at, "a word", strconv.Quote(tag))
			continue
		}
		p.line(at, tag, maxTag)
	}
}

// time parses a moment: RFC 3339, a date and time, or a date, which means its first
// moment. A time without an offset is in zone. time returns the zero time for ""
// and for a text that it cannot parse.
func (p *problems) time(path, text string, zone *time.Location) time.Time {
	if text == "" {
		return time.Time{}
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return timeparse.DayStart(timeparse.LocalTimeOf(day), zone)
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t
		}
	}
	p.add(path, `a time such as "2026-12-31T18:00:00+01:00", or a date`, strconv.Quote(shorten(json.RawMessage(text), 40)))
	return time.Time{}
}

// duration parses a positive duration such as "90m", "12h", "30d" or "2w". It
// returns 0 for "" and for a text that it cannot parse.
func (p *problems) duration(path, text string) time.Duration {
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
	p.add(path, `a time span such as "90m", "12h", "30d" or "2w"`, strconv.Quote(shorten(json.RawMessage(text), 40)))
	return 0
}

// expiry parses the end of a memory: a future moment or a time span from now, but
// not both. It returns the zero time if neither is given.
func (p *problems) expiry(at, ttl string, now time.Time, zone *time.Location) time.Time {
	if at != "" && ttl != "" {
		p.add("ttl", "omitted when expires_at is given", strconv.Quote(ttl))
		return time.Time{}
	}
	expires := p.time("expires_at", at, zone)
	if span := p.duration("ttl", ttl); span > 0 {
		expires = now.Add(span)
	}
	if !expires.IsZero() && !expires.After(now) {
		p.add("expires_at", "a future time", strconv.Quote(at)+", which is "+timeparse.RFC3339(expires.In(zone)))
	}
	return expires
}
