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

// A RequestText is the text that the user sees for a Request. It is safe to print: no
// character in it moves the cursor, hides text or reorders text. A value of several lines
// cannot look like a line with a name of its own. If the lines of two Requests differ, their
// Texts differ too.
type RequestText struct {
	Title string `json:"title"` // one line: "gmail_send_message: mail to bob@example.com"
	About string `json:"about"` // one line that distinguishes Requests with the same title: a subject, an event, the first argument
	Text  string `json:"text"`  // the whole text, with the title and the reason why KOTA asks
}

// TextOf returns the text for a Request. It shows everything that would be sent. For other
// calls it shows the arguments and what would be deleted or removed.
func TextOf(r entrypoint.Request) RequestText {
	lines := linesOf(r)
	result := RequestText{Title: r.Action.Tool + ": " + bundles.VisibleLine(consequence(r)), About: aboutOf(lines)}
	var text strings.Builder
	text.WriteString(result.Title + "\n")
	for _, line := range lines {
		fmt.Fprintf(&text, "\n%s:%s", bundles.VisibleLine(line.Name), indented(line.Text))
	}
	if r.Reason != "" {
		fmt.Fprintf(&text, "\n\n%s", bundles.VisibleLine(r.Reason))
	}
	if len(r.Refusals) > 0 {
		fmt.Fprintf(&text, "\n\nYou %s.", bundles.VisibleLine(refusalSummary(r.Refusals)))
	}
	result.Text = text.String()
	return result
}

// aboutOf returns the start of the line "Subject" or "Event", or else of the first line. It
// returns "" if there are no lines.
func aboutOf(lines []bundles.Line) string {
	if len(lines) == 0 {
		return ""
	}
	subject := slices.IndexFunc(lines, func(line bundles.Line) bool { return line.Name == "Subject" || line.Name == "Event" })
	about := []rune(bundles.VisibleLine(strings.TrimSpace(lines[max(subject, 0)].Text)))
	if len(about) > maxAboutRunes {
		about = append(about[:maxAboutRunes-1], '…')
	}
	return string(about)
}

const maxAboutRunes = 60

// consequence returns what the call would do, in words for the title.
func consequence(r entrypoint.Request) string {
	if r.Effect == metadata.Writes {
		return r.Deletion.What
	}
	if r.Effect == metadata.Destroys && r.Deletion.What != "" {
		return r.Deletion.What + " for good: this cannot be undone"
	}
	if r.Effect == metadata.Destroys {
		return "this cannot be undone"
	}
	what := r.Outgoing.What
	if what == "" {
		what = "something that reaches other people"
	}
	if len(r.Outgoing.People) == 0 {
		return what
	}
	return what + " to " + metadata.FirstFew(r.Outgoing.People)
}

// linesOf returns the lines below the title. If the lines for recipients do not have all
// recipients, it adds a line with the missing recipients. Addresses in other lines do not
// count, because any text may contain addresses.
func linesOf(r entrypoint.Request) []bundles.Line {
	lines := slices.Clone(r.Outgoing.Lines)
	if len(lines) == 0 {
		lines = append(arguments(r), r.Deletion.Lines...)
	}
	named := []string{}
	for _, line := range r.Outgoing.Lines {
		if slices.Contains(recipientLines, line.Name) {
			named = append(named, addresses(line.Text)...)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(r.Outgoing.People), func(recipient string) bool { return slices.Contains(named, recipient) })
	if len(missing) > 0 {
		lines = append(lines, bundles.Line{Name: "Reaches", Text: strings.Join(missing, ", ")})
	}
	return lines
}

// recipientLines has the names of the lines for recipients.
var recipientLines = []string{"To", "Cc", "Bcc", "Reaches"}

// addresses returns the addresses in a list, without names: "Ann <ann@example.com>,
// bob" gives ann@example.com and bob.
func addresses(list string) []string {
	found := []string{}
	for address := range strings.SplitSeq(list, ",") {
		address = strings.TrimSpace(address)
		if at := strings.LastIndexByte(address, '<'); at >= 0 && strings.HasSuffix(address, ">") {
			address = address[at+1 : len(address)-1]
		}
		found = append(found, address)
	}
	return found
}

// arguments returns the arguments of the call, in the order that the action declares.
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

// The limits of a question to a client, because clients show questions in a small window.
// A call with a longer text waits for `kota approve`.
const (
	maxAskedRunes = 6000
	maxAskedLines = 150
)

// fits reports whether the whole text fits into a question.
func (s RequestText) fits() bool {
	return utf8.RuneCountInString(s.Text) <= maxAskedRunes && strings.Count(s.Text, "\n") < maxAskedLines
}

// indented returns the text as it is printed after a line's name. If the text has several
// lines, it indents each of them, so that none looks like a line with a name.
func indented(text string) string {
	text = bundles.Visible(text)
	if !strings.Contains(text, "\n") {
		return " " + text
	}
	return "\n    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// Digest returns a hash of what the user approves. It covers the owner of the call, the tool,
// the arguments, the effect and everything that would be sent, destroyed or removed.
func Digest(r entrypoint.Request, owner string) string {
	content := r.Outgoing.Digest
	if r.Effect != metadata.Sends {
		content = r.Deletion.Digest()
	}
	return digestOf(callID(r, owner), string(r.Effect), hex.EncodeToString(content[:]))
}

// callID returns the id of a call: a hash of its owner, tool and arguments.
func callID(r entrypoint.Request, owner string) string {
	return digestOf(owner, r.Action.Tool, string(r.Args))
}

// digestOf returns the SHA-256 of the texts, in hex.
func digestOf(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// refusalSummary returns how often the user has refused: "said no 2 times in this
// conversation, last to gmail_send_message".
func refusalSummary(refusals []entrypoint.Refusal) string {
	times := "once"
	if len(refusals) > 1 {
		times = fmt.Sprintf("%d times", len(refusals))
	}
	return fmt.Sprintf("said no %s in this conversation, last to %s", times, refusals[len(refusals)-1].Tool)
}
