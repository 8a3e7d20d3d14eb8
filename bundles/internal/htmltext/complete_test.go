package htmltext

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// completeMails are complete, each as its Markdown shows it.
var completeMails = map[string]string{
	"":                        "",
	"<p>See you at noon.</p>": "See you at noon.",
	"<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"></head>\n<body>\n<p>Hi&nbsp;Ann,<br/>it&#39;s on.</p>\n</body></html>": "Hi Ann,\nit's on.",
	`<h2>Plan</h2><ul><li>one</li><li>two<ol><li>a</li></ol></li></ul><ol start="4"><li>four</li></ol>`:                            "## Plan\n\n- one\n- two\n  1. a\n\n4. four",
	`<p>Read <a href="https://x.example/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">this <b>page</b></a></p>`:         "Read [this **page**](https://x.example/a?b=1&c=2)",
	`<p>I am <a href="mailto:ann@example.com">ann@example.com</a>, <a href="https://x.example">https://x.example</a></p>`:          "I am ann@example.com, https://x.example",
	`<p><b>bold</b>, <strong>strong</strong>, <i>i</i>, <em>em</em>, <u>u</u> and <code>x := 1</code></p><pre><code>a
  b</code></pre>`: "**bold**, **strong**, *i*, *em*, u and `x := 1`\n\n```\na\n  b\n```",
	`<table border="1"><thead><tr><th>who</th><th align="right">much</th></tr></thead><tbody><tr><td>Ann</td><td>5</td></tr></tbody></table>`:                "| who | much |\n|---|---|\n| Ann | 5 |",
	`<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><p>a</p><p>b</p></blockquote>`: "> a\n>\n> b",
	`<div dir="ltr">Yes.<div><br></div><div>Ada 👍🏽 &lt;3</div></div>`:                                                                                        "Yes.\n\nAda 👍🏽 <3",
}

// incompleteDocuments are documents whose Markdown does not show everything. SECRET marks
// what it lacks.
var incompleteDocuments = []string{
	`<img src="http://evil.example/p.gif?d=SECRET">`, `<img src="http://evil.example/p.gif" alt="SECRET">`, `<img src="data:image/gif;base64,SECRET">`, `<img srcset="SECRET 2x">`, `<img src="cid:SECRET" alt="logo">`,
	`<a href="http://evil.example/SECRET"></a>`, `<a href="http://evil.example/SECRET"><br></a>`, `<a href="http://evil.example/SECRET"> &nbsp;</a>`, `<a href="javascript:SECRET">a</a>`, `<a href="#SECRET">a</a>`, `<a name="SECRET">a</a>`,
	`<a href="http://a.example" title="SECRET">a</a>`, `<a href="http://a.example" ping="SECRET">a</a>`, `<a href="http://a.example" href="SECRET">a</a>`, `<a href="http://a.example" HREF="SECRET">a</a>`, `<code><a href="http://a.example/SECRET">a</a></code>`,
	`<p title="SECRET">a</p>`, `<p data-x="SECRET">a</p>`, `<p class="SECRET">a</p>`, `<p lang="SECRET">a</p>`, `<p id="SECRET">a</p>`, `<p SECRET>a</p>`, `<p SECRET=1>a</p>`, `<p style="--x:SECRET">a</p>`, `<p style="color:red;font-family:SECRET">a</p>`, `<p dir="SECRET">a</p>`,
	`<!--SECRET-->`, `<!-- SECRET -->`, `<!--[if mso]><p>SECRET</p><![endif]-->`, `<![if mso]>SECRET<![endif]>`, `<!SECRET>`, `<?SECRET?>`, `</ SECRET>`, `<![CDATA[SECRET]]>`, `<!DOCTYPE SECRET>`, `<!DOCTYPE html PUBLIC "SECRET">`, `<!-->SECRET-->`, `<!--SECRET`,
	`<style>.a:before{content:"SECRET"}</style>`, `<style>SECRET`, `<p style="background:url(http://evil.example/SECRET)">a</p>`, `<table background="http://evil.example/SECRET"><tr><td>a</td></tr></table>`, `<body background="SECRET">`,
	`<form action="http://evil.example/SECRET"><input name=v><button>ok</button></form>`, `<input value="SECRET">`, `<button formaction="SECRET">ok</button>`, `<select><option>SECRET</select>`, `<textarea>SECRET</textarea>`,
	`<meta name="x" content="SECRET">`, `<meta charset="SECRET">`, `<title>SECRET</title>`, `<base href="http://evil.example/SECRET">`, `<link rel="stylesheet" href="http://evil.example/SECRET">`, `<script>SECRET</script>`,
	`<iframe src="http://evil.example/SECRET"></iframe>`, `<iframe srcdoc="SECRET"></iframe>`, `<video src="SECRET"></video>`, `<audio src="SECRET">a</audio>`, `<map name="m"><area href="SECRET"></map>`, `<blockquote cite="http://evil.example/SECRET">a</blockquote>`,
	`<object data="SECRET"></object>`, `<embed src="SECRET">`, `<svg><text>SECRET</text></svg>`, `<math><mtext>SECRET</mtext></math>`, `<template>SECRET</template>`, `<noscript>SECRET</noscript>`, `<dialog>SECRET</dialog>`, `<p hidden>SECRET</p>`,
	`<p style="display:none">SECRET</p>`, `<p style="color:white">SECRET</p>`, `<font color="#ffffff">SECRET</font>`, `<SECRET>a</SECRET>`, `</SECRET>`, `</p SECRET>`, `</p title="SECRET">`, `<p/SECRET>`, `<p title=SECRET`, `<p title="SECRET`, `<SECRET`, `</SECRET`,
	`<table><caption>SECRET</caption><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>`, `<ol start="9SECRET"><li>a</li></ol>`, `<ol start="12345678"><li>a</li></ol>`, `<a href="http://a.example"><ol start="7"><li>a</li></ol></a>`,
	// Documents whose meaning differs from their Markdown.
	`<p>Do <s>not</s> pay</p>`, `<p>Do <del>not</del> pay</p>`, `<p>10<sup>5</sup></p>`, `<details><summary>a</summary>b</details>`, `<bdo dir="rtl">01</bdo>`, `<p dir="rtl">a</p>`, `<ruby>a<rt>b</rt></ruby>`,
	// Invisible characters.
	"<p>a\u200bb\U000E0041</p>", `<p>a&#8203;b</p>`, `<p>a&amp;#8203;b</p>`, `<p>a&amp;<span>#8203;</span>b</p>`, `<p>a&am</i>p;#8203;b</p>`, "<p>a\x00b</p>", "<p>a\x01b</p>", `<p>a&shy;b</p>`, "<p>\xffa</p>",
}

func TestPlainMailIsComplete(t *testing.T) {
	for document, want := range completeMails {
		r, whole := HTMLComplete([]byte(document))
		if !whole || r.Markdown != want {
			t.Errorf("%s: whole %v, shown\n%q\nwant\n%q", document, whole, r.Markdown, want)
		}
	}
}

func TestMailWithHiddenContentIsIncomplete(t *testing.T) {
	for _, document := range incompleteDocuments {
		for _, around := range []string{"*", "<p>Hi</p>\n*\n<p>Ada</p>", "<table><tr><td>a</td><td>*</td></tr></table>", "<ul><li>*</li></ul>", "<pre>*</pre>", "<b>*", "<blockquote><div>*</div></blockquote>"} {
			mail := strings.Replace(around, "*", document, 1)
			if r, whole := HTMLComplete([]byte(mail)); whole {
				t.Errorf("%s is taken for whole, shown as\n%s", mail, r.Markdown)
			}
		}
	}
}

// Nothing goes unnoticed because of its position: within a tag, a word, a
// reference, a table.
func TestInsertedContentIsShownOrMailIsIncomplete(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	documents := []string{}
	for document := range completeMails {
		documents = append(documents, document)
	}
	slices.Sort(documents)
	loose := []string{"SECRET", " SECRET ", `"SECRET`, `" SECRET="`, `SECRET="`, "<SECRET ", ">SECRET<", "&SECRET;", "/SECRET", "='SECRET' ", "\nSECRET\n", `<a href="SECRET">`, `<a href="SECRET">a</a>`, "<b>SECRET</b>", "<ul><li>SECRET</ul>"}
	shown := 0
	for range 8_000 {
		document := documents[random.IntN(len(documents))] + documents[random.IntN(len(documents))]
		for range 1 + random.IntN(2) {
			pieces := loose
			if random.IntN(4) == 0 {
				pieces = incompleteDocuments
			}
			at := random.IntN(len(document) + 1)
			document = document[:at] + pieces[random.IntN(len(pieces))] + document[at:]
		}
		if checkComplete(t, document) {
			shown++
		}
	}
	if shown < 500 {
		t.Errorf("only %d of them were whole: that is no test", shown)
	}
}

// checkComplete checks that a document taken as complete shows each SECRET and
// everything that an independent parser finds.
func checkComplete(t *testing.T, document string) bool {
	t.Helper()
	r, whole := HTMLComplete([]byte(document))
	if !whole {
		return false
	}
	words := strings.NewReplacer(`\`, "", ">", "", "|", "", "*", "", "`", "", "<", "", "%3C", "", "%3E", "")
	bare := func(text string) string { return words.Replace(strings.Join(strings.Fields(text), "")) }
	shows := bare(r.Markdown)
	says := func(what, text string) {
		if !strings.Contains(shows, bare(text)) {
			t.Fatalf("%q: the %s %q is not in what is shown\n%s", document, what, text, r.Markdown)
		}
	}
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatalf("%q: %v", document, err)
	}
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			says("text", n.Data)
		case html.CommentNode:
			t.Fatalf("%q: its comment is not shown", document)
		}
		for _, a := range n.Attr {
			if a.Key != "href" && a.Key != "start" {
				if !slices.Contains(fixedValues[a.Key], a.Val) {
					t.Fatalf("%q: %s=%q is not shown", document, a.Key, a.Val)
				}
				continue
			}
			says(a.Key, strings.TrimPrefix(a.Val, "mailto:"))
		}
	}
	alone := strings.Count(document, `<a href="SECRET">`) // shown once if its text is its address
	if all, seen := strings.Count(document, "SECRET"), strings.Count(r.Markdown, "SECRET"); seen < all-alone {
		t.Fatalf("%q: of %d secrets %d are shown\n%s", document, all, seen, r.Markdown)
	}
	return true
}

func FuzzHTMLComplete(f *testing.F) {
	for document := range completeMails {
		f.Add(document)
	}
	for _, document := range incompleteDocuments {
		f.Add("<p>Hi</p>" + document)
	}
	f.Fuzz(func(t *testing.T, document string) {
		if len(document) < 10_000 && strings.Count(document, "<") < 500 {
			checkComplete(t, document)
		}
	})
}
