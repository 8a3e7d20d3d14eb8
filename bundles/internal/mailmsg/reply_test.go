package mailmsg_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles/internal/mailmsg"
)

func TestSubjectHasOnePrefix(t *testing.T) {
	for subject, want := range map[string][2]string{ // answered, forwarded
		"Lunch":           {"Re: Lunch", "Fwd: Lunch"},
		"":                {"Re:", "Fwd:"},
		"Re: Lunch":       {"Re: Lunch", "Fwd: Re: Lunch"},
		"RE: Lunch":       {"RE: Lunch", "Fwd: RE: Lunch"},
		"re:Lunch":        {"re:Lunch", "Fwd: re:Lunch"},
		"RE[2]: Lunch":    {"RE[2]: Lunch", "Fwd: RE[2]: Lunch"},
		"AW: Essen":       {"AW: Essen", "Fwd: AW: Essen"},
		"SV: Lunch":       {"SV: Lunch", "Fwd: SV: Lunch"},
		"回复:午餐":           {"回复:午餐", "Fwd: 回复:午餐"},
		"回复\uff1a午餐":      {"回复\uff1a午餐", "Fwd: 回复\uff1a午餐"},
		"Fwd: Lunch":      {"Re: Fwd: Lunch", "Fwd: Lunch"},
		"FW: Lunch":       {"Re: FW: Lunch", "FW: Lunch"},
		"Reply: Lunch":    {"Re: Reply: Lunch", "Fwd: Reply: Lunch"},
		"Ref: 12":         {"Re: Ref: 12", "Fwd: Ref: 12"},
		"a\r\n b\u2028 c": {"Re: a b c", "Fwd: a b c"},
	} {
		if got := mailmsg.ReplySubject(subject); got != want[0] {
			t.Errorf("answer to %q: got %q, want %q", subject, got, want[0])
		}
		if got := mailmsg.ForwardSubject(subject); got != want[1] {
			t.Errorf("forward of %q: got %q, want %q", subject, got, want[1])
		}
		if !mailmsg.SameTopic(subject, want[0]) || !mailmsg.SameTopic(want[1], subject) || mailmsg.SameTopic(subject, subject+" too") {
			t.Errorf("%q: its topic is not that of its answer alone", subject)
		}
	}
}

func TestReferencesContinueParent(t *testing.T) {
	for name, c := range map[string]struct{ references, inReplyTo, id, want string }{
		"the history and the parent":           {"<a@x>\r\n\t<b@x>", "<b@x>", "<c@x>", "<a@x> <b@x> <c@x>"},
		"In-Reply-To stands in":                {"", "<b@x>", "<c@x>", "<b@x> <c@x>"},
		"but not when it is several":           {"", "<a@x> <b@x>", "<c@x>", "<c@x>"},
		"a first answer":                       {"", "", "<c@x>", "<c@x>"},
		"a parent without an id":               {"<a@x>", "", "", "<a@x>"},
		"nothing at all":                       {"", "", "", ""},
		"what is no id is left out":            {"garbage <a@x> \"<b\r\nBcc: e@v>\" <ü@x>", "", "<c@x>", "<a@x> <c@x>"},
		"a comment around the parent's id too": {"", "", "(hm) <c@x>", "<c@x>"},
	} {
		if got := strings.Join(mailmsg.References(c.references, c.inReplyTo, c.id), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestLongReferencesKeepFirstAndNewest(t *testing.T) {
	var ids []string
	for i := range 2000 {
		ids = append(ids, fmt.Sprintf("<%d@example.com>", i))
	}
	got := mailmsg.References(strings.Join(ids, " "), "", "<new@example.com>")
	if len(strings.Join(got, " ")) > 8<<10 || len(got) < 300 {
		t.Errorf("got %d ids", len(got))
	}
	if got[0] != ids[0] || !slices.Equal(got[len(got)-3:], []string{"<1998@example.com>", "<1999@example.com>", "<new@example.com>"}) {
		t.Errorf("got %v … %v", got[0], got[len(got)-3:])
	}
}
