package htmltext

import (
	"strconv"
	"strings"
)

// declaration is one property of a style, in lower case.
type declaration struct {
	property, value string
	important       bool
}

// properties are those that decide whether and how text is visible.
var properties = map[string]bool{
	"display": true, "visibility": true, "opacity": true, "font-size": true, "font": true, "color": true,
	"-webkit-text-fill-color": true, "background": true, "background-color": true, "background-image": true,
	"width": true, "height": true, "max-width": true, "max-height": true, "min-width": true, "min-height": true,
	"overflow": true, "overflow-x": true, "overflow-y": true, "clip": true, "clip-path": true, "text-indent": true,
	"position": true, "left": true, "right": true, "top": true, "bottom": true, "margin": true, "margin-left": true,
	"margin-top": true, "margin-bottom": true, "transform": true, "filter": true, "content-visibility": true,
	"mso-hide": true, "white-space": true,
}

// maxDeclarations is how many declarations of known properties a style may have. Styles of
// real mail have fewer than fifty.
const maxDeclarations = 200

// declarations parses the body of a rule or a style attribute. It returns only
// the declarations of known properties. A style with more than maxDeclarations
// counts as display:none, so that no repetition can push a hiding declaration
// out.
func declarations(css string) []declaration {
	var found []declaration
	for _, text := range splitOutside(plainCSS(css), ';') {
		property, value, ok := strings.Cut(text, ":")
		property = strings.TrimSpace(property)
		if !ok || !properties[property] {
			continue
		}
		d := declaration{property: property, value: strings.TrimSpace(value)}
		if at := strings.LastIndexByte(d.value, '!'); at >= 0 && strings.TrimSpace(d.value[at+1:]) == "important" {
			d.value, d.important = strings.TrimSpace(d.value[:at]), true
		}
		if d.value != "" {
			found = append(found, d)
		}
	}
	if len(found) > maxDeclarations {
		return []declaration{{property: "display", value: "none", important: true}}
	}
	return found
}

// plainCSS returns css in lower case, with escapes decoded and without comments:
// "d\69splay" becomes "display".
func plainCSS(css string) string {
	css = strings.ToLower(withoutComments(css))
	if !strings.Contains(css, `\`) {
		return css
	}
	var b strings.Builder
	for i := 0; i < len(css); i++ {
		if css[i] != '\\' {
			b.WriteByte(css[i])
			continue
		}
		digits := 0
		for digits < 6 && i+1+digits < len(css) && isHex(css[i+1+digits]) {
			digits++
		}
		if digits == 0 {
			continue
		}
		code, _ := strconv.ParseUint(css[i+1:i+1+digits], 16, 32)
		b.WriteString(strings.ToLower(string(rune(code))))
		i += digits
		if i+1 < len(css) && css[i+1] == ' ' {
			i++
		}
	}
	return b.String()
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

func withoutComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(css, "/*")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if _, css, found = strings.Cut(rest, "*/"); !found {
			return b.String()
		}
	}
}

// splitOutside splits s at each separator outside parentheses and quotes.
func splitOutside(s string, separator byte) []string {
	var parts []string
	from, depth, quote := 0, 0, byte(0)
	for i := range len(s) {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case c == separator && depth == 0:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

// pixels returns a CSS length in pixels, for some units an estimate. It reports
// false for any other text. em is the font size in pixels; percentages are
// relative to it.
func pixels(value string, em float64) (float64, bool) {
	value = strings.TrimSpace(value)
	end := 0
	for end < len(value) && strings.IndexByte("+-.0123456789", value[end]) >= 0 {
		end++
	}
	n, err := strconv.ParseFloat(value[:end], 64)
	if err != nil {
		return 0, false
	}
	switch unit := value[end:]; unit {
	case "", "px":
		return n, true
	case "pt":
		return n * 4 / 3, true
	case "em", "ex", "ch":
		return n * em, true
	case "rem":
		return n * 16, true
	case "%":
		return n / 100 * em, true
	case "in":
		return n * 96, true
	case "cm":
		return n * 38, true
	case "mm":
		return n * 3.8, true
	case "vw", "vh", "vmin", "vmax":
		return n * 10, true
	}
	return 0, false
}
