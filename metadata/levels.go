package metadata

import (
	"slices"
	"strings"

	"kota/metadata/words"
)

// The budgets of the two levels of disclosure, in tokens as Tokens estimates them. They are
// lower than the promised 30 and 200 o200k tokens, because the estimate for one short text
// can be a third too low.
const (
	briefBudget = 25
	specBudget  = 170
)

// Brief is level 1 of the disclosure: the facts for choosing the action, on one line of 10
// to 30 o200k tokens.
//
//	memory_set(key*, value*, …) writes: Remember a value under a key. [store]
//
// It has the tool's name, the required arguments, … for the other arguments, the effect and
// the summary. Tags follow if they add a word and fit into the budget. If BriefText is set,
// Brief returns BriefText.
func (a Action) Brief() string {
	if a.BriefText != "" {
		return a.BriefText
	}
	rest := " " + string(a.Effect) + ": " + a.Summary
	budget := briefBudget - Tokens(a.tool()+rest)
	line := a.tool() + "(" + a.requiredArguments(budget) + ")" + rest
	var tags []string
	for _, tag := range a.Tags {
		more := append(slices.Clone(tags), tag)
		if !hasWord(line, tag) && Tokens(line+" ["+strings.Join(more, " ")+"]") <= briefBudget {
			tags = more
		}
	}
	if len(tags) > 0 {
		line += " [" + strings.Join(tags, " ") + "]"
	}
	return line
}

// tool returns the name by which the action is called.
func (a Action) tool() string {
	if a.Tool == "" {
		return a.Name
	}
	return a.Tool
}

// requiredArguments lists the required arguments that fit into the budget of tokens. It adds …
// if it leaves out an argument, required or optional.
func (a Action) requiredArguments(budget int) string {
	var names []string
	elided := false
	for _, p := range a.properties() {
		if !p.required || Tokens(strings.Join(append(slices.Clone(names), p.name+"*"), ", ")) > budget {
			elided = true
			continue
		}
		names = append(names, p.name+"*")
	}
	if elided {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// properties returns the arguments in declared order, or nil without an input.
func (a Action) properties() []property {
	if a.Input == nil {
		return nil
	}
	return a.Input.content().shape.props
}

// hasWord reports whether the line has each word of the tag, in any form.
func hasWord(line, tag string) bool {
	known := map[string]bool{}
	for _, t := range words.Split(line, 0) {
		known[words.Stem(t.Text)] = true
	}
	return !slices.ContainsFunc(words.Split(tag, 0), func(t words.Token) bool { return !known[words.Stem(t.Text)] })
}

// Tokens estimates the tokens of a text for a model: one token for four bytes. For long texts
// in English or JSON, the result differs from o200k by at most a quarter.
func Tokens[T ~string | ~[]byte](text T) int { return (len(text) + 3) / 4 }
