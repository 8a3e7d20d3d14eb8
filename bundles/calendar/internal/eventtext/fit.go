package eventtext

import (
	"strings"

	"kota/bundles/internal/budget"
)

// maxRow is the maximum size of a row without its provenance, in tokens of the tokenizer
// o200k. It allows for the error of budget.Tokens.
const maxRow = 116

// Estimated sizes of parts of a row in tokens, with their names and punctuation.
const (
	CostOfName   = 4  // a field name with its quotes
	CostOfWhen   = 24 // a time on one day
	costOfWhens  = 33 // a time over several days
	costOfLength = 10
	costOfWord   = 6 // a field with one word
	minTextCost  = 5 // a text that must be shorter is removed
)

// Fit shortens or removes fields until the row fits into maxRow tokens, the least
// important fields first. get_event shows all fields. reserved is the number of tokens
// that the caller adds to the row.
func (r *Row) Fit(reserved int) {
	left := maxRow - reserved - 2*CostOfName - budget.Tokens(r.ID) - costOfLength - CostOfWhen
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
	r.Title = budget.Brief(r.Title, max(left, minTextCost))
	left -= budget.Tokens(r.Title)
	for _, text := range []*string{&r.Guests, &r.Location, &r.Organizer} {
		if left < CostOfName+minTextCost {
			*text = ""
		}
		if *text != "" {
			*text = budget.Brief(*text, left-CostOfName)
			left -= CostOfName + budget.Tokens(*text)
		}
	}
	for _, value := range []*string{&r.Zone, &r.Meet} {
		if left < CostOfName+budget.Tokens(*value) {
			*value = ""
		}
		if *value != "" {
			left -= CostOfName + budget.Tokens(*value)
		}
	}
}
