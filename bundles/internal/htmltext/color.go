package htmltext

import (
	"math"
	"strconv"
	"strings"
)

// A color is what is known of one; alpha runs from 0 to 1.
type color struct {
	r, g, b, alpha float64
	known          bool
}

var (
	black = color{alpha: 1, known: true}
	white = color{r: 255, g: 255, b: 255, alpha: 1, known: true}
	blue  = color{b: 238, alpha: 1, known: true} // links, unless told otherwise
)

// near reports whether text of one color cannot be read on the other. Below a
// distance of 32 lie white and #eee, black and #111; yellow on white is bad
// taste and no secret.
func near(a, b color) bool {
	if !a.known || !b.known {
		return false
	}
	return math.Hypot(math.Hypot(a.r-b.r, a.g-b.g), a.b-b.b) < 32
}

// over is what one sees of c on top of below.
func (c color) over(below color) color {
	if c.alpha >= 1 || !below.known {
		return c
	}
	mix := func(top, bottom float64) float64 { return top*c.alpha + bottom*(1-c.alpha) }
	return color{r: mix(c.r, below.r), g: mix(c.g, below.g), b: mix(c.b, below.b), alpha: 1, known: c.known}
}

// parseColor reads a CSS color in lower case. A color that it does not know is
// known to be none, as opposed to a word that is no color at all.
func parseColor(s string) (c color, ok bool) {
	s = strings.TrimSpace(s)
	switch {
	case s == "transparent":
		return color{known: true}, true
	case strings.HasPrefix(s, "#"):
		return parseHex(s[1:])
	case strings.HasPrefix(s, "rgb"), strings.HasPrefix(s, "hsl"):
		return parseFunction(s)
	}
	if hex, found := colorNames[s]; found {
		return parseHex(hex)
	}
	return color{}, false
}

// parseAttribute reads the color of a bgcolor or color attribute, which may
// lack the #.
func parseAttribute(s string) (color, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if c, ok := parseColor(s); ok {
		return c, true
	}
	return parseHex(s)
}

func parseHex(s string) (color, bool) {
	if len(s) == 3 || len(s) == 4 {
		var long strings.Builder
		for i := range len(s) {
			long.WriteByte(s[i])
			long.WriteByte(s[i])
		}
		s = long.String()
	}
	if len(s) == 6 {
		s += "ff"
	}
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 8 {
		return color{}, false
	}
	return color{r: float64(n >> 24), g: float64(n >> 16 & 255), b: float64(n >> 8 & 255), alpha: float64(n&255) / 255, known: true}, true
}

func parseFunction(s string) (color, bool) {
	name, rest, ok := strings.Cut(s, "(")
	if !ok {
		return color{}, false
	}
	rest, _, _ = strings.Cut(rest, ")")
	fields := strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(fields) < 3 {
		return color{}, true
	}
	part := func(i int, whole float64) float64 {
		if i >= len(fields) {
			return whole
		}
		text, percent := strings.CutSuffix(fields[i], "%")
		n, err := strconv.ParseFloat(strings.TrimSuffix(text, "deg"), 64)
		if err != nil {
			return whole
		}
		if percent {
			return n / 100 * whole
		}
		return n
	}
	c := color{alpha: min(max(part(3, 1), 0), 1), known: true}
	if strings.HasPrefix(name, "rgb") {
		c.r, c.g, c.b = part(0, 255), part(1, 255), part(2, 255)
		return c, true
	}
	hue, saturation, light := part(0, 360), part(1, 1), part(2, 1)
	channel := func(n float64) float64 {
		k := math.Mod(math.Mod(n+hue/30, 12)+12, 12)
		return 255 * (light - saturation*min(light, 1-light)*max(-1, min(k-3, 9-k, 1)))
	}
	c.r, c.g, c.b = channel(0), channel(8), channel(4)
	return c, true
}
