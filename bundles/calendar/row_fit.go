package calendar

import "strings"

// mostOfRow is what a row may cost in o200k tokens, less what weigh may be
// wrong by.
const mostOfRow = 116

// What the fixed parts of a row cost, in tokens: names and punctuation.
const (
	costOfName   = 4  // of a field with its quotes
	costOfWhen   = 24 // on one day
	costOfWhens  = 33 // over several days
	costOfLength = 10
	costOfWord   = 6 // a field with one word
	leastOfText  = 5 // what is not worth a field when there is less room
)

// fit leaves out what the row has no room for, the least important first; a
// look at the event itself shows all of it. What else stands beside the row
// takes so many tokens of it.
func (r *eventRow) fit(beside int) {
	left := mostOfRow - beside - 2*costOfName - weigh(r.ID) - costOfLength - costOfWhen
	if strings.Contains(r.When, " – ") {
		left -= costOfWhens - costOfWhen
	}
	for _, word := range []string{r.Status, r.MyAnswer, r.Type, r.ShowAs} {
		if word != "" {
			left -= costOfWord
		}
	}
	if r.Recurring {
		left -= costOfWord
	}
	for _, name := range append([]string{r.Account, r.Calendar}, r.AlsoOn...) {
		if name != "" {
			left -= costOfName + weigh(name)
		}
	}
	r.Title = brief(r.Title, max(left, leastOfText))
	left -= weigh(r.Title)
	for _, text := range []*string{&r.Guests, &r.Location, &r.Organizer} {
		if left < costOfName+leastOfText {
			*text = ""
		}
		if *text != "" {
			*text = brief(*text, left-costOfName)
			left -= costOfName + weigh(*text)
		}
	}
	for _, whole := range []*string{&r.Zone, &r.Meet} {
		if left < costOfName+weigh(*whole) {
			*whole = ""
		}
		if *whole != "" {
			left -= costOfName + weigh(*whole)
		}
	}
}

// brief returns as much of the text as weighs at most so much, the last of it an
// ellipsis when there is more.
func brief(text string, most int) string {
	if weigh(text) <= most {
		return text
	}
	var s scale
	for i, r := range text {
		if s.add(r); s.tokens() > most-1 {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

// weigh estimates how many tokens a model spends on the text: rather more than
// it does for prose, and about as many for what is no language.
func weigh(text string) int {
	var s scale
	for _, r := range text {
		s.add(r)
	}
	return s.tokens()
}

// A scale weighs text by its runs: a tokenizer makes one token of a few letters
// of a word or of three digits, and begins another where their kind changes.
type scale struct {
	tenths int
	kind   rune // of the run
	run    int  // its length so far
}

func (s *scale) tokens() int { return (s.tenths + 9) / 10 }

func (s *scale) add(r rune) {
	kind, length := r, 1
	switch {
	case r >= 'a' && r <= 'z':
		kind, length = 'a', 4
	case r >= 'A' && r <= 'Z':
		kind, length = 'A', 2
	case r >= '0' && r <= '9':
		kind, length = '0', 3
	case r == ' ':
		s.kind, s.run = r, 0
		return
	case r == '"', r == '\\':
		s.tenths += 5 // it is escaped
	case r == 0x200D, r == 0xFE0F:
		s.tenths += 5
	case r >= 0x10000:
		s.tenths += 12
	case r >= 0x800:
		s.tenths -= 2
	case r >= 0x80:
		s.tenths -= 5
	}
	// A capital begins the word that goes on in small letters.
	if kind == 'a' && s.kind == 'A' && s.run == 1 {
		s.kind = 'a'
	}
	if kind != s.kind || s.run >= length {
		s.kind, s.run = kind, 0
	}
	if s.run == 0 {
		s.tenths += 10
	}
	s.run++
}
