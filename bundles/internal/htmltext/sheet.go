package htmltext

import (
	"cmp"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"kota/bundles/internal/lazyregexp"
)

const (
	maxRules     = 3_000
	maxSheet     = 512 << 10 // bytes of all style blocks together
	maxMatchings = 3_000_000 // steps to find which rules apply to which elements
)

// rule is a selector of a style block, with the declarations for the elements
// that match it.
type rule struct {
	selector     cascadia.Sel
	cost         int // how many times matching may walk up the tree
	declarations []declaration
	order        int // the position in the style blocks
}

// sheet holds the rules of a document's style blocks, by what a matching
// element must have: "#id", ".class", its tag, or "*".
type sheet struct {
	rules  map[string][]rule
	count  int  // the number of rules
	budget int  // matching steps left
	cut    bool // a limit was reached
}

// readSheet reads every style block below doc.
func readSheet(doc *html.Node) *sheet {
	s := &sheet{rules: map[string][]rule{}, budget: maxMatchings}
	var css strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "style" && n.FirstChild != nil {
			css.WriteString(n.FirstChild.Data)
			css.WriteByte('\n')
		}
	}
	text := css.String()
	if len(text) > maxSheet {
		text, s.cut = text[:maxSheet], true
	}
	text = strings.NewReplacer("<!--", "", "-->", "").Replace(withoutComments(text))
	s.read(text, 0)
	return s
}

// read adds the rules of css. It reads a block such as @media only if the block
// applies to a computer's screen.
func (s *sheet) read(css string, depth int) {
	for css != "" && s.count < maxRules {
		at := strings.IndexAny(css, "{;}")
		if at < 0 {
			return
		}
		head := strings.TrimSpace(css[:at])
		if css[at] != '{' {
			css = css[at+1:] // an @import, or a superfluous brace
			continue
		}
		body, rest := block(css[at+1:])
		css = rest
		switch {
		case !strings.HasPrefix(head, "@"):
			s.add(head, body)
		case depth < 4 && onScreen(strings.ToLower(head)):
			s.read(body, depth+1)
		}
	}
	s.cut = s.cut || s.count >= maxRules
}

// block splits css, which starts after an opening brace, at its closing brace.
// If that is missing, body is all of css.
func block(css string) (body, rest string) {
	depth := 1
	for i := range len(css) {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[:i], css[i+1:]
			}
		}
	}
	return css, ""
}

// mediaSpace matches the spaces that a media query may have inside its parentheses.
var mediaSpace = lazyregexp.New(`\(\s+|\s*:\s*|\s+\)`)

var widthQuery = lazyregexp.New(`\(\s*(min|max)-(?:device-)?width\s*:\s*([0-9.]+[a-z]*)\s*\)`)

// onScreen reports whether a block's rules apply to a screen in light mode that
// is 1,000 pixels wide.
func onScreen(head string) bool {
	if strings.HasPrefix(head, "@supports") || strings.HasPrefix(head, "@layer") {
		return true
	}
	queries, ok := strings.CutPrefix(head, "@media")
	if !ok {
		return false
	}
	return slices.ContainsFunc(strings.Split(queries, ","), func(query string) bool {
		holds := true
		query = mediaSpace().ReplaceAllStringFunc(query, strings.TrimSpace)
		query = widthQuery().ReplaceAllStringFunc(query, func(width string) string {
			parts := widthQuery().FindStringSubmatch(width)
			bound, known := pixels(parts[2], 16)
			holds = holds && known && (parts[1] == "min") == (bound <= 1000)
			return ""
		})
		for _, word := range strings.Fields(query) {
			switch word {
			case "and", "only", "all", "screen", "(prefers-color-scheme:light)":
			default:
				return false
			}
		}
		return holds
	})
}

// lastCompound matches the last step of a selector: a tag, its ids and classes,
// and its attributes.
var lastCompound = lazyregexp.New(`^([a-zA-Z][a-zA-Z0-9]*)?((?:[.#][-_a-zA-Z0-9]+)*)((?:\[[^\]]*\])*)$`)

// add adds a rule for each selector that has at most three steps and no
// pseudo-classes or siblings. It ignores the others.
func (s *sheet) add(selectors, body string) {
	declared := declarations(body)
	if len(declared) == 0 {
		return
	}
	for _, text := range splitOutside(selectors, ',') {
		steps := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\r>", r) })
		if len(steps) == 0 || len(steps) > 3 || strings.ContainsAny(text, ":+~") || s.count >= maxRules {
			continue
		}
		selector, err := cascadia.Parse(strings.TrimSpace(text))
		if err != nil {
			continue
		}
		key := "*"
		if parts := lastCompound().FindStringSubmatch(steps[len(steps)-1]); parts != nil {
			if marks := strings.FieldsFunc(parts[2], func(r rune) bool { return r == '.' || r == '#' }); len(marks) > 0 {
				key = parts[2][:1+len(marks[0])]
			} else if parts[1] != "" {
				key = strings.ToLower(parts[1])
			}
		}
		s.count++
		s.rules[key] = append(s.rules[key], rule{selector: selector, cost: len(steps) - 1, declarations: declared, order: s.count})
	}
}

// style returns the declarations for n, the strongest last: those of rules,
// then those of n's style attribute, then important ones. depth is the depth of
// n in the document, which determines the cost.
func (s *sheet) style(n *html.Node, depth int) []declaration {
	var matching []rule
	try := func(rules []rule) {
		for _, r := range rules {
			s.budget -= 1 + len(r.declarations)/8
			for range r.cost {
				s.budget -= depth * r.cost
			}
			if s.budget <= 0 {
				return
			}
			if r.selector.Match(n) {
				matching = append(matching, r)
			}
		}
	}
	if s.count > 0 && s.budget > 0 {
		try(s.rules["*"])
		try(s.rules[n.Data])
		if id := attributeOf(n, "id"); id != "" {
			try(s.rules["#"+id])
		}
		classes := strings.Fields(attributeOf(n, "class"))
		slices.Sort(classes)
		for _, class := range slices.Compact(classes) {
			try(s.rules["."+class])
		}
	}
	slices.SortStableFunc(matching, func(a, b rule) int {
		if a.selector.Specificity() != b.selector.Specificity() {
			if a.selector.Specificity().Less(b.selector.Specificity()) {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.order, b.order)
	})
	var declared []declaration
	for _, r := range matching {
		declared = append(declared, r.declarations...)
	}
	if own, ok := attribute(n, "style"); ok {
		declared = append(declared, declarations(own)...)
	}
	slices.SortStableFunc(declared, func(a, b declaration) int {
		switch {
		case a.important == b.important:
			return 0
		case b.important:
			return -1
		}
		return 1
	})
	return declared
}
