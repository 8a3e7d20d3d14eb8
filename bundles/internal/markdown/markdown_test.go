package markdown_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	nethtml "golang.org/x/net/html"

	"kota/bundles/internal/markdown"
)

const (
	th = "<th style=\"border:1px solid #ccc;padding:2px 8px;text-align:left\">"
	td = "<td style=\"border:1px solid #ccc;padding:2px 8px;text-align:left\">"
)

func TestHTMLOfTypicalText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"Hi Ann,\nat noon?\n\nZoë":            "<p>Hi Ann,<br>\nat noon?</p>\n<p>Zoë</p>",
		"a\r\nb\rc":                           "<p>a<br>\nb<br>\nc</p>",
		"1 < 2 & \"x\" <b>bold</b>":           "<p>1 &lt; 2 &amp; &#34;x&#34; &lt;b&gt;bold&lt;/b&gt;</p>",
		"**Bold**, *soft* and ***both***":     "<p><strong>Bold</strong>, <em>soft</em> and <strong><em>both</em></strong></p>",
		"2 * 3 * 4, snake_case_name, a*b, **": "<p>2 * 3 * 4, snake_case_name, a*b, **</p>",
		"__init__ and _soft_":                 "<p><strong>init</strong> and <em>soft</em></p>",
		"`a < **b**` ``c ` d``":               "<p><code>a &lt; **b**</code> <code>c ` d</code></p>",
		`\*not soft\* C:\dir`:                 `<p>*not soft* C:\dir</p>`,
		"# Title #\nText":                     "<h1>Title</h1>\n<p>Text</p>",
		"#1 of many":                          "<p>#1 of many</p>",
		"We need:\n- milk\n- *eggs*\n  and more\n\nThanks": "<p>We need:</p>\n<ul>\n<li>milk</li>\n<li><em>eggs</em><br>\nand more</li>\n</ul>\n<p>Thanks</p>",
		"1. one\n2. two\n   - deep\n3. three":              "<ol>\n<li>one</li>\n<li>two\n<ul>\n<li>deep</li>\n</ul>\n</li>\n<li>three</li>\n</ol>",
		"3) three":                                         "<ol start=\"3\">\n<li>three</li>\n</ol>",
		"- a\n\n- b":                                       "<ul>\n<li>a</li>\n<li>b</li>\n</ul>",
		"It was in\n2026. Good year.":                      "<p>It was in<br>\n2026. Good year.</p>",
		"a\n---\nb":                                        "<p>a</p>\n<hr>\n<p>b</p>",
		"-- \nZoë":                                         "<p>-- <br>\nZoë</p>",
		"```go\na < b\n\n*c*\n```\nd":                      "<pre><code>a &lt; b\n\n*c*</code></pre>\n<p>d</p>",
		"```\nopen":                                        "<pre><code>open</code></pre>",
		"> a\n> > b\n\nc":                                  "<blockquote style=\"margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex\">\n<p>a</p>\n<blockquote style=\"margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex\">\n<p>b</p>\n</blockquote>\n</blockquote>\n<p>c</p>",
		"Sum:\n| a | b |\n|---|:-:|\n| 1 \\| 2 | *x* |\n\nend": "<p>Sum:</p>\n<table style=\"border-collapse:collapse\">\n" +
			"<tr>" + th + "a</th>" + th + "b</th></tr>\n<tr>" + td + "1 | 2</td>" + td + "<em>x</em></td></tr>\n</table>\n<p>end</p>",
		"a | b\nc | d":        "<p>a | b<br>\nc | d</p>",
		"![logo](cid:logo@x)": `<p><img src="cid:logo@x" alt="logo"></p>`,
	} {
		if got := strings.TrimSpace(markdown.HTML(text)); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

func TestHTMLKeepsLinkAddress(t *testing.T) {
	for text, want := range map[string]string{ // the address, or "" for no link
		"[the figures](https://example.com/a?b=c&d=e_f_g#h)": "https://example.com/a?b=c&d=e_f_g#h",
		"see https://example.com/a_b_c?x=1&y=*2*.":           "https://example.com/a_b_c?x=1&y=*2",
		"(see https://en.wikipedia.org/wiki/Go_(game))":      "https://en.wikipedia.org/wiki/Go_(game)",
		"<https://example.com/x.>":                           "https://example.com/x.",
		"https://example.com/%C3%BC?q=a%20b":                 "https://example.com/%C3%BC?q=a%20b",
		"[x](https://example.com/a(b)c)":                     "https://example.com/a(b)c",
		"[x](mailto:ann@example.com?subject=a%20b)":          "mailto:ann@example.com?subject=a%20b",
		"[**x** _y_](tel:+4912345)":                          "tel:+4912345",
		"**https://example.com/**":                           "https://example.com/",
		"[https://bank.example](https://example.com)":        "https://example.com",
		"[x](javascript:alert(1))":                           "",
		"[x](data:text/html,x)":                              "",
		"[x]( java\nscript:alert(1))":                        "",
		"[x](https://)":                                      "",
		"![x](https://tracker.example/p.png)":                "https://tracker.example/p.png",
		"xhttps://example.com":                               "",
		"[x](\"onmouseover=alert(1) https://example.com)":    "https://example.com",
	} {
		var got []string
		for _, match := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(markdown.HTML(text), -1) {
			got = append(got, html.UnescapeString(match[1]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got links %q, want %q", text, got, want)
		}
	}
}

var allowed = map[string]string{ // tag: its attributes
	"p": "", "br": "", "strong": "", "em": "", "code": "", "pre": "", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "",
	"table": "style", "tr": "", "th": "style", "td": "style", "ul": "", "ol": "start", "li": "", "blockquote": "style", "hr": "", "a": "href", "img": "src alt",
}

// check parses the HTML and returns its text.
func check(t *testing.T, text, written string) string {
	t.Helper()
	var seen strings.Builder
	var open []string
	tokens := nethtml.NewTokenizer(strings.NewReader(written))
	for {
		switch kind := tokens.Next(); kind {
		case nethtml.ErrorToken:
			if len(open) > 0 {
				t.Fatalf("%q: %v is left open in %q", text, open, written)
			}
			return seen.String()
		case nethtml.TextToken:
			seen.WriteString(tokens.Token().Data)
		case nethtml.StartTagToken:
			tag := tokens.Token()
			attributes, ok := allowed[tag.Data]
			if !ok {
				t.Fatalf("%q: a tag %s", text, tag.Data)
			}
			for _, a := range tag.Attr {
				if !strings.Contains(attributes, a.Key) || a.Key == "" {
					t.Fatalf("%q: %s has the attribute %q", text, tag.Data, a.Key)
				}
				if a.Key == "href" && !regexp.MustCompile(`^(?i)(https?://|mailto:|tel:)`).MatchString(a.Val) || a.Key == "src" && !strings.HasPrefix(a.Val, "cid:") {
					t.Fatalf("%q: leads to %q", text, a.Val)
				}
			}
			if tag.Data != "br" && tag.Data != "hr" && tag.Data != "img" {
				open = append(open, tag.Data)
			}
		case nethtml.EndTagToken:
			tag := tokens.Token()
			if len(open) == 0 || open[len(open)-1] != tag.Data {
				t.Fatalf("%q: %s ends in %v", text, tag.Data, open)
			}
			open = open[:len(open)-1]
		default:
			t.Fatalf("%q: %v in %q", text, kind, written)
		}
	}
}

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, text)
}

// The HTML has only the permitted tags, and every letter of the text.
func FuzzHTML(f *testing.F) {
	for _, text := range []string{
		"a\n\n- b\n  - c\n> d", "***a** b*", "`a``b`", "[a](https://b.c)", "<script>alert(1)</script>", "```\nx", "1. a\n\n   b\n2) c", "\\", "* \n*\n", "**a*b**", "- a\n\n\n b", "-\n-\n", "\t- a", "a|b\n-|-\nc", "  > a\n>> b https://c.example",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		seen := check(t, text, markdown.HTML(text))
		if strings.Contains(text, "](") || strings.Contains(text, "```") || strings.Contains(text, "~~~") || strings.ContainsRune(text, 0) {
			seen = "" // addresses and the name of a language are not in the text
		}
		if got, want := letters(seen), letters(text); seen != "" && got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if got, want := letters(check(t, text, markdown.Plain(text))), letters(text); got != want && !strings.ContainsRune(text, 0) {
			t.Errorf("plain %q: got %q, want %q", text, got, want)
		}
	})
}

func TestPlainKeepsText(t *testing.T) {
	const quote = "<blockquote style=\"margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex\">\n"
	for text, want := range map[string]string{
		"":                              "",
		"# 3 *items* of _x_\n  - <a>\n": "<p># 3 *items* of _x_<br>\n&nbsp;&nbsp;- &lt;a&gt;</p>",
		"see https://example.com/a_b.\n\n> a\n>> b\n> c\nd": `<p>see <a href="https://example.com/a_b">https://example.com/a_b</a>.</p>` + "\n" + quote + "<p>a</p>\n" + quote + "<p>b</p>\n</blockquote>\n<p>c</p>\n</blockquote>\n<p>d</p>",
	} {
		if got := strings.TrimSpace(markdown.Plain(text)); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

func TestHostileTextTakesBoundedTime(t *testing.T) {
	for name, text := range map[string]string{
		"stars":    strings.Repeat("*a ", 25_000),
		"brackets": strings.Repeat("[", 75_000),
		"ticks":    strings.Repeat("`a ", 25_000),
		"quotes":   strings.Repeat(">", 75_000),
		"items":    strings.Repeat("- ", 37_000),
		"blank":    strings.Repeat("\n", 75_000),
		"list":     strings.Repeat("- a\n\n", 15_000),
		"gaps":     "- a" + strings.Repeat("\n", 12_000) + "  b",
		"parens":   strings.Repeat("http://a)", 7_000),
		"links":    strings.Repeat("[a](", 20_000),
		"tables":   strings.Repeat("a|b\n", 15_000),
		"bars":     strings.Repeat("|", 75_000) + "\n" + strings.Repeat("-|", 75_000),
	} {
		start := time.Now()
		check(t, name, markdown.HTML(text))
		check(t, name, markdown.Plain(text))
		t.Logf("%s: %v", name, time.Since(start).Round(time.Millisecond))
	}
}
