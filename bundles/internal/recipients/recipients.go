// Package recipients replaces names among recipients by addresses: to: ["raj"]. It never guesses. A
// name is replaced only if exactly one person whom the user knows has it, and one address of that
// person comes into question. Otherwise the caller gets the candidates.
package recipients

import (
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"

	"kota/bundles"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
	"kota/metadata/words"
)

// A Field is an argument with recipients.
type Field struct {
	Path string // "to"
	List *[]string
}

const (
	maxName       = 100 // characters; longer texts are no names
	maxCandidates = 8
)

// Resolve replaces the names in the fields. What has an @ or cannot be a name stays as it is. The
// VALIDATION_ERROR for names that do not mean exactly one address lists all of them, with their
// candidates.
func Resolve(ctx context.Context, fields ...Field) error {
	problems := []metadata.Problem{}
	for _, f := range fields {
		for i, text := range *f.List {
			if !isName(text) {
				continue
			}
			found, err := bundles.FindPeople(ctx, text)
			if err != nil {
				return err
			}
			if exact := distinct(found.Exact); len(exact) == 1 {
				list := slices.Clone(*f.List)
				list[i] = mailmsg.Format(&mail.Address{Name: htmltext.Line(exact[0].Name), Address: exact[0].Address})
				*f.List = list
				continue
			}
			candidates := distinct(append(slices.Clone(found.Exact), found.Similar...))
			if len(candidates) == 0 && bundles.EnvOf(ctx).FindPeople == nil {
				continue // nothing looks names up: the name is reported as no address
			}
			problems = append(problems, metadata.Problem{
				Path: fmt.Sprintf("%s[%d]", f.Path, i), Expected: expected(ctx, candidates), Got: strconv.Quote(htmltext.Short(text, maxName)),
			})
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return metadata.Invalid(problems).WithHint("Nothing was done. A name is used only if it means exactly one address. Ask the user whom they mean, then call again with the address.")
}

func isName(text string) bool {
	return !strings.Contains(text, "@") && len(text) <= maxName && mailmsg.IsLine(text) && len(nameWords(text)) > 0
}

// distinct returns the people without those who have the address of an earlier one.
func distinct(people []bundles.Person) []bundles.Person {
	kept := []bundles.Person{}
	for _, p := range people {
		if !slices.ContainsFunc(kept, func(k bundles.Person) bool { return mailmsg.Canonical(k.Address) == mailmsg.Canonical(p.Address) }) {
			kept = append(kept, p)
		}
	}
	return kept
}

// expected describes the candidates. Their texts may be by others.
func expected(ctx context.Context, candidates []bundles.Person) string {
	if len(candidates) == 0 {
		return "a mail address, or the name of one person who is known"
	}
	described := []string{}
	for _, p := range candidates[:min(len(candidates), maxCandidates)] {
		if p.Untrusted {
			bundles.MarkUntrusted(ctx)
		}
		text := mailmsg.Format(&mail.Address{Name: htmltext.Short(p.Name, maxName), Address: p.Address})
		if p.Known != "" {
			text += " (" + htmltext.Short(p.Known, maxName) + ")"
		}
		described = append(described, text)
	}
	if more := len(candidates) - len(described); more > 0 {
		described = append(described, fmt.Sprintf("%d more", more))
	}
	return "one address of " + strings.Join(described, "; ")
}

// Has reports whether a name has all words of what was asked: "anna" is a word of "Anna Meier". Case
// and accents do not matter. Letters of another alphabet that look alike are other letters.
func Has(name, asked string) bool {
	all := nameWords(name)
	wanted := nameWords(asked)
	return len(wanted) > 0 && !slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(all, word) })
}

func nameWords(text string) []string {
	const most = 20
	found := []string{}
	for _, token := range words.Split(text, most) {
		found = append(found, token.Text)
	}
	return found
}
