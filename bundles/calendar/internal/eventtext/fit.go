package eventtext

import (
	"strings"

	"kota/bundles/internal/budget"
)

// maxRow is what a row may cost in o200k tokens, besides whose words they are
// and less what budget.Tokens may be wrong by.
const maxRow = 116

// What the fixed parts of a row cost, in tokens: names and punctuation.
const (
	CostOfName   = 4  // of a field with its quotes
	CostOfWhen   = 24 // on one day
	costOfWhens  = 33 // over several days
	costOfLength = 10
	costOfWord   = 6 // a field with one word
	leastOfText  = 5 // what is not worth a field when there is less room
)

// Fit leaves out what the row has no room for, the least important first; a
// look at the event itself shows all of it. What else stands beside the row
// takes so many tokens of it.
func (r *Row) Fit(beside int) {
	left := maxRow - beside - 2*CostOfName - budget.Tokens(r.ID) - costOfLength - CostOfWhen
	if strings.Contains(r.When, " – ") {
		left -= costOfWhens - CostOfWhen
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
			left -= CostOfName + budget.Tokens(name)
		}
	}
	r.Title = budget.Brief(r.Title, max(left, leastOfText))
	left -= budget.Tokens(r.Title)
	for _, text := range []*string{&r.Guests, &r.Location, &r.Organizer} {
		if left < CostOfName+leastOfText {
			*text = ""
		}
		if *text != "" {
			*text = budget.Brief(*text, left-CostOfName)
			left -= CostOfName + budget.Tokens(*text)
		}
	}
	for _, whole := range []*string{&r.Zone, &r.Meet} {
		if left < CostOfName+budget.Tokens(*whole) {
			*whole = ""
		}
		if *whole != "" {
			left -= CostOfName + budget.Tokens(*whole)
		}
	}
}
