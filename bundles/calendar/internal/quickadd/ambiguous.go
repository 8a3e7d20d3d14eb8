package quickadd

import (
	"slices"
	"strings"
	"unicode"

	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/timeparse"
)

// ambiguousWord returns the first word that no part used and that may be about the time, or
// "". day and clock report whether the line has a day and a time of day.
//
// A line with such a word is refused. For example, "at 3" may be at night or in the
// afternoon. "3/12" may be in March or in December. "monday week" is not the next Monday.
func (l *line) ambiguousWord(day, clock bool) string {
	words := make([]string, len(l.words))
	for i, word := range l.words {
		words[i] = strings.TrimFunc(strings.ToLower(word), notInWord)
		if isMark(word) {
			words[i] = word
		}
	}
	for i := range words {
		w := leftover{word: words[i], original: l.words[i], day: day, clock: clock}
		if i > 0 {
			w.before = words[i-1]
		}
		if i+1 < len(words) {
			w.after = words[i+1]
		}
		w.previous = words[max(0, i-3):i]
		if !isMark(w.word) && w.isAmbiguous() {
			return l.words[i]
		}
	}
	return ""
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// A leftover is a word of a line that no part used.
type leftover struct {
	word, original string   // the word in lower case without punctuation, and as it is in the line
	before, after  string   // the words or marks next to the word
	previous       []string // up to three words or marks before the word
	day, clock     bool     // whether the line has a day, and whether it has a time of day
}

// isNextToPart reports whether the word is directly next to a part that was read.
func (w leftover) isNextToPart() bool { return isMark(w.before) || isMark(w.after) }

func (w leftover) isAmbiguous() bool {
	return w.isNumber() || w.isRepetition() || w.isDay() || w.isZone() || w.isLength() || w.changesNeighbour()
}

// timeNumber matches a word that may be a date or a time, wherever it is in the line.
var timeNumber = lazyregexp.New(`^\d+[^\pL\d]+\d|\d:\d\d|^\d{1,2}[:h.]?\d{0,2}(am|pm|uhr|uur|h)$|^(utc|gmt)\W?\d`)

// ordinalDay matches a day of a month.
var ordinalDay = lazyregexp.New(`^\d{1,2}(st|nd|rd|th|er|e|ste|de)$`)

// isNumber reports whether the word may be a date or a time in digits.
func (w leftover) isNumber() bool {
	switch {
	case (w.word == "1-1" || w.word == "1:1") && w.day && w.clock: // a meeting of two people
		return false
	case timeNumber().MatchString(w.word), timeNumber().MatchString(strings.TrimLeft(w.original, "(~+@")):
		return true
	case ordinalDay().MatchString(w.word):
		return !w.day || w.isNextToPart() || w.after == ""
	case !startsWithDigit(w.word):
		return isOneOf(w.word, countWords) && isOneOf(w.before, beforeNumbers)
	case isOneOf(w.before, beforeNumbers), timeparse.ParseMonth(w.before) != 0, timeparse.ParseMonth(w.after) != 0, isMark(w.before):
		return true
	}
	return isMark(w.after) && !(w.day && w.clock)
}

// isRepetition reports whether the word may say that the event repeats.
func (w leftover) isRepetition() bool {
	single, several := strings.CutSuffix(w.word, "s")
	switch {
	case isOneOf(w.word, everyWords), several && weekdayName(w.word) == "" && weekdayName(strings.TrimRight(single, "'’")) != "":
		return true
	case w.word == "each":
		return isOneOf(w.after, periodWords) || isMark(w.after)
	}
	return isOneOf(w.word, oftenWords) && (!w.day || w.isNextToPart())
}

// isDay reports whether the word may name a day, or a part of a day.
func (w leftover) isDay() bool {
	parts := strings.FieldsFunc(w.word, func(r rune) bool { return strings.ContainsRune("-–/&+", r) })
	for _, part := range parts {
		short := shortWeekday(part) != "" && (len(parts) > 1 || !isOneOf(part, ambiguousDays) || !w.day || w.isNextToPart())
		if short {
			return true
		}
	}
	isWeekday := func(part string) bool { return weekdayName(part) != "" }
	switch {
	case slices.ContainsFunc(strings.FieldsFunc(w.word, notInWord), isWeekday), isOneOf(w.word, unsupportedDays):
		return true
	case isOneOf(w.word, shortNames), timeparse.ParseMonth(w.word) != 0:
		return !w.day && (w.isNextToPart() || timeparse.ParseMonth(w.word) != 0)
	case isOneOf(w.word, periodWords):
		return !w.day || w.isNextToPart()
	}
	return isOneOf(w.word, partWords) && w.isNextToPart()
}

// isZone reports whether the word may name a time zone.
func (w leftover) isZone() bool {
	capitals := w.original == strings.ToUpper(w.original)
	switch {
	case isZoneName(w.word):
		return true
	case isOneOf(w.word, zoneWords):
		return capitals || w.before == clockMark
	case isOneOf(w.word, shortZones):
		return w.before == clockMark
	}
	return isOneOf(w.word, []string{"time", "zeit", "tijd", "heure"}) && slices.Contains(append(w.previous, w.before), clockMark)
}

// isLength reports whether the word may say how long the event takes.
func (w leftover) isLength() bool {
	number := strings.TrimLeft(w.word, "0123456789.,")
	switch {
	case number != w.word && isOneOf(number, lengthWords):
		return true
	case isOneOf(w.word, lengthWords):
		return startsWithDigit(w.before) || isOneOf(w.before, countWords) || isOneOf(w.before, []string{"a", "an", "half"})
	}
	return false
}

// changesNeighbour reports whether the word changes the meaning of the part next to it,
// which is not supported: "by friday", "until 15:00", "friday or".
func (w leftover) changesNeighbour() bool {
	return isMark(w.after) && isOneOf(w.word, leadingWords) || isMark(w.before) && isOneOf(w.word, trailingWords) || w.isNextToPart() && isOneOf(w.word, whichWords)
}

func startsWithDigit(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

func isOneOf(word string, list []string) bool { return slices.Contains(list, word) }

// Words for repetition: "every week".
var (
	everyWords  = []string{"every", "jeden", "jede", "jedes", "elke", "iedere", "chaque"}
	oftenWords  = []string{"daily", "weekly", "monthly", "yearly", "annually", "biweekly", "fortnightly", "täglich", "wöchentlich", "dagelijks", "wekelijks", "quotidien", "hebdomadaire"}
	periodWords = []string{
		"day", "days", "week", "weeks", "weekday", "weekdays", "weekend", "fortnight", "month", "months", "year", "years", "other", "second",
		"tag", "tage", "tagen", "woche", "wochen", "wochenende", "monat", "monate", "jahr", "dag", "dagen", "weken", "maand", "jaar", "jour", "jours", "semaine", "semaines", "mois", "an", "année",
	}
)

// Words for days and parts of days that are not supported.
var (
	unsupportedDays = []string{"yesterday", "gestern", "gisteren", "midnight", "mitternacht", "middernacht", "minuit"}
	shortNames      = []string{"mo", "di", "mi", "do", "fr", "sa", "so", "ma", "wo", "vr", "za", "zo", "lun", "mar", "mer", "jeu", "ven", "sam", "dim", "hier"}
	partWords       = []string{
		"morning", "afternoon", "evening", "night", "noon", "tonight", "early", "late", "früh", "morgens", "vormittag", "nachmittag", "abend", "abends", "nacht", "mittag",
		"ochtend", "middag", "avond", "avonds", "vanavond", "matin", "après-midi", "soir", "o'clock", "o’clock", "clock", "ish", "sharp", "am", "pm",
	}
)

// Words next to a day or a time that change its meaning.
var (
	leadingWords = []string{
		"by", "before", "after", "until", "till", "til", "since", "from", "to", "between", "around", "about", "ca", "circa", "or", "in", "the", "on", "at", "within", "during", "not", "except", "starting",
		"bis", "vor", "nach", "seit", "ab", "zwischen", "gegen", "oder", "um", "am", "tot", "voor", "na", "vanaf", "tussen", "rond", "of", "om", "avant", "après", "jusqu'à", "depuis", "entre", "vers", "ou", "à", "le",
	}
	trailingWords = []string{"or", "until", "till", "til", "before", "ago", "later", "onwards", "oder", "bis", "of", "tot", "ou", "maybe", "minus", "plus", "except", "through", "thru"}
	whichWords    = []string{
		"next", "this", "last", "past", "coming", "following", "same", "half", "quarter", "halb", "viertel", "kwart",
		"nächste", "nächsten", "nächster", "nächstes", "kommende", "kommenden", "übernächsten", "letzten", "diesen", "volgende", "komende", "vorige", "deze", "prochain", "prochaine", "dernier",
	}
)

// Words for numbers and lengths, and words before numbers that are times.
var (
	countWords    = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	beforeNumbers = []string{"at", "from", "um", "von", "om", "van", "à", "to", "until", "till", "past", "before", "after", "around", "about", "bis", "gegen", "halb", "half", "tot", "the", "on", "in", "am", "den", "op", "le"}
	lengthWords   = []string{
		"s", "sec", "second", "seconds", "m", "min", "mins", "minute", "minutes", "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "w", "week", "weeks", "month", "months",
		"minuten", "stunde", "stunden", "std", "uur", "uren", "heure", "heures", "tage", "tagen", "dagen", "jours", "wochen", "weken", "semaines",
	}
)

// Short names of zones. Most have several meanings, or change with daylight saving time.
// Those in shortZones are often ordinary words.
var (
	zoneWords = []string{
		"est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "akst", "hst", "cet", "cest", "mez", "mesz", "bst", "wet", "west", "eet", "eest", "msk", "ist", "jst", "kst", "hkt", "sgt", "aest", "aedt", "acst", "awst", "nzst", "nzdt", "zulu",
	}
	shortZones = []string{"et", "ct", "mt", "pt", "z", "east", "eastern", "central", "mountain", "pacific", "local"}
)
