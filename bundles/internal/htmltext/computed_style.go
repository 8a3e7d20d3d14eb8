package htmltext

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"kota/bundles/internal/lazyregexp"
)

// computedStyle is how the text of an element is drawn. Child elements inherit
// it.
type computedStyle struct {
	color, back color
	size        float64 // the font size in pixels
	hidden      bool    // visibility is hidden or collapse
	keepsLines  bool    // line breaks in the text are shown
}

var initialStyle = computedStyle{color: black, back: white, size: 16}

// isVisible reports whether a person can read text with this style.
func (s computedStyle) isVisible() bool {
	return !s.hidden && s.size > 1 && (!s.color.known || s.color.alpha >= 0.1) && !isUnreadable(s.color.over(s.back), s.back)
}

// boxStyle holds the declared properties of an element, by name. Child elements
// do not inherit them.
type boxStyle map[string]string

// child returns the style of n, which is inside an element with the style s. It
// also returns n's declared properties, and whether n and everything in it are
// hidden.
func (s computedStyle) child(n *html.Node, declared []declaration) (computedStyle, boxStyle, bool) {
	s.attributes(n)
	var box boxStyle
	if len(declared) > 0 {
		box = make(boxStyle, len(declared))
	}
	for _, d := range declared {
		s.declare(d)
		box[d.property] = d.value
	}
	_, hidden := attribute(n, "hidden")
	_, open := attribute(n, "open")
	return s, box, hidden || n.Data == "dialog" && !open || len(box) > 0 && box.hides(n, s.size)
}

func (s *computedStyle) attributes(n *html.Node) {
	if n.Data == "a" {
		s.color = blue
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "bgcolor":
			if c, ok := parseAttribute(a.Val); ok {
				s.back = c.over(s.back)
			}
		case "background":
			s.back = color{}
		case "color", "text":
			if c, ok := parseAttribute(a.Val); ok {
				s.color = c
			}
		}
	}
}

func (s *computedStyle) declare(d declaration) {
	switch d.property {
	case "color", "-webkit-text-fill-color":
		s.color = s.textColor(d.value)
	case "background-color":
		if c, ok := parseColor(d.value); ok {
			s.back = c.over(s.back)
		}
	case "background", "background-image":
		s.background(d.value)
	case "font-size":
		s.size = fontSize(d.value, s.size)
	case "font":
		if size := fontShorthand().FindString(d.value); size != "" {
			s.size = fontSize(size, s.size)
		}
	case "visibility":
		s.hidden = d.value == "hidden" || d.value == "collapse"
	case "white-space":
		s.keepsLines = strings.HasPrefix(d.value, "pre") || d.value == "break-spaces"
	}
}

func (s *computedStyle) textColor(value string) color {
	switch value {
	case "inherit", "currentcolor", "unset":
		return s.color
	}
	c, ok := parseColor(value)
	if !ok && strings.ContainsAny(value, "(") {
		return color{} // a function that is not computed here
	}
	if !ok {
		return s.color
	}
	return c
}

// background applies the background shorthand. An image or a gradient makes the
// color unknown, because text may well be legible on it.
func (s *computedStyle) background(value string) {
	if strings.Contains(value, "url(") || strings.Contains(value, "gradient(") {
		s.back = color{}
		return
	}
	for _, word := range splitOutside(value, ' ') {
		if c, ok := parseColor(word); ok {
			s.back = c.over(s.back)
		}
	}
}

var fontShorthand = lazyregexp.New(`(?:^|\s)(?:[0-9.]+(?:px|pt|em|rem|%|in|cm|mm)|0\b)`)

// fontSize returns a font size in pixels. em is the font size of the parent.
// fontSize returns em for a value that it cannot parse.
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

// offscreenDistance is how far, in pixels, a style must move an element in a
// negative direction so that it counts as hidden. In a positive direction it is
// ten times as far.
const offscreenDistance = 400

// hides reports whether the style hides the element n and its content. em is
// the font size of n in pixels.
func (b boxStyle) hides(n *html.Node, em float64) bool {
	switch {
	case b["display"] == "none", b["content-visibility"] == "hidden":
		return true
	case isFaint(b["opacity"]), strings.HasPrefix(b["filter"], "opacity(") && isFaint(strings.Trim(b["filter"][8:], ")")):
		return true
	case b.isClipped(em), b.isOffscreen(em):
		return true
	case b["mso-hide"] == "all":
		// Only Outlook obeys this property. A mail may contain a button twice,
		// and use the property to hide one of the two from Outlook. All other
		// programs show it, so an element with a link counts as visible.
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

// isClipped reports whether at most one pixel of the element's width or height
// is visible.
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
	isTiny := func(property string) bool {
		size, ok := pixels(b[property], em)
		return ok && size <= 1
	}
	isLarger := func(property string) bool {
		size, ok := pixels(b[property], em)
		return ok && size > 1
	}
	return (isTiny("height") && !isLarger("min-height")) || isTiny("max-height") || (isTiny("width") && !isLarger("min-width")) || isTiny("max-width")
}

var translation = lazyregexp.New(`(scale|translate)[xy3d]*\(([^)]*)\)`)

// isOffscreen reports whether the element is drawn outside of the window, or
// scaled to nothing.
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
	for descendant := range n.Descendants() {
		if descendant.Data == "a" && descendant.Type == html.ElementNode {
			return true
		}
	}
	return false
}
