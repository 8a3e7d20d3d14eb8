package metadata

import (
	"slices"
	"strings"
)

// Spec is level 2 of the disclosure: what a call of the action needs, in 50 to 200
// o200k tokens. It has the signature, the effect, the required rights, the
// description, the arguments, an example, the answer, the errors and the notes.
//
// If all of that is longer, Spec shortens it: it keeps every required argument,
// names optional ones if they fit, and prefers what cannot be guessed. A last line
// then refers to kota_describe_bundle for the whole schema. SpecText replaces it.
func (a Action) Spec() string {
	if a.SpecText != "" {
		return a.SpecText
	}
	s := newSpec(a)
	s.documents(true)
	if a.Description != "" {
		s.offer(&s.said, " "+a.Description)
	}
	if s.crowded { // what some are teaches more than the types of all
		s.example()
		s.documents(false)
		s.types()
	} else {
		s.types()
		s.example()
	}
	s.offer(&s.answers, a.returns(property.named))
	s.offer(&s.errors, a.mayFail())
	s.documents(false)
	s.note()
	s.elaborate()
	return s.String()
}

// A spec is the second level in the making.
type spec struct {
	action Action
	left   int  // of the budget
	cut    bool // something found no room

	crowded bool // the names of all arguments would take half of the budget

	arguments []argument
	said      string // the summary and what follows it
	usage     string
	answers   string
	errors    string
	notes     string
}

// An argument is the description of one property. A required one always has its
// name and type.
type argument struct {
	property
	named, typed bool
	doc          string
}

// newSpec has what is never left out, and the names of all arguments where they
// take at most half of the room; else of as many as take a third.
func newSpec(a Action) *spec {
	s := &spec{action: a, said: a.Summary}
	for _, p := range a.properties() {
		s.arguments = append(s.arguments, argument{property: p, named: p.required, typed: p.required})
	}
	s.left = specBudget - Tokens(s.String()) - Tokens(a.whole())
	least, all := s.left/2, 0
	for _, arg := range s.arguments {
		if !arg.named {
			all += Tokens(arg.name + ", ")
		}
	}
	if s.crowded = all > s.left-least; s.crowded {
		least = s.left * 2 / 3
	}
	for i := range s.arguments {
		arg := &s.arguments[i]
		if arg.named {
			continue
		}
		if cost := Tokens(arg.name + ", "); s.left-cost >= least {
			arg.named = true
			s.left -= cost
			continue
		}
		s.cut = true
	}
	return s
}

func (s *spec) String() string {
	lines := []string{s.action.tool() + "(" + strings.Join(s.signature(), ", ") + ")", s.action.constraints(), s.said}
	for _, arg := range s.arguments {
		if arg.doc != "" {
			lines = append(lines, arg.doc)
		}
	}
	lines = append(lines, s.usage, s.answers, s.errors, s.notes)
	if s.cut {
		lines = append(lines, s.action.whole())
	}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

func (s *spec) signature() []string {
	var names []string
	elided := false
	for _, arg := range s.arguments {
		switch {
		case arg.typed:
			names = append(names, arg.short())
		case arg.named:
			names = append(names, arg.name)
		default:
			elided = true
		}
	}
	if elided {
		names = append(names, "…")
	}
	return names
}

// short is the property as in a signature, without the insides of a long object.
func (p property) short() string {
	const long = 60 // bytes
	if line := p.line(0); len(line) <= long {
		return line
	}
	return p.line(2)
}

// fits reports whether there is room for the text, and remembers if not. An empty one fits.
func (s *spec) fits(text string) bool {
	if Tokens(text) <= s.left {
		return true
	}
	s.cut = true
	return false
}

// offer puts the text behind what is there, when there is room for it.
func (s *spec) offer(where *string, text string) bool {
	if !s.fits(text) {
		return false
	}
	*where += text
	s.left -= Tokens(text)
	return true
}

// documents says what the required arguments are, in order, or what the others are.
func (s *spec) documents(required bool) {
	for i := range s.arguments {
		arg := &s.arguments[i]
		if arg.named && arg.required == required && arg.description != "" {
			s.offer(&arg.doc, "- "+arg.name+": "+arg.description)
		}
	}
}

// types gives the optional arguments their types: first those that nobody can
// guess, which are all but plain texts, numbers and yes or no.
func (s *spec) types() {
	for _, plain := range []bool{false, true} {
		for i := range s.arguments {
			arg := &s.arguments[i]
			guessed := len(arg.enum) == 0 && arg.kinds&(isArray|isObject) == 0 && arg.def == nil
			if arg.typed || !arg.named || guessed != plain {
				continue
			}
			if more := strings.TrimPrefix(arg.short(), arg.name); s.fits(more) {
				arg.typed = true
				s.left -= Tokens(more)
			}
		}
	}
}

// example shows the first call that takes at most half of the room.
func (s *spec) example() {
	for _, e := range s.action.Examples {
		line := "Example: " + Compact(e.Args)
		if Tokens(line) <= s.left/2 {
			s.offer(&s.usage, line)
			return
		}
	}
	s.cut = s.cut || len(s.action.Examples) > 0
}

// note adds the notes, sentence by sentence, as long as there is room.
func (s *spec) note() {
	rest := strings.Join(s.action.Notes, " ")
	for rest != "" {
		var first string
		first, rest = SplitSentence(rest)
		if s.notes != "" {
			first = " " + first
		}
		if !s.offer(&s.notes, first) {
			return
		}
	}
}

// elaborate says more of what is answered, as far as the rest has left room:
// all types, or the fields of what the lists and objects hold.
func (s *spec) elaborate() {
	for _, form := range []func(property) string{property.typed, property.withFields} {
		better := s.action.returns(form)
		if Tokens(better)-Tokens(s.answers) <= s.left {
			s.answers = better
			return
		}
	}
	s.cut = true
}
