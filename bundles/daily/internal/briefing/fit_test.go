package briefing

import (
	"fmt"
	"strings"
	"testing"
)

// A briefing fits, however much the sources return. Each part shows its first items and
// says how many it leaves out.
func TestFitKeepsBriefingWithinLimit(t *testing.T) {
	for name, text := range map[string]string{"latin": "Call the landlord about the roof", "greek": "Κάλεσε τον ιδιοκτήτη για τη στέγη", "chinese": "给房东打电话说屋顶的事", "emoji": "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧"} {
		for _, n := range []int{0, 1, 5, 200} {
			out := Briefing{Date: "2026-11-20"}
			for i := range n {
				out.Calendar.Items = append(out.Calendar.Items, briefEvent{When: "09:00–10:00", Title: text, importance: i % 4})
				out.Tasks.Items = append(out.Tasks.Items, briefTask{ID: fmt.Sprint(i), Text: text})
				out.Mail.Items = append(out.Mail.Items, briefMail{ID: fmt.Sprint(i), From: "Bob", Subject: text})
			}
			out.Memories.Items = []briefMemory{{Key: "k", Text: text}}
			out.Tasks.omitted, out.Tasks.moreCall = 3, "daily_task {}"
			out.fit()
			if got := estimateTokens(out); got > maxBriefingTokens {
				t.Errorf("%s, %d of each: it takes %d", name, n, got)
			}
			if len(out.Memories.Items) != 1 || n > 0 && (len(out.Calendar.Items) == 0 || len(out.Tasks.Items) == 0 || len(out.Mail.Items) == 0) {
				t.Errorf("%s, %d of each: a part shows nothing", name, n)
			}
			if want := fmt.Sprintf("%d more: daily_task {}", n+3-len(out.Tasks.Items)); out.Tasks.More != want {
				t.Errorf("%s, %d of each: it says %q, want %q", name, n, out.Tasks.More, want)
			}
		}
	}
}

func TestTrimKeepsMostImportantInOrder(t *testing.T) {
	part := briefPart[briefEvent]{moreCall: ""}
	for i, importance := range []int{3, 0, 2, 1, 0} {
		part.Items = append(part.Items, briefEvent{When: fmt.Sprint(i), Title: strings.Repeat("word ", 10), importance: importance})
	}
	part.trim(estimateTokens(part.Items[0])*3 + 2)
	got := ""
	for _, row := range part.Items {
		got += row.When
	}
	if got != "134" || part.More != "2 more" {
		t.Errorf("got %q, %q", got, part.More)
	}
}
