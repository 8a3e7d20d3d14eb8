// Package match finds people by what a user remembers of them: a name, a nickname, a company, what
// they are to the user, or digits of a number. It tolerates misspelling. It makes no request.
package match

import (
	"cmp"
	"slices"
	"strings"

	"kota/bundles/contacts/internal/card"
	"kota/metadata/words"
)

// A field is where a word of a person stands. Fields before others say more about who it is.
type field uint8

const (
	byName field = iota
	byNickname
	byRelation
	byEmail
	byWork
	byCustom
	byNotes
)

var weights = [...]float64{byName: 10, byNickname: 9, byRelation: 8, byEmail: 6, byWork: 6, byCustom: 4, byNotes: 2}

// fieldNames say in answers what matched.
var fieldNames = [...]string{"name", "nickname", "relation", "email", "work", "custom", "notes"}

// posting is one word of one person.
type posting struct {
	person int32
	field  field
}

// An Index finds people of one list. It does not change.
type Index struct {
	People   []card.Card
	postings map[string][]posting
	vocab    []string // sorted
	runes    [][]rune // of vocab
	phones   []phone
}

type phone struct {
	digits string
	person int32
}

// maxWords bounds the words of one person.
const maxWords = 400

// NewIndex returns the index of people.
func NewIndex(people []card.Card) *Index {
	x := &Index{People: people, postings: map[string][]posting{}}
	for i := range people {
		x.add(int32(i), &people[i])
	}
	for word := range x.postings {
		x.vocab = append(x.vocab, word)
	}
	slices.Sort(x.vocab)
	x.runes = make([][]rune, len(x.vocab))
	for i, word := range x.vocab {
		x.runes[i] = []rune(word)
	}
	return x
}

func (x *Index) add(i int32, c *card.Card) {
	left := maxWords
	text := func(f field, value string) {
		for _, word := range Words(value) {
			list := x.postings[word]
			if left == 0 || len(list) > 0 && list[len(list)-1] == (posting{i, f}) {
				continue
			}
			x.postings[word] = append(list, posting{i, f})
			left--
		}
	}
	text(byName, c.Name)
	for _, nick := range c.Nicknames {
		text(byNickname, nick)
	}
	for _, r := range c.Relations {
		text(byRelation, r.Type)
		text(byRelation, r.Person)
	}
	for _, e := range c.Emails {
		text(byEmail, e.Value)
	}
	for _, w := range c.Work {
		text(byWork, w.Title)
		text(byWork, w.Company)
		text(byWork, w.Department)
	}
	for _, v := range c.Custom {
		text(byCustom, v.Type)
		text(byCustom, v.Value)
	}
	text(byNotes, c.Notes)
	for _, p := range c.Phones {
		if digits := card.Digits(p.Value); digits != "" {
			x.phones = append(x.phones, phone{digits, i})
		}
	}
}

// Words returns the words of a text, folded.
func Words(text string) []string {
	found := []string{}
	for _, token := range words.Split(text, maxWords) {
		if token.Unspaced {
			found = append(found, token.Parts...)
		}
		found = append(found, token.Text)
	}
	return found
}

// fillers are words of a request that say nothing about a person.
var fillers = map[string]bool{
	"my": true, "the": true, "of": true, "from": true, "at": true, "a": true, "mein": true, "meine": true, "meinen": true, "mon": true, "ma": true,
	"mes": true, "mi": true, "mis": true, "mio": true, "mia": true, "mijn": true, "der": true, "die": true, "de": true, "la": true, "le": true, "el": true, "il": true,
}

// queryWords returns the words to look for. A query of fillers alone, such as "Mia", is looked for.
func queryWords(query string) []string {
	all := slices.Compact(Words(query))
	kept := slices.DeleteFunc(slices.Clone(all), func(word string) bool { return fillers[word] })
	if len(kept) == 0 {
		return all
	}
	return kept
}

// A Hit is a person who was found.
type Hit struct {
	Card  *card.Card
	By    string  // what matched best: "nickname"
	Exact bool    // every word of the query is a word of the name or a nickname
	score float64 // higher is better
}

// Search returns at most limit people, best first. If nobody has all words of the query, it returns
// those who have most of them.
func (x *Index) Search(query string, limit int) []Hit {
	if !strings.ContainsFunc(query, isNoPhoneRune) {
		return x.searchPhone(query, limit)
	}
	wanted := queryWords(query)
	found := map[int32]*tally{}
	for _, word := range wanted {
		x.tallyWord(word, found)
	}
	most := 0
	for _, t := range found {
		most = max(most, t.words)
	}
	hits := []Hit{}
	for i, t := range found {
		if t.words == most && 2*most > len(wanted) || t.words == len(wanted) {
			hits = append(hits, Hit{Card: &x.People[i], By: fieldNames[t.best], Exact: t.exact == len(wanted), score: t.score})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.Card.Label(), b.Card.Label()), strings.Compare(a.Card.ID, b.Card.ID))
	})
	return hits[:min(limit, len(hits))]
}

// tally is what a person has of a query.
type tally struct {
	words int // how many words of the query
	exact int // how many are in the name or a nickname, spelt as asked
	best  field
	top   float64
	score float64
}

// tallyWord adds one word of the query to the tallies. Each person gets the best of the fields that
// have it.
func (x *Index) tallyWord(word string, found map[int32]*tally) {
	type best struct {
		field field
		score float64
		exact bool
	}
	people := map[int32]best{}
	for _, m := range x.similar(word) {
		for _, p := range x.postings[m.word] {
			score := weights[p.field] * m.weight
			was, known := people[p.person]
			exact := m.weight == 1 && p.field <= byNickname
			if !known || score > was.score {
				people[p.person] = best{p.field, score, exact || was.exact}
			} else if exact && !was.exact {
				was.exact = true
				people[p.person] = was
			}
		}
	}
	for i, b := range people {
		t := found[i]
		if t == nil {
			t = &tally{}
			found[i] = t
		}
		t.words++
		t.score += b.score
		if b.exact {
			t.exact++
		}
		if b.score > t.top {
			t.top, t.best = b.score, b.field
		}
	}
}

// similarWord is a word of the index and how well it fits: 1 is equal.
type similarWord struct {
	word   string
	weight float64
}

const (
	minPrefix   = 2 // letters of a word that may be the start of another
	minDigits   = 4
	minNumber   = 7 // digits of a number that can stand for itself
	prefixValue = 0.7
	typoValue   = 0.5
)

// similar returns the word itself and the words that begin with it. If there is none, it returns the
// words that differ by a typo: by two in words of more than six letters.
func (x *Index) similar(word string) []similarWord {
	found := []similarWord{}
	if x.postings[word] != nil {
		found = append(found, similarWord{word, 1})
	}
	if len([]rune(word)) >= minPrefix {
		at, _ := slices.BinarySearch(x.vocab, word)
		for ; at < len(x.vocab) && strings.HasPrefix(x.vocab[at], word); at++ {
			if x.vocab[at] != word {
				found = append(found, similarWord{x.vocab[at], prefixValue})
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	runes := []rune(word)
	limit := 0
	switch {
	case len(runes) > 6:
		limit = 2
	case len(runes) > 2:
		limit = 1
	}
	if limit == 0 {
		return nil
	}
	for i, other := range x.runes {
		if typos := words.Typos(runes, other, limit); typos <= limit {
			found = append(found, similarWord{x.vocab[i], typoValue / float64(typos)})
		}
	}
	return found
}

func isNoPhoneRune(r rune) bool { return !strings.ContainsRune("0123456789+-/.() ", r) }

// searchPhone finds numbers that have the digits of the query, or are the end of it: either may lack
// the code of the country. Numbers that end with the digits come first.
func (x *Index) searchPhone(query string, limit int) []Hit {
	hits := []Hit{}
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, query)
	if len(digits) < minDigits {
		return hits
	}
	whole := card.Digits(query)
	for _, p := range x.phones {
		at := strings.Index(p.digits, digits)
		switch {
		case at >= 0:
		case len(whole) >= minDigits && strings.Contains(p.digits, whole):
			at = strings.Index(p.digits, whole) + len(whole) - len(digits)
		case len(p.digits) >= minNumber && strings.HasSuffix(whole, p.digits):
			at = len(p.digits) - len(digits)
		default:
			continue
		}
		if slices.ContainsFunc(hits, func(h Hit) bool { return h.Card == &x.People[p.person] }) {
			continue
		}
		hits = append(hits, Hit{Card: &x.People[p.person], By: "phone", score: -float64(len(p.digits) - at - len(digits))})
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.score, a.score) })
	return hits[:min(limit, len(hits))]
}
