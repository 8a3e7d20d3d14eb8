package htmltext

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"kota/bundles/internal/lazyregexp"
)

// computedStyle is how the text of an element is drawn. Elements below inherit it.
type computedStyle struct {
	color, back color
	size        float64 // of the font, in pixels
	hidden      bool    // visibility is hidden or collapse
	keepsLines  bool    // line breaks in the text are shown
}

var initialStyle = computedStyle{color: black, back: white, size: 16}

// isVisible reports whether a person can read text with this style.
func (l computedStyle) isVisible() bool {
	return !l.hidden && l.size > 1 && (!l.color.known || l.color.alpha >= 0.1) && !isUnreadable(l.color.over(l.back), l.back)
}

// boxStyle holds the style of an element as a whole.
type boxStyle map[string]string

// child returns the style of n inside an element with the style l, and whether
// n and everything in it is hidden.
func (l computedStyle) child(n *html.Node, declared []declaration) (computedStyle, boxStyle, bool) {
	l.attributes(n)
	var style boxStyle
	if len(declared) > 0 {
		style = make(boxStyle, len(declared))
	}
	for _, d := range declared {
		l.declare(d)
		style[d.property] = d.value
	}
	_, hidden := attribute(n, "hidden")
	_, open := attribute(n, "open")
	return l, style, hidden || n.Data == "dialog" && !open || len(style) > 0 && style.hides(n, l.size)
}

func (l *computedStyle) attributes(n *html.Node) {
	if n.Data == "a" {
		l.color = blue
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "bgcolor":
			if c, ok := parseAttribute(a.Val); ok {
				l.back = c.over(l.back)
			}
		case "background":
			l.back = color{}
		case "color", "text":
			if c, ok := parseAttribute(a.Val); ok {
				l.color = c
			}
		}
	}
}

func (l *computedStyle) declare(d declaration) {
	switch d.property {
	case "color", "-webkit-text-fill-color":
		l.color = l.textColor(d.value)
	case "background-color":
		if c, ok := parseColor(d.value); ok {
			l.back = c.over(l.back)
		}
	case "background", "background-image":
		l.background(d.value)
	case "font-size":
		l.size = fontSize(d.value, l.size)
	case "font":
		if size := fontShorthand().FindString(d.value); size != "" {
			l.size = fontSize(size, l.size)
		}
	case "visibility":
		l.hidden = d.value == "hidden" || d.value == "collapse"
	case "white-space":
		l.keepsLines = strings.HasPrefix(d.value, "pre") || d.value == "break-spaces"
	}
}

func (l *computedStyle) textColor(value string) color {
	switch value {
	case "inherit", "currentcolor", "unset":
		return l.color
	}
	c, ok := parseColor(value)
	if !ok && strings.ContainsAny(value, "(") {
		return color{} // a function that is not computed here
	}
	if !ok {
		return l.color
	}
	return c
}

// background applies a shorthand. Text on an image may well be legible.
func (l *computedStyle) background(value string) {
	if strings.Contains(value, "url(") || strings.Contains(value, "gradient(") {
		l.back = color{}
		return
	}
	for _, word := range splitOutside(value, ' ') {
		if c, ok := parseColor(word); ok {
			l.back = c.over(l.back)
		}
	}
}

var fontShorthand = lazyregexp.New(`(?:^|\s)(?:[0-9.]+(?:px|pt|em|rem|%|in|cm|mm)|0\b)`)

func fontSize(value string, em float64) float64 {
	switch strings.TrimSpace(value) {
	case "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "initial":
		return 16
	}
	if size, ok := pixels(value, em); ok {
		return size
	}
	return em
}

// offscreenDistance is the distance in pixels beyond which something is out of sight and not
// just laid out.
const offscreenDistance = 400

// hides reports whether the style hides an element and its content; em is its
// font size.
func (b boxStyle) hides(n *html.Node, em float64) bool {
	switch {
	case b["display"] == "none", b["content-visibility"] == "hidden":
		return true
	case isFaint(b["opacity"]), strings.HasPrefix(b["filter"], "opacity(") && isFaint(strings.Trim(b["filter"][8:], ")")):
		return true
	case b.isClipped(em), b.isOffscreen(em):
		return true
	case b["mso-hide"] == "all":
		// Only Outlook obeys this. A button that exists twice hides the copy
		// that all other programs show this way, so an element with a link
		// stays.
		return !holdsLink(n)
	}
	return false
}

func isFaint(opacity string) bool {
	text, percent := strings.CutSuffix(strings.TrimSpace(opacity), "%")
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && (n < 0.05 || percent && n < 5)
}

var clipsEverything = lazyregexp.New(`^rect\((\s*[01](px)?[\s,]*){4}\)|^inset\(\s*([5-9]\d|\d{3,})(\.\d+)?%|^(circle|ellipse)\(\s*0(px|%)?[\s)]|^polygon\((\s*0(px|%)?\s+0(px|%)?\s*,?)+\)`)

// isClipped reports whether at most a pixel is left to show the element.
func (b boxStyle) isClipped(em float64) bool {
	if b["clip-path"] != "" && clipsEverything().MatchString(b["clip-path"]) || b["clip"] != "" && clipsEverything().MatchString(b["clip"]) && b["position"] != "" {
		return true
	}
	cut := false
	for _, property := range []string{"overflow", "overflow-x", "overflow-y"} {
		cut = cut || strings.Contains(b[property], "hidden") || strings.Contains(b[property], "clip")
	}
	if !cut {
		return false
	}
	none := func(property string) bool {
		size, ok := pixels(b[property], em)
		return ok && size <= 1
	}
	some := func(property string) bool {
		size, ok := pixels(b[property], em)
		return ok && size > 1
	}
	return (none("height") && !some("min-height")) || none("max-height") || (none("width") && !some("min-width")) || none("max-width")
}

var translation = lazyregexp.New(`(scale|translate)[xy3d]*\(([^)]*)\)`)

// isOffscreen reports whether the element is drawn outside of the window.
func (b boxStyle) isOffscreen(em float64) bool {
	beyond := func(value string, both bool) bool {
		at, ok := pixels(value, em)
		return ok && (at <= -offscreenDistance || both && at >= 10*offscreenDistance)
	}
	if beyond(b["text-indent"], true) || beyond(b["margin-left"], true) || beyond(b["margin-top"], true) {
		return true
	}
	if margins := strings.Fields(b["margin"]); len(margins) > 0 && (beyond(margins[0], false) || beyond(margins[len(margins)-1], false)) {
		return true
	}
	if b["position"] == "absolute" || b["position"] == "fixed" || b["position"] == "relative" {
		for _, side := range []string{"left", "right", "top", "bottom"} {
			if beyond(b[side], true) {
				return true
			}
		}
	}
	if b["transform"] == "" {
		return false
	}
	for _, move := range translation().FindAllStringSubmatch(b["transform"], 8) {
		for _, by := range strings.Split(move[2], ",") {
			at, ok := pixels(by, em)
			if ok && (move[1] == "scale" && at > -0.05 && at < 0.05 || move[1] == "translate" && (at <= -offscreenDistance || at >= 10*offscreenDistance)) {
				return true
			}
		}
	}
	return false
}

func holdsLink(n *html.Node) bool {
	if n.Data == "a" {
		return true
	}
	for below := range n.Descendants() {
		if below.Data == "a" && below.Type == html.ElementNode {
			return true
		}
	}
	return false
}
