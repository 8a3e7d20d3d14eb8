package htmltext

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write the golden files")

func TestHTMLShowsVisibleContent(t *testing.T) {
	for _, folder := range []string{"html", "replies"} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.html"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no documents in %s: %v", folder, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				r := HTML(src, Options{StripQuotes: folder == "replies"})
				checkClean(t, r.Markdown)
				if strings.Contains(r.Markdown, "SECRET") {
					t.Errorf("hidden text is shown")
				}
				got := fmt.Sprintf("%s\n\n===\nhidden %d, invisible %d, trackers %d, images %d, quoted %d, truncated %v\n",
					r.Markdown, r.Hidden, r.Invisible, r.Trackers, r.Images, r.QuotedChars, r.Truncated)
				golden := strings.TrimSuffix(file, ".html") + ".md"
				if *update {
					if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// Hostile documents must be rendered quickly: quadratic time would exceed the
// limit.
func TestHostileHTMLTakesBoundedTime(t *testing.T) {
	const size = 1 << 20
	of := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	counted := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		src  string
		want string // in the Markdown
		cut  bool
	}{
		"5,000 deep":                       {src: strings.Repeat("<div>", 5000) + "deep", want: "deep"},
		"deep, and maybe hidden":           {src: strings.Repeat("<div class=x>", 5000) + "deep" + strings.Repeat("</div>", 5000) + "after", want: "after", cut: true},
		"text between a million tags":      {src: of("<div>x"), want: "x"},
		"bold never closed":                {src: of("<b>x"), want: "x", cut: true},
		"fonts never closed":               {src: "<div>" + counted("<font a=%d>", 400) + "</div>" + of("<div>x</div>"), want: "x", cut: true},
		"many html tags":                   {src: counted("<html a%d>", 60000) + "x", want: "x"},
		"end tags alone":                   {src: of("a</x>"), want: "a", cut: true},
		"comments between letters":         {src: of("a<!---->"), want: "a"},
		"tables in tables":                 {src: of("<table><tr><td>x"), want: "x"},
		"text in a table outside of cells": {src: "<table>" + of("x<i>"), want: "x", cut: true},
		"quotes in quotes":                 {src: of("<blockquote>x"), want: "x"},
		"lists in lists":                   {src: of("<ul><li>x"), want: "x"},
		"brackets":                         {src: of("["), want: "["},
		"images as text":                   {src: of("!["), want: `!\[`},
		"backticks":                        {src: of("` "), want: "`"},
		"many rules":                       {src: "<style>" + strings.Repeat("div div p{color:red}", 3000) + "</style>" + strings.Repeat("<div>", 250) + of("<p>x</p>"), cut: true},
		"many classes":                     {src: "<style>" + strings.Repeat(".x{color:red}", 2900) + "</style><p class='" + counted("x%d ", 50000) + "x x'>text", want: "text"},
		"braces":                           {src: "<style>" + of("a{") + "</style>text", want: "text", cut: true},
		"many attributes":                  {src: "<p " + counted("a%d ", 100000) + ">text", want: "text"},
		"one line of 10 MB":                {src: strings.Repeat("a", 10<<20), want: "aaa", cut: true},
		"rowspans and colspans":            {src: "<table>" + strings.Repeat("<tr><td rowspan=65000 colspan=65000>a<td>b", 5000), want: "a"},
		"nothing":                          {},
		"NULs":                             {src: of("\x00")},
		"not UTF-8":                        {src: of("\xff<p>\xe2\x82"), want: "\uFFFD", cut: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := HTML([]byte(c.src), Options{StripQuotes: true})
			if !strings.Contains(r.Markdown, c.want) || r.Truncated != c.cut {
				t.Errorf("got %d characters, truncated %v; want %q in them and truncated %v", len(r.Markdown), r.Truncated, c.want, c.cut)
			}
			if len(r.Markdown) > 8*len(c.src)+100 {
				t.Errorf("%d bytes came of %d", len(r.Markdown), len(c.src))
			}
			if !utf8.ValidString(r.Markdown) {
				t.Errorf("not UTF-8")
			}
		})
	}
}

func FuzzHTML(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("testdata", "*", "*.html"))
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src, true)
	}
	f.Add([]byte("<table><tr><td>&#xE0041;<b><p></b>x"), false)
	f.Fuzz(func(t *testing.T, src []byte, strip bool) {
		r := HTML(src, Options{StripQuotes: strip})
		checkClean(t, r.Markdown)
		if len(r.Markdown) > 100*len(src)+100 {
			t.Errorf("%d bytes came of %d", len(r.Markdown), len(src))
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	src, err := os.ReadFile(filepath.Join("testdata", "html", "newsletter.html"))
	if err != nil {
		b.Fatal(err)
	}
	head, body, _ := strings.Cut(string(src), "<body")
	page := []byte(head + strings.Repeat("<body"+body, 100_000/len(body)))
	b.SetBytes(int64(len(page)))
	b.ReportMetric(float64(len(page)), "bytes")
	for b.Loop() {
		HTML(page, Options{})
	}
}
