package gmail_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

// A removalRecorder records which removals a call asks about and which items it shows. It
// answers each question with refusal.
type removalRecorder struct {
	removals []bundles.Removal
	shown    []string
	refusal  error
}

// call runs a call of the bundle with the recorder.
func (w *removalRecorder) call(t *testing.T, b bundles.Bundle, tool string, in args) error {
	t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(b.Actions, func(a bundles.Action) bool { return a.Tool == tool })
	call, err := b.Actions[i].Prepare(raw)
	if err != nil {
		t.Fatal(err)
	}
	_, err = call.Do(bundletest.WithRemovalPolicy(bundletest.WithUserConsent(t.Context()), bundles.RemovalPolicy{
		MarkShown: func(item string) { w.shown = append(w.shown, item) },
		Confirm:   func(_ context.Context, r bundles.Removal) error { w.removals = append(w.removals, r); return w.refusal },
	}))
	return err
}

func TestModifyAsksBeforeItRemovesMail(t *testing.T) {
	for name, c := range map[string]struct {
		in    args // in addition to the messages
		had   []string
		words string // "" if nothing is asked
	}{
		"trash":            {args{"trash": true}, nil, "moves 2 messages to the trash"},
		"trash by name":    {args{"add_labels": []string{"Trash"}}, nil, "moves 2 messages to the trash"},
		"spam":             {args{"spam": true}, nil, "reports 2 messages as spam"},
		"archive":          {args{"archive": true}, nil, "removes 2 messages from the inbox"},
		"archive by name":  {args{"remove_labels": []string{"inbox"}}, nil, "removes 2 messages from the inbox"},
		"archive and more": {args{"archive": true, "read": true}, nil, "removes 2 messages from the inbox"},
		"mark as read":     {args{"read": true}, nil, ""},
		"archived before":  {args{"archive": true, "star": true}, []string{"Label_x"}, ""},
		"back to inbox":    {args{"archive": false}, []string{"Label_x"}, ""},
		"out of the trash": {args{"trash": false}, []string{"TRASH"}, ""},
		"dry run":          {args{"trash": true, "dry_run": true}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			ids := []string{}
			for i := range 2 {
				ids = append(ids, d.ann.Deliver(fakegmail.Mail{From: "Eve <eve@example.net>", Subject: fmt.Sprint("Offer ", i), Labels: c.had}).ID)
			}
			before := d.labelsOf(t, ids[0])
			in := args{"ids": ids}
			for key, value := range c.in {
				in[key] = value
			}
			w := &removalRecorder{refusal: metadata.Errorf(metadata.Refused, "no")}
			err := w.call(t, d.bundle, "gmail_modify_messages", in)
			if c.words == "" {
				if len(w.removals) > 0 || err != nil {
					t.Errorf("%d are asked about, %v", len(w.removals), err)
				}
				return
			}
			if len(w.removals) != 1 || metadata.CodeOf(err) != metadata.Refused {
				t.Fatalf("%d are asked about, %v", len(w.removals), err)
			}
			if after := d.labelsOf(t, ids[0]); after != before {
				t.Errorf("a message that was refused has %s, had %s", after, before)
			}
			got, err := w.removals[0].Describe()
			if err != nil || got.What != c.words || len(got.Lines) != 2 || !strings.Contains(got.Lines[0].Text, `"Eve" <eve@example.net> · Offer`) || w.removals[0].Count != 2 {
				t.Errorf("described as %+v, %v", got, err)
			}
			if len(got.All) != 3 || slices.Contains(got.All, ids[0]) != slices.Contains(got.All, ids[1]) {
				t.Errorf("all are %q", got.All)
			}
		})
	}
}

// ConfirmRemoval and MarkShown use the same names for the same mail.
func TestShownAndRemovedMailHaveTheSameItems(t *testing.T) {
	d := newFixture(t)
	first := d.ann.Deliver(fakegmail.Mail{Subject: "One"})
	answer := d.ann.Deliver(fakegmail.Mail{Subject: "Re: One", ThreadWith: first.ID})
	for name, c := range map[string]struct {
		tool string
		in   args
		also bool // the reply is shown too
	}{
		"search": {"gmail_search_messages", args{"query": "subject:One"}, true},
		"get":    {"gmail_get_message", args{"ids": []string{first.ID}}, false},
		"thread": {"gmail_get_thread", args{"thread_id": first.ThreadID}, true},
	} {
		shows, removes, whole := &removalRecorder{}, &removalRecorder{refusal: metadata.Errorf(metadata.Refused, "no")}, &removalRecorder{refusal: metadata.Errorf(metadata.Refused, "no")}
		if err := shows.call(t, d.bundle, c.tool, c.in); err != nil {
			t.Fatal(name, err)
		}
		_ = removes.call(t, d.bundle, "gmail_modify_messages", args{"ids": []string{first.ID, answer.ID}, "trash": true})
		_ = whole.call(t, d.bundle, "gmail_modify_messages", args{"thread_ids": []string{first.ThreadID}, "trash": true})
		if len(removes.removals) != 1 || len(whole.removals) != 1 {
			t.Fatalf("%s: asked %d and %d times", name, len(removes.removals), len(whole.removals))
		}
		items := removes.removals[0].Items
		if len(items) != 2 || !slices.Contains(shows.shown, items[0]) || slices.Contains(shows.shown, items[1]) != c.also {
			t.Errorf("%s: shown are %q, removed %q", name, shows.shown, items)
		}
		all := !slices.ContainsFunc(whole.removals[0].Items, func(item string) bool { return !slices.Contains(shows.shown, item) })
		if len(whole.removals[0].Items) != 2 || all != c.also || whole.removals[0].Count != 2 {
			t.Errorf("%s: shown are %q, of the thread %q", name, shows.shown, whole.removals[0].Items)
		}
	}
}

func TestCreateFilterAsksBeforeItRemovesMail(t *testing.T) {
	for name, c := range map[string]struct {
		in    args
		words string
	}{
		"trash":   {args{"trash": true}, "creates a filter that moves future mail to the trash"},
		"archive": {args{"archive": true}, "creates a filter that keeps future mail out of the inbox"},
		"star":    {args{"star": true}, ""},
	} {
		d := newFixture(t)
		c.in["operation"], c.in["from"] = "create", "bank@example.com"
		w := &removalRecorder{refusal: metadata.Errorf(metadata.Refused, "no")}
		err := w.call(t, d.bundle, "gmail_manage_filter", c.in)
		if c.words == "" {
			if err != nil || len(w.removals) > 0 {
				t.Errorf("%s: %d asked, %v", name, len(w.removals), err)
			}
			continue
		}
		if len(w.removals) != 1 || len(w.removals[0].Items) > 0 || metadata.CodeOf(err) != metadata.Refused {
			t.Fatalf("%s: asked %+v, %v", name, w.removals, err)
		}
		if got, err := w.removals[0].Describe(); err != nil || got.What != c.words || !strings.Contains(got.Lines[0].Text, "bank@example.com") {
			t.Errorf("%s: described as %+v, %v", name, got, err)
		}
		if list := bundletest.Must[struct{ Filters []any }](t, d.bundle, "gmail_manage_filter", args{"operation": "list"}); len(list.Filters) > 0 {
			t.Errorf("%s: a filter that was refused is there: %v", name, list.Filters)
		}
	}
}

// A call shows the mail in its answer, but not other mail that it read.
func TestMarkShownCoversOnlyTheAnswer(t *testing.T) {
	d := newFixture(t)
	for i := range 3 {
		d.ann.Deliver(fakegmail.Mail{From: "Bob <bob@example.org>", To: ann, Subject: fmt.Sprint("Lunch ", i, "?"), Text: "Can you come?"})
	}
	long := d.ann.Deliver(fakegmail.Mail{Subject: "One", Labels: []string{"Label_x"}})
	d.ann.Deliver(fakegmail.Mail{Subject: "Re: One", ThreadWith: long.ID, Labels: []string{"Label_x"}})
	for name, c := range map[string]struct {
		tool string
		in   args
		want int
	}{
		"search":           {"gmail_search_messages", args{"query": "subject:Lunch", "limit": 2}, 2},
		"followups":        {"gmail_find_followups", args{"direction": "i_owe_them", "limit": 1}, 2}, // one waits for an answer, and one asks nothing
		"part of a thread": {"gmail_get_thread", args{"thread_id": long.ThreadID, "limit": 1}, 1},
		"dry run":          {"gmail_modify_messages", args{"query": "subject:Lunch", "trash": true, "dry_run": true}, 0},
	} {
		w := &removalRecorder{}
		if err := w.call(t, d.bundle, c.tool, c.in); err != nil {
			t.Fatal(name, err)
		}
		if len(w.shown) != c.want {
			t.Errorf("%s: shown are %q, want %d", name, w.shown, c.want)
		}
	}
}
