package htmltext

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func TestSanitizeRemovesActiveContent(t *testing.T) {
	for document, want := range map[string]string{
		"":                  "",
		"<p>a<b>b</b><br>c": "<p>a<b>b</b><br>c</p>",
		`<html><head><title>t</title><style>p{color:red}</style><meta http-equiv="refresh" content="0"></head><body bgcolor="white"><p>a</p></body></html>`: "<style>.q p{color:red}</style><p>a</p>",
		`<p onclick="x()" ONLOAD=y style="color:red">a</p>`: `<p style="color:red">a</p>`,
		`a<script>alert(1)</script><iframe src="https://x.example"></iframe><form action="/x"><input name="p"></form><object data="x"></object>b`:                  "ab",
		`<a href="javascript:alert(1)">a</a> <a href=" JaVaScRiPt:alert(1)">b</a> <a href="data:text/html,x">c</a> <a href="https://x.example/?a=1&amp;b=2">d</a>`: `<a>a</a> <a>b</a> <a>c</a> <a href="https://x.example/?a=1&amp;b=2">d</a>`,
		`<a href="java` + "\t" + `script:alert(1)">a</a>`: "<a>a</a>",
		`<img src="cid:a@b"><img src="https://x.example/pic.png"><img src="https://x.example/o.gif" width=1 height=1><img src="x" srcset="https://x.example/2x.png">`:                                                                `<img src="cid:a@b"><img src="https://x.example/pic.png"><img src="x">`,
		`<div style="display: none">secret</div><span style="FONT-SIZE:0">s</span><p hidden>s</p><div style="visibility:hidden">s<img src="https://x.example/p.png"></div><i style="opacity:0">s</i><i style="opacity:0.5">seen</i>`: `<span style="FONT-SIZE:0"></span><div style="visibility:hidden"></div><i style="opacity:0.5">seen</i>`,
		"<!-- comment --><p>a</p><![CDATA[x]]>":     "<p>a</p>",
		`<style></style><script>x</script></style>`: "",
		`<svg><script>x</script></svg><math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>a`: "a",
		`<table><tr><td background="https://x.example/b.png">a</td><td background="cid:b">b</td></tr></table>`:  `<table><tbody><tr><td>a</td><td background="cid:b">b</td></tr></tbody></table>`,
		// Invisible content, hidden in various ways.
		`<img src="https://t.example/p" style="width:1px;height:1px"><img src="https://t.example/p" style="max-width:1px" height=1><img src="https://t.example/track/open?u=1">a`: "a",
		`<style>.p{width:1px;height:1px}.h{display:none}</style><img class=p src="https://t.example/p"><b class=h>s</b>a`:                                                         "<style>.q .p{width:1px;height:1px}.q .h{display:none}</style>a",
		`<div style="max-height:0;overflow:hidden">s</div><p style="color:#fff;background:#fff">s<b style="color:#000">a</b></p>` + "b\u200bc\U000E0041":                          `<p style="color:#fff;background:#fff"><b style="color:#000">a</b></p>bc`,
		// Resources that styles load, in various spellings.
		`<p style="background-image:url(https://t.example/bg);color:red">a</p>`:                                                                                                  `<p style="color:red">a</p>`,
		`<p style="background:u\72 l(https://t.example)">a</p><p style="background:u/**/rl(x)">b</p><p style='background:\75` + "\n" + `rl(x)'>c</p>`:                            "<p>a</p><p>b</p><p>c</p>",
		`<p style='content:"//**/*" url(x)'>a</p><p style="background:image-set('x' 1x)">b</p>`:                                                                                  "<p>a</p><p>b</p>",
		`<style>@import "https://t.example/a.css"; @font-face{src:url(x)} p{color:red;background:URL(x)} @media screen{a{background:url(x);margin:0}} q{cursor:url(x)}</style>a`: "<style>.q p{color:red}@media screen{.q a{margin:0}}</style>a",
		// Styles that affect content outside of the mail, or add text.
		`<style>body>div:first-child{visibility:hidden} body p, html td{color:red}</style>a`:                 "<style>.q body>div:first-child{visibility:hidden}.q p,.q td{color:red}</style>a",
		`<style>p::before{content:"Pay to IBAN X";color:red}</style><p style="con\74 ent:'x'">a</p>`:         "<style>.q p::before{color:red}</style><p>a</p>",
		`<bgsound src="https://t.example/t.wav"><p style="background:cross-fade('https://t.example')">a</p>`: "<bgsound></bgsound><p>a</p>",
		// Content that ends a style block early.
		`<style><<//style><img src=x onerror=alert(1)></style>a`:               "<style></style>a",
		`<style>a{}<<//style><img src=x onerror=alert(1)>{color:red}</style>a`: "<style>.q //style>img src=x onerror=alert(1)>{color:red}</style>a",
		`<form><button>a</button></form><xmp><b></xmp>`:                        "a&lt;b&gt;",
	} {
		if got, _ := Sanitize([]byte(document), ".q"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", document, got, want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, document := range []string{
		`<p onclick=x>a<script>b</script>`, `<svg><style><img src=x onerror=y></style></svg>`, `<noscript><p title="</noscript><img src=x onerror=y>">`, `<a href="&#106;avascript:x">`, `<style>a</style/><img src=x>`,
		`<table><style><a title="</style><img src=x onerror=y>">`, "<plaintext><p onclick=x>", "<xmp><p onclick=x></xmp>", "<textarea></textarea><p hidden>", `<style><<//style><img onerror=x>`, `<p style="a:u\\72 l(x);b:'/*';c:url(y)">`,
	} {
		f.Add(document)
	}
	f.Fuzz(func(t *testing.T, document string) {
		got, _ := Sanitize([]byte(document), ".q")
		root, err := html.Parse(strings.NewReader("<div>" + got + "</div>"))
		if err != nil {
			return // too deep to be parsed again
		}
		var look func(*html.Node)
		look = func(n *html.Node) {
			if n.Type == html.ElementNode {
				switch n.DataAtom {
				case atom.Script, atom.Iframe, atom.Object, atom.Embed, atom.Form, atom.Meta, atom.Link, atom.Base, atom.Svg, atom.Math:
					t.Errorf("%q: there is a %s in %q", document, n.Data, got)
				}
				for _, a := range n.Attr {
					if a.Key == "style" && loadsResource(a.Val) {
						t.Errorf("%q: a style loads %q", document, a.Val)
					}
					if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") && (a.Key == "href" || a.Key == "src") {
						t.Errorf("%q: there is %s=%q in %q", document, a.Key, a.Val, got)
					}
				}
			}
			for child := n.FirstChild; child != nil; child = child.NextSibling {
				look(child)
			}
		}
		look(root)
	})
}

func TestSanitizeTakesBoundedTime(t *testing.T) {
	of := func(piece string) string { return strings.Repeat(piece, (1<<20)/len(piece)) }
	for name, c := range map[string]struct {
		document string
		cut      bool
	}{
		"braces":                  {"<style>" + of("a{") + "</style>x", true},
		"media in media":          {"<style>" + of("@media screen{") + "</style>x", true},
		"comments in comments":    {"<style>" + of("//**/*") + "</style>x", true},
		"rules for what is deep":  {"<style>" + strings.Repeat("div div p{color:red}", 3000) + "</style>" + strings.Repeat("<div>", 250) + of("<p>x</p>"), true},
		"declarations":            {`<p style="` + of("color:red;") + `">x`, false},
		"bold that is never shut": {of("<b>x"), true},
	} {
		got, cut := Sanitize([]byte(c.document), ".q")
		if cut != c.cut || len(got) > 8*len(c.document) {
			t.Errorf("%s: cut %v, %d bytes of %d", name, cut, len(got), len(c.document))
		}
	}
}
