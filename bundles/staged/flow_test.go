package staged_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"kota/bundles/staged"
	"kota/metadata"
)

const completeAnswers = `"answers": {"to": "Anna", "merits": ["she came", "she stayed"]}`

// encodeJSON encodes an answer as JSON, for checks of the whole answer.
func encodeJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := metadata.Plain(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestFlowRunsEachStage(t *testing.T) {
	d := newFlowFixture()
	got := encodeJSON(t, d.call(t, `{}`))
	want := `{"stage":"discovery","types":[{"type":"toast","line":"a speech at the table"},{"type":"menu","line":"what is served"}],"next":{"ask":"Choose the type that fits; ask the user if none clearly does.","call":{"type":"toast"}}}`
	if got != want {
		t.Errorf("discovery answers\n%s, want\n%s", got, want)
	}
	got = encodeJSON(t, d.call(t, `{"type": "toast"}`))
	want = `{"stage":"instructions","handle":"s_0","type":"toast","period":"2026-11-20","instructions":"Ask whom it is for.",` +
		`"fields":["to*:str who is toasted","merits*:[str] one each","length:int minutes, 1 to 9"],` +
		`"starter":"# To <to>, 2026-11-20\n\n- <merits>\n\nIda is there. <length> min",` +
		`"next":{"ask":"Follow the instructions, then call with the answers.","call":{"answers":{"merits":["…"],"to":"…"},"handle":"s_0"}}}`
	if got != want {
		t.Errorf("instructions answer\n%s, want\n%s", got, want)
	}
	got = encodeJSON(t, d.call(t, `{"handle": "s_0", `+completeAnswers+`}`))
	want = `{"stage":"created","handle":"s_0","type":"toast","period":"2026-11-20","id":"d1","title":"To Anna","next":{}}`
	if got != want {
		t.Errorf("creation answers\n%s, want\n%s", got, want)
	}
	if want := "# To Anna, 2026-11-20\n\n- she came\n- she stayed\n\nIda is there. 3 min"; d.created[0].Body != want {
		t.Errorf("made %q, want %q", d.created[0].Body, want)
	}
}

func TestFlowCreatesFromOneCall(t *testing.T) {
	d := newFlowFixture()
	out := d.call(t, `{"type": "Toast", "period": "today", "title": "For Anna", `+completeAnswers+`}`)
	if out.Stage != "created" || out.ID != "d1" || out.Title != "For Anna" || out.Handle != "" {
		t.Errorf("got %s", encodeJSON(t, out))
	}
	if under := d.call(t, `{}`).Unfinished; under != nil {
		t.Errorf("%s are under way", encodeJSON(t, under))
	}
	t.Run("in the words models use", func(t *testing.T) {
		out := d.call(t, `{"document_type": "toast", "date": "2026-11-21", "fields": "{\"to\": \"Tom\", \"deeds\": \"he came\", \"length\": \"5\"}"}`)
		if out.Stage != "created" || out.Period != "2026-11-21" || !strings.HasSuffix(d.created[1].Body, "5 min") {
			t.Errorf("got %s of %+v", encodeJSON(t, out), d.created[1])
		}
	})
}

func TestFlowStoresPartialAnswers(t *testing.T) {
	d := newFlowFixture()
	out := d.call(t, `{"type": "toast", "answers": {"to": "Anna"}}`)
	if out.Stage != "instructions" || encodeJSON(t, out.Missing) != `["merits"]` || !strings.Contains(out.Starter, "# To Anna") {
		t.Fatalf("a call without all that is required answers %s", encodeJSON(t, out))
	}
	if got, want := encodeJSON(t, out.Next), `{"ask":"Answer what is missing; earlier answers are kept.","call":{"answers":{"merits":["…"]},"handle":"s_0"}}`; got != want {
		t.Errorf("next is %s, want %s", got, want)
	}
	t.Run("for whoever looks, without creating", func(t *testing.T) {
		out := d.call(t, `{"handle": "s_0"}`)
		if out.Stage != "instructions" || out.Instructions == "" || encodeJSON(t, out.Answers) != `{"to":"Anna"}` || len(d.created) != 0 {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
	t.Run("for whoever asks what is under way", func(t *testing.T) {
		if got := encodeJSON(t, d.call(t, `{}`).Unfinished); got != `[{"handle":"s_0","type":"toast","period":"2026-11-20"}]` {
			t.Errorf("got %s", got)
		}
	})
	t.Run("and takes no placeholder for an answer", func(t *testing.T) {
		out := d.call(t, `{"handle": "s_0", "title": "T", "answers": {"merits": ["…"]}}`)
		if out.Stage != "instructions" || encodeJSON(t, out.Missing) != `["merits"]` {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
	t.Run("until the last", func(t *testing.T) {
		out := d.call(t, `{"handle": "s_0", "answers": {"merits": ["she came"]}}`)
		if out.ID != "d1" || out.Title != "T" || encodeJSON(t, d.created[0].Answers) != `{"length":3,"merits":["she came"],"to":"Anna"}` {
			t.Errorf("got %s of %s", encodeJSON(t, out), encodeJSON(t, d.created[0].Answers))
		}
	})
}

func TestFlowWithoutRequiredFieldsWaitsForAnswers(t *testing.T) {
	d := newFlowFixture()
	out := d.call(t, `{"type": "menu", "answers": {}}`)
	if out.Stage != "instructions" || len(d.created) != 0 {
		t.Fatalf("nothing said, and got %s", encodeJSON(t, out))
	}
	if out = d.call(t, `{"handle": "s_0", "answers": {}}`); out.Stage != "created" {
		t.Errorf("got %s", encodeJSON(t, out))
	}
}

func TestFlowExplainsUnusableHandles(t *testing.T) {
	lost := `{"handle": "s_unknown", "type": "toast", ` + completeAnswers + `}`
	d := newFlowFixture()
	if _, err := d.stages.Open(t.Context(), "plan", "instructions", json.RawMessage(`{"type": 1}`)); err != nil {
		t.Fatal(err)
	}
	toast := d.call(t, `{"type": "toast"}`).Handle
	gone := d.call(t, `{"type": "menu"}`).Handle
	if out := d.call(t, `{"handle": "`+gone+`", "cancel": true}`); out.Stage != "cancelled" {
		t.Fatalf("cancelling answers %s", encodeJSON(t, out))
	}
	for name, c := range map[string]struct{ args, note string }{
		"one that nobody minted":   {lost, `The handle "s_unknown" is unknown`},
		"one of another action":    {strings.Replace(lost, "s_unknown", "s_0", 1), `The handle "s_0" belongs to plan, not to write`},
		"one that was given up":    {strings.Replace(lost, "s_unknown", gone, 1), "was cancelled"},
		"one of another type":      {`{"handle": "` + toast + `", "type": "menu", "answers": {"wine": "red"}}`, "belongs to toast of 2026-11-20 and was not changed"},
		"one of another day":       {`{"handle": "` + toast + `", "period": "2026-11-21", "type": "toast", ` + completeAnswers + `}`, "belongs to toast of 2026-11-20"},
		"one of a day, for a week": {`{"handle": "` + toast + `", "period": "2026-W47", "answers": {"wine": "red"}}`, "belongs to toast of 2026-11-20"},
		"a long one with no words": {`{"handle": "` + strings.Repeat("x", 90) + `", "type": "toast"}`, "xxx…"},
	} {
		t.Run(name, func(t *testing.T) {
			out := d.call(t, c.args)
			if out.Stage != "instructions" || !strings.Contains(out.Note, c.note) || len(d.created) != 0 {
				t.Fatalf("got %s, %d made", encodeJSON(t, out), len(d.created))
			}
			if out.Next.Call == nil || out.Next.Call.Handle == "" || out.Next.Call.Handle == toast {
				t.Errorf("the next call is %s", encodeJSON(t, out.Next))
			}
			if strings.Contains(c.args, "answers") && (len(out.Missing) > 0 || encodeJSON(t, out.Next.Call.Answers) != `{}`) {
				t.Errorf("what was answered is gone: %s", encodeJSON(t, out))
			}
		})
	}
	t.Run("whose type is not said leads to the types", func(t *testing.T) {
		out := d.call(t, `{"handle": "s_unknown", "answers": {"to": "Anna"}}`)
		if out.Stage != "discovery" || !strings.Contains(out.Note, "s_unknown") || !strings.Contains(out.Note, "give them again") {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
	t.Run("whose type is not said has the answers in the next call", func(t *testing.T) {
		out := d.call(t, `{"handle": "s_unknown", "answers": {"wine": "red"}}`)
		if out.Next.Call.Type != "menu" || encodeJSON(t, out.Next.Call.Answers) != `{"wine":"red"}` {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
	t.Run("cannot be given up, which is said", func(t *testing.T) {
		for _, c := range []string{`{"handle": "s_unknown", "cancel": true}`, `{"handle": "` + toast + `", "type": "menu", "cancel": true}`} {
			if out := d.call(t, c); out.Stage != "discovery" || !strings.HasSuffix(out.Note, "Nothing was cancelled.") || len(out.Unfinished) == 0 {
				t.Errorf("got %s", encodeJSON(t, out))
			}
		}
		if out := d.call(t, `{"handle": "`+gone+`", "cancel": true}`); out.Stage != "cancelled" {
			t.Errorf("given up again: %s", encodeJSON(t, out))
		}
	})
	t.Run("of a period that the first type is not of leads to one that is", func(t *testing.T) {
		out := d.call(t, `{"period": "2026-W47", "handle": "s_unknown"}`)
		if out.Type != "menu" {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
	t.Run("and the flow goes on in the end", func(t *testing.T) {
		out := d.call(t, lost)
		if out = d.call(t, encodeJSON(t, out.Next.Call)); out.Stage != "created" || out.Title != "To Anna" {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
}

func TestFlowRejectsInvalidCalls(t *testing.T) {
	d := newFlowFixture()
	handle := d.call(t, `{"type": "toast"}`).Handle
	for args, says := range map[string]string{
		`{"type": "tost"}`:                         `Did you mean "toast"?`,
		`{"type": "toast", "period": "2025"}`:      "Say a day.",
		`{"cancel": true}`:                         "lists unfinished documents",
		`{"type": "toast", "answers": {"too": 1}}`: `Try "to" for too.`,
		`{"handle": "` + handle + `", "answers": {"to": "Anna", "merits": [], "length": 12}}`: "Fix these problems",
		`{"handle": "` + handle + `", "type": "soup"}`:                                        "lists the types",
		`{"handle": "` + handle + `", "period": "soon"}`:                                      "Say a day.",
	} {
		_, err := d.tryCall(t.Context(), args)
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) || e.Code != metadata.ValidationError || !strings.Contains(e.Hint, says) {
			t.Errorf("%s: got %v, want the hint %q", args, err, says)
		}
	}
	if out := d.call(t, `{"handle": "`+handle+`"}`); len(out.Answers) != 0 || len(d.created) != 0 {
		t.Errorf("a refused call left %s", encodeJSON(t, out))
	}
}

func TestFlowCreatesOnce(t *testing.T) {
	last := `{"handle": "s_0", ` + completeAnswers + `}`
	begun := func(t *testing.T) *flowFixture {
		d := newFlowFixture()
		d.call(t, `{"type": "toast"}`)
		return d
	}
	t.Run("however often the last call is repeated", func(t *testing.T) {
		d := begun(t)
		first := d.call(t, last)
		for range 3 {
			out := d.call(t, last)
			if out.ID != first.ID || out.Title != first.Title || !out.Repeated || out.Note != "" || len(d.created) != 1 {
				t.Errorf("got %s, %d made", encodeJSON(t, out), len(d.created))
			}
		}
		if out := d.call(t, `{"handle": "s_0", "answers": {"to": "Tom"}}`); !out.Repeated || !strings.Contains(out.Note, "not in it: to.") {
			t.Errorf("other answers got %s", encodeJSON(t, out))
		}
		if out := d.call(t, `{"handle": "s_0", "cancel": true}`); out.ID != "d1" || !strings.Contains(out.Note, "does not undo that") {
			t.Errorf("cancelling got %s", encodeJSON(t, out))
		}
	})
	t.Run("although what was made could not be noted", func(t *testing.T) {
		d := begun(t)
		d.stages.Refuse = func(stage string) error {
			if stage == "created" {
				return errors.New("disk full")
			}
			return nil
		}
		if out := d.call(t, last); out.ID != "d1" || out.Repeated {
			t.Errorf("got %s", encodeJSON(t, out))
		}
		d.stages.Refuse = nil
		if out := d.call(t, `{"handle": "s_0"}`); out.ID != "d1" || !out.Repeated || len(d.created) != 1 {
			t.Errorf("then got %s, %d made", encodeJSON(t, out), len(d.created))
		}
	})
	t.Run("after what stood in the way is fixed", func(t *testing.T) {
		d := begun(t)
		d.createErr = metadata.Errorf(metadata.Conflict, "there is one").WithHint("Say another day.")
		if _, err := d.tryCall(t.Context(), last); metadata.CodeOf(err) != metadata.Conflict {
			t.Fatalf("got %v", err)
		}
		d.createErr = nil
		out := d.call(t, `{"handle": "s_0", "answers": {"to": "Tom"}}`)
		if out.Title != "To Tom" || out.Repeated || len(d.created) != 1 {
			t.Errorf("got %s", encodeJSON(t, out))
		}
	})
}

func TestFlowKeepsAnswersOfTwoClients(t *testing.T) {
	for range 50 {
		d := newFlowFixture()
		d.call(t, `{"type": "toast"}`)
		var all sync.WaitGroup
		answers := make([]staged.Answer, 8)
		for i := range answers {
			all.Go(func() {
				args := fmt.Sprintf(`{"handle": "s_0", "answers": {"merits": ["%d"]}}`, i)
				if i%2 == 0 {
					args = `{"handle": "s_0", "answers": {"to": "Anna"}}`
				}
				out, err := d.tryCall(t.Context(), args)
				if err != nil {
					t.Errorf("%s: %v", args, err)
				}
				answers[i] = out
			})
		}
		all.Wait()
		if len(d.created) != 1 {
			t.Fatalf("%d made", len(d.created))
		}
		for i, out := range answers {
			in := strings.Contains(d.created[0].Body, fmt.Sprintf("- %d", i))
			// The document contains every client's merits, unless a later client replaced
			// them before its creation, or the answer says that they came too late.
			tooLate := strings.Contains(out.Note, "not in it: merits")
			if i%2 == 1 && out.Stage == "created" && !in && !tooLate {
				t.Errorf("client %d got %s of %q", i, encodeJSON(t, out), d.created[0].Body)
			}
		}
	}
}
