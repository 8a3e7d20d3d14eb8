package store

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits of the diary. A call that exceeds one of them gets ErrInvalid. For MaxText, MaxTask,
// MaxBody and MaxKey the error also matches ErrTooLarge.
const (
	MaxText    = 64 << 10  // bytes of the text of an entry
	MaxTask    = 4000      // bytes of the text of a task
	MaxBody    = 256 << 10 // bytes of the body of a document
	MaxEntries = 50        // entries in one call; also tasks in one call
	MaxTags    = 50        // tags of an entry
	MaxMetrics = 50        // metrics of an entry
	MaxLinks   = 20        // links of an entry
	MaxName    = 40        // runes of the name of a type or a metric
	MaxLabel   = 200       // runes of a section, a tag or a title
	MaxLink    = 500       // bytes of a link
	MaxKey     = 200       // bytes of an idempotency key

	// MaxMetric is the largest value of a metric, and -MaxMetric the smallest. Integers in this
	// range are exact, and no sum of them overflows a float64.
	MaxMetric = 1e15
)

// A SizeError says that something exceeds a limit of the diary. It matches ErrTooLarge and
// ErrInvalid with errors.Is.
type SizeError struct {
	What      string // "text"
	Size, Max int    // bytes
}

// Error names the sizes.
func (e *SizeError) Error() string {
	return fmt.Sprintf("the %s has %d bytes; the limit is %d", e.What, e.Size, e.Max)
}

// Is reports whether target is ErrTooLarge or ErrInvalid.
func (e *SizeError) Is(target error) bool { return target == ErrTooLarge || target == ErrInvalid }

// CheckSize returns a *SizeError if text has more than max bytes. field is the name of the text
// in the error.
func CheckSize(field, text string, max int) error {
	if len(text) > max {
		return &SizeError{What: field, Size: len(text), Max: max}
	}
	return nil
}

// NormalizeName returns the stored form of the name of a type or a metric. All spellings of a
// name have the same stored form. "Sleep hours", "sleepHours" and "sleep-hours" become
// "sleep_hours". It returns ErrInvalid unless the result consists of 1 to 40 letters, marks,
// numbers and underscores.
func NormalizeName(text string) (string, error) {
	name := strings.ReplaceAll(NormalizeKey(text), " ", "_")
	odd := strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	if name == "" || odd >= 0 || utf8.RuneCountInString(name) > MaxName {
		return "", fmt.Errorf("%w: %q is not a name of 1 to %d letters, digits and underscores", ErrInvalid, FirstRunes(text, MaxName+20), MaxName)
	}
	return name, nil
}

// CheckDate returns ErrInvalid unless date is an existing date like "2026-11-20".
func CheckDate(date string) error {
	if day, err := time.Parse(time.DateOnly, date); err != nil || day.Year() < 1 {
		return fmt.Errorf("%w: %q is not a date", ErrInvalid, date)
	}
	return nil
}

func checkScale(name string, value int) error {
	if value < 0 || value > 5 {
		return fmt.Errorf("%w: %s %d is not from 1 to 5", ErrInvalid, name, value)
	}
	return nil
}

// cleanMetrics returns metrics as they are stored, with names in the form of NormalizeName.
func cleanMetrics(metrics map[string]any) (map[string]any, error) {
	if len(metrics) > MaxMetrics {
		return nil, fmt.Errorf("%w: %d metrics; the limit is %d", ErrInvalid, len(metrics), MaxMetrics)
	}
	clean := make(map[string]any, len(metrics))
	for given, value := range metrics {
		name, err := NormalizeName(given)
		if err != nil {
			return nil, err
		}
		if name == MoodName || name == EnergyName {
			return nil, fmt.Errorf("%w: no metric may have the name %q", ErrInvalid, name)
		}
		if _, twice := clean[name]; twice {
			return nil, fmt.Errorf("%w: metric %q is given twice", ErrInvalid, name)
		}
		if clean[name], err = cleanMetric(value); err != nil {
			return nil, fmt.Errorf("metric %s: %w", name, err)
		}
	}
	return clean, nil
}

func cleanMetric(value any) (any, error) {
	switch v := value.(type) {
	case bool:
		return v, nil
	case int:
		return cleanMetric(float64(v))
	case float64:
		if math.Abs(v) <= MaxMetric { // false for NaN
			return v, nil
		}
	}
	return nil, fmt.Errorf("%w: %v is neither a number from -1e15 to 1e15 nor true or false", ErrInvalid, value)
}

// TagList returns tags in their stored form, each once, without a leading "#": "#work" becomes
// "work". It keeps the case, but tags that differ only in case are the same tag.
func TagList(tags []string) []string {
	each := []string{}
	for _, tag := range CleanList(tags) {
		tag = CleanLabel(strings.TrimLeft(tag, "#"))
		if tag != "" && !slices.ContainsFunc(each, func(other string) bool { return strings.EqualFold(other, tag) }) {
			each = append(each, tag)
		}
	}
	return each
}

// cleanTags returns TagList(tags). It returns ErrInvalid for too many tags, or for a tag that
// is too long.
func cleanTags(tags []string) ([]string, error) {
	clean := TagList(tags)
	if len(clean) > MaxTags {
		return nil, fmt.Errorf("%w: %d tags; the limit is %d", ErrInvalid, len(clean), MaxTags)
	}
	for _, tag := range clean {
		if utf8.RuneCountInString(tag) > MaxLabel {
			return nil, fmt.Errorf("%w: a tag has at most %d characters: %q", ErrInvalid, MaxLabel, FirstRunes(tag, 40))
		}
	}
	return clean, nil
}

// cleanLinks returns links as they are stored. Their targets need not exist.
func cleanLinks(links []string) ([]string, error) {
	clean := CleanList(links)
	if len(clean) > MaxLinks {
		return nil, fmt.Errorf("%w: %d links; the limit is %d", ErrInvalid, len(clean), MaxLinks)
	}
	for _, link := range clean {
		if to, what, is := strings.Cut(link, ":"); !is || to == "" || what == "" || len(link) > MaxLink {
			return nil, fmt.Errorf(`%w: link %q does not have the form "event:abc"`, ErrInvalid, FirstRunes(link, 60))
		}
	}
	return clean, nil
}

// CleanLabel returns a short text as it is stored.
func CleanLabel(text string) string { return CleanKey(strings.ToValidUTF8(text, "\uFFFD")) }

// CleanList returns labels as they are stored: trimmed, each once, without empty ones.
func CleanList(texts []string) []string {
	clean := make([]string, 0, len(texts))
	for _, text := range texts {
		if text = CleanLabel(text); text != "" && !slices.Contains(clean, text) {
			clean = append(clean, text)
		}
	}
	return clean
}
