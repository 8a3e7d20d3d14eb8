package htmltext

import (
	"math"
	"strconv"
	"strings"
)

// color is a CSS color. r, g and b are 0 to 255, and alpha is 0 (transparent)
// to 1. If known is false, the other fields mean nothing.
type color struct {
	r, g, b, alpha float64
	known          bool
}

var (
	black = color{alpha: 1, known: true}
	white = color{r: 255, g: 255, b: 255, alpha: 1, known: true}
	blue  = color{b: 238, alpha: 1, known: true} // the default for links
)

// isUnreadable reports whether text of one color is unreadable on the other:
// #eee on white is, yellow on white is not. It returns false if one of them is
// unknown.
func isUnreadable(a, b color) bool {
	if !a.known || !b.known {
		return false
	}
	return math.Hypot(math.Hypot(a.r-b.r, a.g-b.g), a.b-b.b) < 32
}

// over returns the color that a person sees if c is drawn on below.
func (c color) over(below color) color {
	if c.alpha >= 1 || !below.known {
		return c
	}
	mix := func(top, bottom float64) float64 { return top*c.alpha + bottom*(1-c.alpha) }
	return color{r: mix(c.r, below.r), g: mix(c.g, below.g), b: mix(c.b, below.b), alpha: 1, known: c.known}
}

// parseColor parses a CSS color in lower case. It returns true and an unknown
// color for rgb or hsl with fewer than three values. It returns false for any
// other text that it cannot parse.
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

// parseAttribute parses a bgcolor or color attribute, which may lack the #.
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

// colorNames are the named colors of CSS Color Level 4, 6.1.
var colorNames = map[string]string{
	"aliceblue": "f0f8ff", "antiquewhite": "faebd7", "aqua": "00ffff", "aquamarine": "7fffd4", "azure": "f0ffff",
	"beige": "f5f5dc", "bisque": "ffe4c4", "black": "000000", "blanchedalmond": "ffebcd", "blue": "0000ff",
	"blueviolet": "8a2be2", "brown": "a52a2a", "burlywood": "deb887", "cadetblue": "5f9ea0", "chartreuse": "7fff00",
	"chocolate": "d2691e", "coral": "ff7f50", "cornflowerblue": "6495ed", "cornsilk": "fff8dc", "crimson": "dc143c",
	"cyan": "00ffff", "darkblue": "00008b", "darkcyan": "008b8b", "darkgoldenrod": "b8860b", "darkgray": "a9a9a9",
	"darkgreen": "006400", "darkgrey": "a9a9a9", "darkkhaki": "bdb76b", "darkmagenta": "8b008b", "darkolivegreen": "556b2f",
	"darkorange": "ff8c00", "darkorchid": "9932cc", "darkred": "8b0000", "darksalmon": "e9967a", "darkseagreen": "8fbc8f",
	"darkslateblue": "483d8b", "darkslategray": "2f4f4f", "darkslategrey": "2f4f4f", "darkturquoise": "00ced1",
	"darkviolet": "9400d3", "deeppink": "ff1493", "deepskyblue": "00bfff", "dimgray": "696969", "dimgrey": "696969",
	"dodgerblue": "1e90ff", "firebrick": "b22222", "floralwhite": "fffaf0", "forestgreen": "228b22", "fuchsia": "ff00ff",
	"gainsboro": "dcdcdc", "ghostwhite": "f8f8ff", "gold": "ffd700", "goldenrod": "daa520", "gray": "808080",
	"green": "008000", "greenyellow": "adff2f", "grey": "808080", "honeydew": "f0fff0", "hotpink": "ff69b4",
	"indianred": "cd5c5c", "indigo": "4b0082", "ivory": "fffff0", "khaki": "f0e68c", "lavender": "e6e6fa",
	"lavenderblush": "fff0f5", "lawngreen": "7cfc00", "lemonchiffon": "fffacd", "lightblue": "add8e6", "lightcoral": "f08080",
	"lightcyan": "e0ffff", "lightgoldenrodyellow": "fafad2", "lightgray": "d3d3d3", "lightgreen": "90ee90",
	"lightgrey": "d3d3d3", "lightpink": "ffb6c1", "lightsalmon": "ffa07a", "lightseagreen": "20b2aa", "lightskyblue": "87cefa",
	"lightslategray": "778899", "lightslategrey": "778899", "lightsteelblue": "b0c4de", "lightyellow": "ffffe0",
	"lime": "00ff00", "limegreen": "32cd32", "linen": "faf0e6", "magenta": "ff00ff", "maroon": "800000",
	"mediumaquamarine": "66cdaa", "mediumblue": "0000cd", "mediumorchid": "ba55d3", "mediumpurple": "9370db",
	"mediumseagreen": "3cb371", "mediumslateblue": "7b68ee", "mediumspringgreen": "00fa9a", "mediumturquoise": "48d1cc",
	"mediumvioletred": "c71585", "midnightblue": "191970", "mintcream": "f5fffa", "mistyrose": "ffe4e1", "moccasin": "ffe4b5",
	"navajowhite": "ffdead", "navy": "000080", "oldlace": "fdf5e6", "olive": "808000", "olivedrab": "6b8e23",
	"orange": "ffa500", "orangered": "ff4500", "orchid": "da70d6", "palegoldenrod": "eee8aa", "palegreen": "98fb98",
	"paleturquoise": "afeeee", "palevioletred": "db7093", "papayawhip": "ffefd5", "peachpuff": "ffdab9", "peru": "cd853f",
	"pink": "ffc0cb", "plum": "dda0dd", "powderblue": "b0e0e6", "purple": "800080", "rebeccapurple": "663399", "red": "ff0000",
	"rosybrown": "bc8f8f", "royalblue": "4169e1", "saddlebrown": "8b4513", "salmon": "fa8072", "sandybrown": "f4a460",
	"seagreen": "2e8b57", "seashell": "fff5ee", "sienna": "a0522d", "silver": "c0c0c0", "skyblue": "87ceeb",
	"slateblue": "6a5acd", "slategray": "708090", "slategrey": "708090", "snow": "fffafa", "springgreen": "00ff7f",
	"steelblue": "4682b4", "tan": "d2b48c", "teal": "008080", "thistle": "d8bfd8", "tomato": "ff6347", "turquoise": "40e0d0",
	"violet": "ee82ee", "wheat": "f5deb3", "white": "ffffff", "whitesmoke": "f5f5f5", "yellow": "ffff00",
	"yellowgreen": "9acd32",
}
