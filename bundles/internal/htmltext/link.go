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

// link shows n as a link with its exact target. It shows only the text of n if
// the target cannot be followed, or if n is in a link, code or a <pre>.
func (p *page) link(n *html.Node, style computedStyle, depth int) {
	href, ok := target(attributeOf(n, "href"))
	if !ok || p.inLink() || p.verbatim != nil {
		p.children(n, style, depth)
		return
	}
	s := &span{tag: "a", href: href}
	p.inline = append(p.inline, s)
	p.flat++
	p.children(n, style, depth)
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
		s.node.Data = "bare" // a URL without the brackets of a Markdown link
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

// image counts the image n. If its alt text is short enough for a label and is
// not a file name, the text replaces the image. A longer text counts as hidden,
// because a person sees the image and not its text. The text of a hidden image
// counts as hidden too.
func (p *page) image(n *html.Node, style computedStyle, box boxStyle, hidden bool) {
	if isTracker(n, style, box) {
		p.result.Trackers++
		return
	}
	p.result.Images++
	alt := Line(attributeOf(n, "alt"))
	if hidden || style.hidden || utf8.RuneCountInString(alt) > maxAlt {
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

// isTracker reports whether an image only reports that the mail was read. The
// given sides of such an image are at most one pixel long, or it has a known
// path and neither a size nor an alt text.
func isTracker(n *html.Node, style computedStyle, box boxStyle) bool {
	known, tiny := 0, 0
	for _, side := range []string{"width", "height"} {
		value, ok := box[side]
		if maximum, small := pixels(box["max-"+side], style.size); small && maximum <= 1 {
			value, ok = box["max-"+side], true
		}
		if !ok {
			value = attributeOf(n, side)
		}
		if size, ok := pixels(strings.ToLower(value), style.size); ok {
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
