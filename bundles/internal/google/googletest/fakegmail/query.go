package fakegmail

import (
	"fmt"
	"strings"
	"unicode"
)

// query is a parsed search: one term, or queries combined.
type query struct {
	op       string // "and", "or", "not", or an operator's name; "" for a word anywhere
	value    string
	exact    bool // the value was in quotes
	operands []*query
}

// operators are those of Gmail's search box (support.google.com/mail/answer/7190).
var operators = map[string]bool{
	"from": true, "to": true, "cc": true, "bcc": true, "subject": true, "deliveredto": true, "list": true,
	"label": true, "in": true, "is": true, "has": true, "category": true, "filename": true,
	"after": true, "before": true, "newer": true, "older": true, "newer_than": true, "older_than": true,
	"rfc822msgid": true, "larger": true, "smaller": true, "size": true,
}

// parseQuery parses a search. It returns nil for an empty search. All terms must
// match, except that one of several terms joined by OR is enough. Parentheses
// group terms that must all match. Braces group terms of which one must match.
func parseQuery(text string) (*query, error) {
	p := &queryParser{rest: text}
	q, err := p.sequence("and", 0)
	if err != nil {
		return nil, err
	}
	if len(q.operands) == 0 {
		return nil, nil
	}
	return q, nil
}

type queryParser struct {
	rest  string
	depth int
}

// sequence reads terms until the closing rune, or until the end for 0.
func (p *queryParser) sequence(op string, closing rune) (*query, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > 100 {
		return nil, fmt.Errorf("groups are nested too deep")
	}
	group := &query{op: op}
	join := false // after an OR
	for {
		p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
		if p.rest == "" {
			return group, nil // Gmail closes open groups
		}
		if next := rune(p.rest[0]); next == ')' || next == '}' {
			p.rest = p.rest[1:]
			if next == closing {
				return group, nil
			}
			continue
		}
		if p.keyword("OR") || p.keyword("|") {
			join = len(group.operands) > 0
			continue
		}
		if p.keyword("AND") {
			continue
		}
		term, err := p.term()
		if err != nil {
			return nil, err
		}
		if term == nil {
			continue
		}
		if join {
			last := group.operands[len(group.operands)-1]
			if last.op != "or" {
				last = &query{op: "or", operands: []*query{last}}
			}
			last.operands = append(last.operands, term)
			group.operands[len(group.operands)-1] = last
		} else {
			group.operands = append(group.operands, term)
		}
		join = false
	}
}

// keyword consumes the word if it is next.
func (p *queryParser) keyword(word string) bool {
	after, found := strings.CutPrefix(p.rest, word)
	if !found || after != "" && !strings.ContainsAny(after[:1], " \t\n(){}\"") {
		return false
	}
	p.rest = after
	return true
}

// term reads one term: a group, a phrase, a word, or an operator with its value.
func (p *queryParser) term() (*query, error) {
	switch p.rest[0] {
	case '-':
		p.rest = p.rest[1:]
		if p.rest == "" || unicode.IsSpace(rune(p.rest[0])) {
			return nil, nil
		}
		inner, err := p.term()
		if err != nil || inner == nil {
			return nil, err
		}
		return &query{op: "not", operands: []*query{inner}}, nil
	case '+':
		p.rest = p.rest[1:]
		if p.rest == "" {
			return nil, nil
		}
		return p.term()
	case '(':
		p.rest = p.rest[1:]
		return p.sequence("and", ')')
	case '{':
		p.rest = p.rest[1:]
		return p.sequence("or", '}')
	case '"':
		return &query{value: p.phrase(), exact: true}, nil
	}
	word := p.word()
	name, _, isOperator := strings.Cut(word, ":")
	name = strings.ToLower(name)
	if !isOperator || !operators[name] {
		return &query{value: word}, nil
	}
	return p.operator(name, word)
}

// operator reads the value of an operator, which may be a group of values.
func (p *queryParser) operator(name, word string) (*query, error) {
	value := word[len(name)+1:]
	if value != "" {
		return &query{op: name, value: value}, nil
	}
	switch {
	case strings.HasPrefix(p.rest, `"`):
		return &query{op: name, value: p.phrase(), exact: true}, nil
	case strings.HasPrefix(p.rest, "("), strings.HasPrefix(p.rest, "{"):
		group, err := p.term()
		if err != nil {
			return nil, err
		}
		group.apply(name)
		return group, nil
	}
	return nil, nil
}

// apply makes the words of a group the values of the operator.
func (q *query) apply(name string) {
	if q.op == "" {
		q.op = name
	}
	for _, operand := range q.operands {
		operand.apply(name)
	}
}

// phrase reads a quoted phrase.
func (p *queryParser) phrase() string {
	value, rest, _ := strings.Cut(p.rest[1:], `"`)
	p.rest = rest
	return value
}

// word reads until a space, a bracket or a quote.
func (p *queryParser) word() string {
	end := strings.IndexFunc(p.rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`(){}"`, r) })
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}
