package memory_test

import "testing"

func TestCategoryOfRecallMayBeMisspelt(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "favourite tea", "value": "Assam", "category": "preferences"}`)
	if got := value(t, call(t, b, "memory_get", `{"query": "favourite tea", "category": "Preferences"}`)); got != "Assam" {
		t.Errorf("got %v", got)
	}
	for tool, args := range map[string]string{
		"memory_get":    `{"query": "favourite tea", "category": "preferencs"}`,
		"memory_search": `{"query": "tea", "category": "preferencs"}`,
	} {
		const want = `There is no category "preferencs". Did you mean "preferences"?`
		if got := call(t, b, tool, args); got["note"] != want {
			t.Errorf("%s: got %v, want the note %s", tool, got, want)
		}
	}
	if got := call(t, b, "memory_get", `{"query": "coffee", "category": "preferences"}`); got["note"] != nil {
		t.Errorf("got the note %v for a category that exists", got["note"])
	}
}

func TestBlankSearchListsEverything(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "favourite tea", "value": "Assam"}`)
	if got := call(t, b, "memory_search", `{"query": "   "}`)["hits"].([]any); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

func TestWhatIsDoneIsNoAnswerToWhatIsNot(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "dog", "value": "Bruno, a Labrador, eats twice a day"}`)
	if got := call(t, b, "memory_get", `{"query": "what can I not eat"}`)["confidence"]; got == "high" {
		t.Errorf("the confidence is %v", got)
	}
	call(t, b, "memory_set", `{"key": "allergies", "value": "Ann must not eat nuts"}`)
	if got := value(t, call(t, b, "memory_get", `{"query": "what can Ann not eat"}`)); got != "Ann must not eat nuts" {
		t.Errorf("got %v", got)
	}
}
