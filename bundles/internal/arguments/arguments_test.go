package arguments_test

import (
	"errors"
	"net/mail"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/internal/arguments"
	"kota/metadata"
)

// found returns the problems of an error, which must be a VALIDATION_ERROR.
func found(t *testing.T, err error) []metadata.Problem {
	t.Helper()
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) || e.Code != metadata.ValidationError || e.Hint == "" {
		t.Fatalf("got %v, want a %s with a hint", err, metadata.ValidationError)
	}
	return e.Problems
}

func TestNoProblemsIsNilError(t *testing.T) {
	var p arguments.Problems
	p.Line("subject", "Zoë's lunch 🍝", 13)
	p.Text("body", "one\r\n\ttwo\n")
	if a := p.Address("from", ""); a != nil {
		t.Errorf("no address is %v", a)
	}
	to := p.Addresses("to", []string{"Ann <ann@example.com>", "bob@example.org"})
	if want := []*mail.Address{{Name: "Ann", Address: "ann@example.com"}, {Address: "bob@example.org"}}; !cmp.Equal(to, want) {
		t.Error(cmp.Diff(want, to))
	}
	if err := p.Err(); err != nil { // an untyped nil
		t.Errorf("got %v", err)
	}
}

func TestErrListsAllProblems(t *testing.T) {
	var p arguments.Problems
	p.Line("subject", "Hi\r\nBcc: eve@example.com", 100)
	p.Line("title", strings.Repeat("ä", 4), 3)
	p.Text("body", "a\x1b[2J")
	p.Address("from", "nobody")
	if read := p.Addresses("to", []string{"ann@example.com", "", "a@b, c@d"}); len(read) != 1 {
		t.Errorf("read %v", read)
	}
	var got []string
	for _, one := range found(t, p.Err()) {
		if one.Expected == "" {
			t.Errorf("%s: it is not said what is expected", one.Path)
		}
		got = append(got, one.Path)
	}
	if want := []string{"subject", "title", "body", "from", "to[1]", "to[2]"}; !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestProblemQuotesArgumentSafely(t *testing.T) {
	var p arguments.Problems
	p.Add("query", "short", "\x1b]0;\u202e\xff"+strings.Repeat("é", 1000))
	for _, one := range found(t, p.Err()) {
		if len(one.Got) > 700 || strings.ContainsFunc(one.Got, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("it quotes %q", one.Got)
		}
	}
	if got := found(t, arguments.Invalid("smaller", "larger or smaller", "both")); got[0].Got != "both" {
		t.Errorf("what is in words is shown as %q", got[0].Got)
	}
}

func TestBriefKeepsShortText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "é": "é", "\xff": "\uFFFD",
		strings.Repeat("é", 80): strings.Repeat("é", 80),
		strings.Repeat("é", 81): strings.Repeat("é", 80) + "…",
	} {
		if got := arguments.Brief(text); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

func TestTextAgreesWithIsText(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a\r\n\tb": true, "a\x00": false, "\x7f": false, "\u0085": false, "é\u202e": true} {
		var p arguments.Problems
		p.Text("body", text)
		if arguments.IsText(text) != want || (p.Err() == nil) != want {
			t.Errorf("%q: got %v and %v", text, arguments.IsText(text), p.Err())
		}
	}
}

type cursor struct {
	Q      string            `json:"q"`
	Tokens map[string]string `json:"t"`
}

func TestCursorRoundTrip(t *testing.T) {
	want := cursor{Q: "in:inbox é\x00", Tokens: map[string]string{"home": "", "work": "~!09"}}
	text := arguments.EncodeCursor(want)
	if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		t.Errorf("handed out as %q", text)
	}
	var got cursor
	if !arguments.DecodeCursor(text, &got) || !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestDecodeCursorRefusesOtherText(t *testing.T) {
	for _, text := range []string{"", "bm8", "e30=", " ", "\xff", arguments.EncodeCursor("q"), arguments.EncodeCursor(cursor{})[1:]} {
		if arguments.DecodeCursor(text, &cursor{}) {
			t.Errorf("%q is read", text)
		}
	}
	err := arguments.BadCursor("mail_list", strings.Repeat("x", 500))
	if got := found(t, err); got[0].Path != "cursor" || !strings.Contains(err.Message, "mail_list") || utf8.RuneCountInString(got[0].Got) > 100 {
		t.Errorf("got %+v", got)
	}
}
