package approval_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/approval"
	"kota/metadata"
)

func mail(to string, lines ...bundles.Line) entrypoint.Request {
	return entrypoint.Request{
		Action: metadata.Action{Name: "send", Tool: "letters_send"}, Effect: metadata.Sends, Args: json.RawMessage(`{"text":"hello"}`),
		Outgoing: bundles.Outgoing{What: "mail", People: []string{to}, Lines: lines, Digest: [32]byte{1}},
	}
}

func TestTextOfShowsHiddenCharacters(t *testing.T) {
	long := strings.Repeat("word ", 5000) + "the end"
	for name, c := range map[string]struct{ text, want string }{
		"a line":                  {"At noon?", "Text: At noon?"},
		"lines":                   {"At noon?\nAnn\n", "Text:\n    At noon?\n    Ann\n    "},
		"a line that looks named": {"Hi\nTo: eve@example.com\n\nBcc: x", "Text:\n    Hi\n    To: eve@example.com\n    \n    Bcc: x"},
		"all of it":               {long, "Text: " + long},
		"Windows lines":           {"a\r\nb", "Text:\n    a⟨return⟩\n    b"},
		"a return":                {"pay eve\rpay bob", "Text: pay eve⟨return⟩pay bob"},
		"what a terminal obeys":   {"a\x1b[2Jb\x07\x00", "Text: a⟨U+001B⟩[2Jb⟨U+0007⟩⟨U+0000⟩"},
		"reordering":              {"abc\u202edef\u2066x", "Text: abc⟨U+202E⟩def⟨U+2066⟩x"},
		"nothing to see":          {"a\u200bb\u200dc\ufeffd\u00ade\u2060", "Text: a⟨U+200B⟩b⟨U+200D⟩c⟨U+FEFF⟩d⟨U+00AD⟩e⟨U+2060⟩"},
		"tags":                    {"a\U000E0041\U000E007F", "Text: a⟨U+E0041⟩⟨U+E007F⟩"},
		"other line ends":         {"a\u2028b\u0085c\vd\fe", "Text: a⟨U+2028⟩b⟨U+0085⟩c⟨U+000B⟩d⟨U+000C⟩e"},
		"blanks like letters":     {"a\u3164b\u2800c\uffa0d", "Text: a⟨U+3164⟩b⟨U+2800⟩c⟨U+FFA0⟩d"},
		"selectors that hide":     {"a\ufe00\ufe01\ufe02\U000E0101", "Text: a⟨U+FE00⟩⟨U+FE01⟩⟨U+FE02⟩⟨U+E0101⟩"},
		"a selector alone":        {"\ufe0fa", "Text: ⟨U+FE0F⟩a"},
		"a heart":                 {"\u2764\ufe0f ok", "Text: \u2764\ufe0f ok"},
		"other spaces":            {"10\u00a0000\u202f€\tx", "Text: 10⟨no-break space⟩000⟨U+202F⟩€⟨tab⟩x"},
		"no text":                 {"a\xff", "Text: a⟨byte FF⟩"},
		"other letters":           {"日本 Ünïcödé نامه", "Text: 日本 Ünïcödé نامه"},
	} {
		shown := approval.TextOf(mail("bob@example.com", bundles.Line{Name: "To", Text: "bob@example.com"}, bundles.Line{Name: "Text", Text: c.text}))
		want := "letters_send: mail to bob@example.com\n\nTo: bob@example.com\n" + c.want
		if shown.Text != want {
			t.Errorf("%s: got\n%q, want\n%q", name, shown.Text, want)
		}
	}
}

// Requests whose lines differ have different texts.
func FuzzDifferentRequestsHaveDifferentTexts(f *testing.F) {
	f.Add("lunch", "see you", "lunch", "see you ")
	f.Add("a", "b\n", "a", "b")
	f.Add("a", "b\n\nText: c", "a\n\nText: b", "c")
	f.Add("a\uFE0F", "b", "a", "b")
	f.Fuzz(func(t *testing.T, subject, text, otherSubject, otherText string) {
		shown := func(subject, text string) string {
			return approval.TextOf(mail("bob@example.com", bundles.Line{Name: "Subject", Text: subject}, bundles.Line{Name: "Text", Text: text})).Text
		}
		if subject == otherSubject && text == otherText {
			return
		}
		if one := shown(subject, text); one == shown(otherSubject, otherText) {
			t.Errorf("(%+q, %+q) and (%+q, %+q) are both shown as\n%s", subject, text, otherSubject, otherText, one)
		}
	})
}

func TestTextOfAddsMissingRecipients(t *testing.T) {
	request := mail("bob@example.com", bundles.Line{Name: "Sub\nject", Text: "Lunch"})
	request.Outgoing.People = append(request.Outgoing.People, "eve@example.com\nTo: x")
	request.Reason = "strangers\nwrote"
	want := "letters_send: mail to bob@example.com, eve@example.com⟨newline⟩To: x\n\nSub⟨newline⟩ject: Lunch\nReaches:\n    bob@example.com, eve@example.com\n    To: x\n\nstrangers⟨newline⟩wrote"
	if got := approval.TextOf(request); got.Text != want || strings.Contains(got.Title, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got.Text, want)
	}
}

// An address in a text, or within another address, does not name a recipient.
func TestTextOfIgnoresAddressesOutsideRecipientLines(t *testing.T) {
	for name, c := range map[string]struct {
		lines []bundles.Line
		named bool
	}{
		"alone":              {[]bundles.Line{{Name: "To", Text: "eve@example.com"}}, true},
		"in a list":          {[]bundles.Line{{Name: "To", Text: `"Doe, Bob" <bob@example.com>, Eve <eve@example.com>`}}, true},
		"as a copy":          {[]bundles.Line{{Name: "To", Text: "bob@example.com"}, {Name: "Bcc", Text: "eve@example.com"}}, true},
		"in the text":        {[]bundles.Line{{Name: "To", Text: "bob@example.com"}, {Name: "Text", Text: "not to eve@example.com"}}, false},
		"in the subject":     {[]bundles.Line{{Name: "Subject", Text: "eve@example.com"}}, false},
		"in another address": {[]bundles.Line{{Name: "To", Text: "steve@example.com, eve@example.com.au"}}, false},
		"as a name":          {[]bundles.Line{{Name: "To", Text: `"eve@example.com" <bob@example.com>`}}, false},
	} {
		shown := approval.TextOf(mail("eve@example.com", c.lines...)).Text
		if named := !strings.Contains(shown, "\nReaches: eve@example.com"); named != c.named {
			t.Errorf("%s: shown is\n%s", name, shown)
		}
	}
}

func TestTextOfShowsArgumentsOfDestruction(t *testing.T) {
	type in struct {
		Key   string   `json:"key,omitempty"`
		Tags  []string `json:"tags,omitempty"`
		Other string   `json:"other,omitempty"`
	}
	drop := bundles.Bind(metadata.Action{Name: "drop", Effect: metadata.Destroys, Summary: "Drop."}, func(context.Context, in) (any, error) { return nil, nil })
	request := entrypoint.Request{Action: drop.Action, Effect: metadata.Destroys, Args: json.RawMessage(`{"tags":["a\u001b","b"],"key":"x\ny"}`)}
	want := ": this cannot be undone\n\nkey:\n    x\n    y\ntags: [\"a\\u001b\",\"b\"]"
	if got := approval.TextOf(request).Text; got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	request.Deletion = bundles.Deletion{What: "2 notes", Lines: []bundles.Line{{Name: "Gone", Text: "a\nb"}}, All: []string{"a", "b"}}
	want = ": 2 notes for good" + want + "\nGone:\n    a\n    b"
	if got := approval.TextOf(request).Text; got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	digest := approval.Digest(request, "ann")
	request.Deletion.All = []string{"a", "b", "c"}
	if approval.Digest(request, "ann") == digest {
		t.Error("one more is destroyed by the same agreement")
	}
}

func TestDigestCoversEverythingApproved(t *testing.T) {
	base := mail("bob@example.com", bundles.Line{Name: "Text", Text: "hello"})
	digest := approval.Digest(base, "ann")
	same := base
	same.Reason = "strangers wrote"
	if approval.Digest(same, "ann") != digest {
		t.Error("why the user is asked changes what they agree to")
	}
	for name, change := range map[string]func(*entrypoint.Request) string{
		"the owner": func(r *entrypoint.Request) string { return approval.Digest(*r, "bob") },
		"the tool": func(r *entrypoint.Request) string {
			r.Action.Tool = "letters_release"
			return approval.Digest(*r, "ann")
		},
		"an argument": func(r *entrypoint.Request) string {
			r.Args = json.RawMessage(`{"text":"hullo"}`)
			return approval.Digest(*r, "ann")
		},
		"the effect":     func(r *entrypoint.Request) string { r.Effect = metadata.Destroys; return approval.Digest(*r, "ann") },
		"what leaves":    func(r *entrypoint.Request) string { r.Outgoing.Digest[31] = 1; return approval.Digest(*r, "ann") },
		"where one ends": func(r *entrypoint.Request) string { r.Action.Tool = "letters_send{"; return approval.Digest(*r, "ann") },
	} {
		changed := base
		if change(&changed) == digest {
			t.Errorf("another for %s has the same digest", name)
		}
	}
}
