package gmail

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func TestAForwardedMailDoesNothing(t *testing.T) {
	for document, want := range map[string]string{
		"":                  "",
		"<p>a<b>b</b><br>c": "<p>a<b>b</b><br>c</p>",
		`<html><head><title>t</title><style>p{color:red}</style><meta http-equiv="refresh" content="0"></head><body bgcolor="red"><p>a</p></body></html>`: "<style>p{color:red}</style><p>a</p>",
		`<p onclick="x()" ONLOAD=y style="color:red">a</p>`: `<p style="color:red">a</p>`,
		`a<script>alert(1)</script><iframe src="https://x.example"></iframe><form action="/x"><input name="p"></form><object data="x"></object>b`:                  "ab",
		`<a href="javascript:alert(1)">a</a> <a href=" JaVaScRiPt:alert(1)">b</a> <a href="data:text/html,x">c</a> <a href="https://x.example/?a=1&amp;b=2">d</a>`: `<a>a</a> <a>b</a> <a>c</a> <a href="https://x.example/?a=1&amp;b=2">d</a>`,
		`<a href="java` + "\t" + `script:alert(1)">a</a>`: "<a>a</a>",
		`<img src="cid:a@b"><img src="https://x.example/pic.png"><img src="https://x.example/o.gif" width=1 height=1><img src="x" srcset="https://x.example/2x.png">`:                             `<img src="cid:a@b"><img src="https://x.example/pic.png"><img src="x">`,
		`<div style="display: none">secret</div><span style="FONT-SIZE:0">s</span><p hidden>s</p><div style="visibility:hidden">s</div><i style="opacity:0">s</i><i style="opacity:0.5">seen</i>`: `<i style="opacity:0.5">seen</i>`,
		"<!-- comment --><p>a</p><![CDATA[x]]>":     "<p>a</p>",
		`<style></style><script>x</script></style>`: "<style></style>",
		`<svg><script>x</script></svg><math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>a`: "a",
		`<table><tr><td background="https://x.example/b.png">a</td></tr></table>`:                               `<table><tbody><tr><td background="https://x.example/b.png">a</td></tr></tbody></table>`,
	} {
		if got := harmless(document); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", document, got, want)
		}
	}
}

func FuzzHarmless(f *testing.F) {
	for _, document := range []string{
		`<p onclick=x>a<script>b</script>`, `<svg><style><img src=x onerror=y></style></svg>`, `<noscript><p title="</noscript><img src=x onerror=y>">`, `<a href="&#106;avascript:x">`, `<style>a</style/><img src=x>`,
		`<table><style><a title="</style><img src=x onerror=y>">`, "<plaintext><p onclick=x>", "<xmp><p onclick=x></xmp>", "<textarea></textarea><p hidden>",
	} {
		f.Add(document)
	}
	f.Fuzz(func(t *testing.T, document string) {
		got := harmless(document)
		root, err := html.Parse(strings.NewReader("<div>" + got + "</div>"))
		if err != nil {
			return // deeper than it can be read again
		}
		var look func(*html.Node)
		look = func(n *html.Node) {
			if n.Type == html.ElementNode {
				switch n.DataAtom {
				case atom.Script, atom.Iframe, atom.Object, atom.Embed, atom.Form, atom.Meta, atom.Link, atom.Base, atom.Svg, atom.Math:
					t.Errorf("%q: there is a %s in %q", document, n.Data, got)
				}
				for _, a := range n.Attr {
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
