package metadata

import (
	"slices"
	"strings"
)

// Spec is level 2 of the disclosure: what a call of the action needs, in 50 to 200
// o200k tokens. It has the signature, the effect, the required rights, the
// description, the arguments, an example, the answer, the errors and the notes.
//
// If that is longer, Spec leaves parts out. It keeps every required argument, names
// optional arguments if they fit, and prefers what nobody can guess. A last line then
// refers to kota_describe_bundle for the whole schema. If SpecText is set, Spec returns
// SpecText.
func (a Action) Spec() string {
	if a.SpecText != "" {
		return a.SpecText
	}
	s := newSpec(a)
	s.addDocs(true)
	if a.Description != "" {
		s.appendIfFits(&s.summary, " "+a.Description)
	}
	if s.crowded { // the descriptions of some arguments help more than the types of all arguments
		s.addExample()
		s.addDocs(false)
		s.addTypes()
	} else {
		s.addTypes()
		s.addExample()
	}
	s.appendIfFits(&s.answers, a.returns(property.named))
	s.appendIfFits(&s.errors, a.errorLine())
	s.addDocs(false)
	s.addNotes()
	s.detailAnswer()
	return s.String()
}

// A spec builds the text of Action.Spec.
type spec struct {
	action Action
	budget int  // tokens that are left
	cut    bool // something did not fit

	crowded bool // the names of the optional arguments would take more than half of the remaining budget

	arguments []argument
	summary   string // the summary and what follows it
	usage     string
	answers   string
	errors    string
	notes     string
}

// An argument says what the spec shows of a property: always the name and type of a required
// property.
type argument struct {
	property
	named, typed bool   // whether the signature has the name, and the type
	doc          string // the line with the description, or ""
}

// newSpec returns a spec with the parts that are never left out. It adds the names of all
// optional arguments if they take at most half of the remaining budget. Otherwise it adds as
// many as fit into a third.
func newSpec(a Action) *spec {
	s := &spec{action: a, summary: a.Summary}
	for _, p := range a.properties() {
		s.arguments = append(s.arguments, argument{property: p, named: p.required, typed: p.required})
	}
	s.budget = specBudget - Tokens(s.String()) - Tokens(a.schemaHint())
	minLeft, cost := s.budget/2, 0
	for _, arg := range s.arguments {
		if !arg.named {
			cost += Tokens(arg.name + ", ")
		}
	}
	if s.crowded = cost > s.budget-minLeft; s.crowded {
		minLeft = s.budget * 2 / 3
	}
	for i := range s.arguments {
		arg := &s.arguments[i]
		if arg.named {
			continue
		}
		if cost := Tokens(arg.name + ", "); s.budget-cost >= minLeft {
			arg.named = true
			s.budget -= cost
			continue
		}
		s.cut = true
	}
	return s
}

func (s *spec) String() string {
	lines := []string{s.action.tool() + "(" + strings.Join(s.signature(), ", ") + ")", s.action.constraints(), s.summary}
	for _, arg := range s.arguments {
		if arg.doc != "" {
			lines = append(lines, arg.doc)
		}
	}
	lines = append(lines, s.usage, s.answers, s.errors, s.notes)
	if s.cut {
		lines = append(lines, s.action.schemaHint())
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

// short returns the property as in a signature, without the fields of an object if the result
// would be long.
func (p property) short() string {
	const long = 60 // bytes
	if line := p.line(0); len(line) <= long {
		return line
	}
	return p.line(2)
}

// fits reports whether the text fits into the budget. It sets s.cut if not.
func (s *spec) fits(text string) bool {
	if Tokens(text) <= s.budget {
		return true
	}
	s.cut = true
	return false
}

// appendIfFits appends the text to *part if it fits, and reports whether it did.
func (s *spec) appendIfFits(part *string, text string) bool {
	if !s.fits(text) {
		return false
	}
	*part += text
	s.budget -= Tokens(text)
	return true
}

// addDocs adds the descriptions that fit, of either the required or the optional arguments.
func (s *spec) addDocs(required bool) {
	for i := range s.arguments {
		arg := &s.arguments[i]
		if arg.named && arg.required == required && arg.description != "" {
			s.appendIfFits(&arg.doc, "- "+arg.name+": "+arg.description)
		}
	}
}

// addTypes adds types to the optional arguments. It starts with the types that nobody can
// guess: all except plain texts, numbers and booleans.
func (s *spec) addTypes() {
	for _, plain := range []bool{false, true} {
		for i := range s.arguments {
			arg := &s.arguments[i]
			guessed := len(arg.enum) == 0 && arg.kinds&(isArray|isObject) == 0 && arg.def == nil
			if arg.typed || !arg.named || guessed != plain {
				continue
			}
			if more := strings.TrimPrefix(arg.short(), arg.name); s.fits(more) {
				arg.typed = true
				s.budget -= Tokens(more)
			}
		}
	}
}

// addExample adds the first example call that takes at most half of the remaining budget.
func (s *spec) addExample() {
	for _, e := range s.action.Examples {
		line := "Example: " + Compact(e.Args)
		if Tokens(line) <= s.budget/2 {
			s.appendIfFits(&s.usage, line)
			return
		}
	}
	s.cut = s.cut || len(s.action.Examples) > 0
}

// addNotes adds the notes, sentence by sentence, while they fit.
func (s *spec) addNotes() {
	rest := strings.Join(s.action.Notes, " ")
	for rest != "" {
		var first string
		first, rest = SplitSentence(rest)
		if s.notes != "" {
			first = " " + first
		}
		if !s.appendIfFits(&s.notes, first) {
			return
		}
	}
}

// detailAnswer describes the answer in more detail, if the budget allows. It adds all types, or
// else the names of the fields of lists and objects.
func (s *spec) detailAnswer() {
	for _, form := range []func(property) string{property.typed, property.withFields} {
		better := s.action.returns(form)
		if Tokens(better)-Tokens(s.answers) <= s.budget {
			s.answers = better
			return
		}
	}
	s.cut = true
}
