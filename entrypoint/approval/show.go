package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// A Shown is what the user is shown of a Request. It is safe to print: nothing in
// it moves a cursor, hides, or reorders what stands beside it, and no text of
// several lines can look like a line of another name. Two Requests whose lines
// differ in a byte differ in Text.
type Shown struct {
	Title string `json:"title"` // a line: "gmail_send_message: mail to bob@example.com"
	About string `json:"about"` // a line that tells it from others of its title: a subject, an event, the first argument
	Text  string `json:"text"`  // all of it, the title and why the user is asked included
}

// Show returns what the user is shown of a Request: all that would leave, or the arguments of
// a call that destroys and what of it is known.
func Show(r entrypoint.Request) Shown {
	lines := linesOf(r)
	shown := Shown{Title: r.Action.Tool + ": " + bundles.VisibleLine(consequence(r)), About: aboutOf(lines)}
	var text strings.Builder
	text.WriteString(shown.Title + "\n")
	for _, line := range lines {
		fmt.Fprintf(&text, "\n%s:%s", bundles.VisibleLine(line.Name), indented(line.Text))
	}
	if r.Because != "" {
		fmt.Fprintf(&text, "\n\n%s", bundles.VisibleLine(r.Because))
	}
	if len(r.Refused) > 0 {
		fmt.Fprintf(&text, "\n\nYou %s.", bundles.VisibleLine(saidNo(r.Refused)))
	}
	shown.Text = text.String()
	return shown
}

// aboutOf is what tells lines from others like them.
func aboutOf(lines []bundles.Line) string {
	if len(lines) == 0 {
		return ""
	}
	named := slices.IndexFunc(lines, func(line bundles.Line) bool { return line.Name == "Subject" || line.Name == "Event" })
	about := []rune(bundles.VisibleLine(strings.TrimSpace(lines[max(named, 0)].Text)))
	if len(about) > maxAboutRunes {
		about = append(about[:maxAboutRunes-1], '…')
	}
	return string(about)
}

const maxAboutRunes = 60

// consequence is what the user has to weigh.
func consequence(r entrypoint.Request) string {
	if r.Effect == metadata.Writes {
		return r.Doomed.What
	}
	if r.Effect == metadata.Destroys && r.Doomed.What != "" {
		return r.Doomed.What + " for good: this cannot be undone"
	}
	if r.Effect == metadata.Destroys {
		return "this cannot be undone"
	}
	what := r.Outgoing.What
	if what == "" {
		what = "what reaches other people"
	}
	if len(r.Outgoing.People) == 0 {
		return what
	}
	return what + " to " + metadata.FirstFew(r.Outgoing.People)
}

// linesOf is what is shown beside the title. Whoever is reached and is not named
// by one of them, alone or in a list, is named by a line of their own: a text may
// have anybody's address in it.
func linesOf(r entrypoint.Request) []bundles.Line {
	lines := slices.Clone(r.Outgoing.Lines)
	if len(lines) == 0 {
		lines = append(arguments(r), r.Doomed.Lines...)
	}
	named := []string{}
	for _, line := range r.Outgoing.Lines {
		if slices.Contains(naming, line.Name) {
			named = append(named, addresses(line.Text)...)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(r.Outgoing.People), func(who string) bool { return slices.Contains(named, who) })
	if len(missing) > 0 {
		lines = append(lines, bundles.Line{Name: "Reaches", Text: strings.Join(missing, ", ")})
	}
	return lines
}

// naming are the lines that name people; of all others the words are somebody's.
var naming = []string{"To", "Cc", "Bcc", "Reaches"}

// addresses are who is named in a list such as "Ann <ann@example.com>, bob".
func addresses(list string) []string {
	all := []string{}
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		if at := strings.LastIndexByte(one, '<'); at >= 0 && strings.HasSuffix(one, ">") {
			one = one[at+1 : len(one)-1]
		}
		all = append(all, one)
	}
	return all
}

// arguments are what the call was given, in the order that the action declares.
func arguments(r entrypoint.Request) []bundles.Line {
	lines := []bundles.Line{}
	var given map[string]json.RawMessage
	if json.Unmarshal(r.Args, &given) != nil {
		return lines
	}
	for _, p := range r.Action.Input.Params() {
		value, ok := given[p.Name]
		if !ok {
			continue
		}
		text := string(value)
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		lines = append(lines, bundles.Line{Name: p.Name, Text: text})
	}
	return lines
}

// What a question to a client may hold. A client shows it in a small window;
// what is longer waits for `kota approve`.
const (
	maxAskedRunes = 6000
	maxAskedLines = 150
)

// fits reports whether all that is shown fits into a question.
func (s Shown) fits() bool {
	return utf8.RuneCountInString(s.Text) <= maxAskedRunes && strings.Count(s.Text, "\n") < maxAskedLines
}

// indented is a text after the name of it, whole. Its lines, where it has several,
// are set off from those that name something.
func indented(text string) string {
	text = bundles.Visible(text)
	if !strings.Contains(text, "\n") {
		return " " + text
	}
	return "\n    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// Digest tells what the user agrees to from anything else: whose call it is, the
// tool, the arguments and all that would leave or be destroyed.
func Digest(r entrypoint.Request, owner string) string {
	what := r.Outgoing.Digest
	if r.Effect != metadata.Sends {
		what = r.Doomed.Digest()
	}
	return digestOf(callID(r, owner), string(r.Effect), hex.EncodeToString(what[:]))
}

// callID tells a call from any other, whatever it would do by now.
func callID(r entrypoint.Request, owner string) string {
	return digestOf(owner, r.Action.Tool, string(r.Args))
}

// digestOf is the SHA-256 of some texts, in hex.
func digestOf(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// saidNo says how often the user has refused: "said no 2 times in this
// conversation, last to gmail_send_message".
func saidNo(refused []entrypoint.Refusal) string {
	times := "once"
	if len(refused) > 1 {
		times = fmt.Sprintf("%d times", len(refused))
	}
	return fmt.Sprintf("said no %s in this conversation, last to %s", times, refused[len(refused)-1].Tool)
}
