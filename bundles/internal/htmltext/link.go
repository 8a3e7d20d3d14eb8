package htmltext

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"kota/bundles/internal/lazyregexp"
)

// link shows n as a link with its exact target, or only its text if the target
// cannot be followed.
func (p *page) link(n *html.Node, l computedStyle, depth int) {
	href, ok := target(attributeOf(n, "href"))
	if !ok || p.inLink() || p.verbatim != nil {
		p.children(n, l, depth)
		return
	}
	s := &span{tag: "a", href: href}
	p.inline = append(p.inline, s)
	p.flat++
	p.children(n, l, depth)
	if !s.shown && s.pictures > 0 {
		p.text("image")
	}
	p.flush()
	p.flat--
	p.inline = p.inline[:len(p.inline)-1]
	if s.node == nil {
		return
	}
	if text := textOf(s.node); text == href || "mailto:"+text == href {
		s.node.Data = "bare"
		for s.node.FirstChild != nil {
			s.node.RemoveChild(s.node.FirstChild)
		}
		s.node.AppendChild(&html.Node{Type: html.TextNode, Data: text})
	}
}

func (p *page) inLink() bool {
	return slices.ContainsFunc(p.inline, func(s *span) bool { return s.tag == "a" || s.tag == "code" })
}

var scheme = lazyregexp.New(`^([a-zA-Z][a-zA-Z0-9+.-]*):`)

// target returns the target of a link, and whether it can be followed. Like a
// browser, it ignores white space and control characters in a scheme.
func target(href string) (string, bool) {
	href = Line(href)
	bare := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, href)
	if bare == "" || bare[0] == '#' {
		return "", false
	}
	parts := scheme().FindStringSubmatch(bare)
	if parts == nil {
		return href, true
	}
	switch strings.ToLower(parts[1]) {
	case "http", "https", "mailto", "tel", "sms", "webcal", "ftp", "geo":
		return href, true
	}
	return "", false
}

const maxAlt = 60 // characters; a longer text is not a label, and nobody sees it

var fileName = lazyregexp.New(`(?i)^\S+\.(png|jpe?g|gif|webp|svg|bmp)$`)

// image counts n. If its text is a label, the text replaces it. A longer text
// counts as hidden, because a person sees the image and not its text.
func (p *page) image(n *html.Node, l computedStyle, is boxStyle, hidden bool) {
	if isTracker(n, l, is) {
		p.result.Trackers++
		return
	}
	p.result.Images++
	alt := Line(attributeOf(n, "alt"))
	if hidden || l.hidden || utf8.RuneCountInString(alt) > maxAlt {
		p.result.Hidden += visibleLength(alt)
		return
	}
	for _, s := range p.inline {
		s.pictures++
	}
	if alt != "" && !fileName().MatchString(alt) {
		p.text(alt)
	}
}

var trackerPath = lazyregexp.New(`(?i)/(wf/)?open(\.(aspx|php|gif|html?))?$|/(track|trk|pixel|beacon|imp|o)(ing)?(\.gif|\.png)?$|/(pixel|track|beacon|spacer|blank|clear|transparent)[^/]*\.gif$|^/track/open`)

// isTracker reports whether an image serves to be fetched, not to be seen.
func isTracker(n *html.Node, l computedStyle, is boxStyle) bool {
	known, tiny := 0, 0
	for _, side := range []string{"width", "height"} {
		value, ok := is[side]
		if most, small := pixels(is["max-"+side], l.size); small && most <= 1 {
			value, ok = is["max-"+side], true
		}
		if !ok {
			value = attributeOf(n, side)
		}
		if size, ok := pixels(strings.ToLower(value), l.size); ok {
			known++
			if size <= 1 {
				tiny++
			}
		}
	}
	if tiny == 2 || tiny == 1 && known == 1 {
		return true
	}
	if known > 0 || attributeOf(n, "alt") != "" {
		return false
	}
	src, err := url.Parse(attributeOf(n, "src"))
	return err == nil && strings.HasPrefix(src.Scheme, "http") && trackerPath().MatchString(strings.TrimSuffix(src.Path, "/"))
}
