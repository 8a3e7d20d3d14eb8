package gmail_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// concurrentChanges returns changes of Ann's mailbox that she also edits in Gmail before
// the undo. The pointer d refers to the fixture of the bundle that was created last.
func concurrentChanges(d **fixture) []bundletest.ConcurrentChange {
	list := []bundletest.ConcurrentChange{{Tool: "gmail_send_draft", WhyNoUndo: "what was sent stays sent"}}
	return slices.Concat(list, concurrentDraftChanges(d), concurrentLabelChanges(d), concurrentSettingsChanges(d))
}

// fixedArgs returns arguments that do not depend on the bundle.
func fixedArgs(a args) func(*testing.T, bundles.Bundle) any {
	return func(*testing.T, bundles.Bundle) any { return a }
}

func concurrentDraftChanges(d **fixture) []bundletest.ConcurrentChange {
	bodies := func(*testing.T, bundles.Bundle, json.RawMessage) string {
		texts := []string{}
		for _, draft := range (*d).ann.Drafts() {
			if strings.Contains(string(draft.Message.Raw), "in Gmail") {
				texts = append(texts, string(draft.Message.Raw))
			}
		}
		return strings.Join(texts, "\n")
	}
	edit := func(t *testing.T, _ bundles.Bundle, answer json.RawMessage) {
		var saved struct {
			ID string `json:"draft_id"`
		}
		if err := json.Unmarshal(answer, &saved); err != nil {
			t.Fatal(err)
		}
		if saved.ID == exampleDraft {
			saved.ID = (*d).ann.Drafts()[0].ID
		}
		(*d).editDraft(t, saved.ID, "Bring wine. Written in Gmail.")
	}
	list := []bundletest.ConcurrentChange{{
		Title: "a draft that is deleted, and another one written", Tool: "gmail_delete_draft", Args: fixedArgs(args{"draft_id": exampleDraft}),
		Change: func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) {
			(*d).draftInGmail(t, "To: bob@example.org\r\nSubject: Figures\r\n\r\nAnother one in Gmail.\r\n")
		},
		State: func(t *testing.T, b bundles.Bundle, answer json.RawMessage) string { return bodies(t, b, answer) },
	}}
	for tool, a := range map[string]args{
		"gmail_update_draft":    {"draft_id": exampleDraft, "body": "Here they come."},
		"gmail_send_message":    {"to": []string{bob}, "subject": "Lunch", "body": "At noon?", "as_draft": true},
		"gmail_reply_message":   {"message_id": exampleMessage, "body": "Thanks", "as_draft": true},
		"gmail_forward_message": {"message_id": exampleMessage, "to": []string{bob}, "body": "See", "as_draft": true},
	} {
		list = append(list, bundletest.ConcurrentChange{Title: tool + ", and the draft edited", Tool: tool, Args: fixedArgs(a), Change: edit, State: bodies})
	}
	return append(list, bundletest.ConcurrentChange{
		Title: "a draft that leaves a list, edited", Tool: unsubscribeTool, Change: edit, State: bodies,
		Args: func(*testing.T, bundles.Bundle) any {
			mail := (*d).ann.Deliver(fakegmail.Mail{From: "news@list.example", Subject: "News", Headers: []string{"List-Unsubscribe: <mailto:leave@list.example?subject=stop>"}})
			return args{"message_id": mail.ID, "confirm": true}
		},
	})
}

// editDraft replaces the text of a draft, like Gmail's own page.
func (d *fixture) editDraft(t *testing.T, id, text string) {
	t.Helper()
	raw := base64.URLEncoding.EncodeToString([]byte("From: " + ann + "\r\nTo: " + bob + "\r\nSubject: Lunch\r\n\r\n" + text + "\r\n"))
	if _, err := d.otherClient(t).Users.Drafts.Update("me", id, &gmailapi.Draft{Message: &gmailapi.Message{Raw: raw}}).Do(); err != nil {
		t.Fatal(err)
	}
}

// labelState returns the name and appearance of a label.
func (d *fixture) labelState(t *testing.T, id string) string {
	t.Helper()
	if id == "" {
		return ""
	}
	l, err := d.otherClient(t).Users.Labels.Get("me", id).Do()
	if err != nil {
		return err.Error()
	}
	color := gmailapi.LabelColor{}
	if l.Color != nil {
		color = *l.Color
	}
	return fmt.Sprint(l.Name, l.LabelListVisibility, color.BackgroundColor, l.MessagesTotal)
}

func concurrentLabelChanges(d **fixture) []bundletest.ConcurrentChange {
	patch := func(name string, change *gmailapi.Label) func(*testing.T, bundles.Bundle, json.RawMessage) {
		return func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) {
			(*d).labelID = (*d).ann.Label(name)
			if _, err := (*d).otherClient(t).Users.Labels.Patch("me", (*d).labelID, change).Do(); err != nil {
				t.Fatal(err)
			}
		}
	}
	state := func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) string {
		return (*d).labelState(t, (*d).labelID)
	}
	work := func(a args) func(*testing.T, bundles.Bundle) any {
		return func(*testing.T, bundles.Bundle) any {
			(*d).ann.Label("Work")
			return a
		}
	}
	brown := &gmailapi.LabelColor{BackgroundColor: "#7a4706", TextColor: "#ffffff"}
	list := []bundletest.ConcurrentChange{}
	for title, c := range map[string]struct {
		args   args
		change func(*testing.T, bundles.Bundle, json.RawMessage)
	}{
		"a label that was made, renamed":         {args{"operation": "create", "name": "New"}, patch("New", &gmailapi.Label{Name: "Newer"})},
		"a label that was made, coloured":        {args{"operation": "create", "name": "New"}, patch("New", &gmailapi.Label{Color: brown})},
		"a label that was renamed, and again":    {args{"operation": "rename", "name": "Work", "new_name": "Job"}, patch("Job", &gmailapi.Label{Name: "Office"})},
		"a label that was coloured, and again":   {args{"operation": "color", "name": "Work", "color": "red"}, patch("Work", &gmailapi.Label{Color: brown})},
		"a label that was hidden, and half seen": {args{"operation": "hide", "name": "Work"}, patch("Work", &gmailapi.Label{LabelListVisibility: "labelShowIfUnread"})},
		"a label that was made, and put on a mail": {args{"operation": "create", "name": "New"}, func(_ *testing.T, _ bundles.Bundle, _ json.RawMessage) {
			(*d).labelID = (*d).ann.Label("New")
			(*d).ann.Deliver(fakegmail.Mail{Subject: "x", Labels: []string{(*d).labelID}})
		}},
		"a label that was deleted, and made again in brown": {args{"operation": "delete", "name": "Work"}, patch("Work", &gmailapi.Label{Color: brown})},
	} {
		list = append(list, bundletest.ConcurrentChange{Title: title, Tool: labelTool, Args: work(c.args), Change: c.change, State: state})
	}
	return append(list, bundletest.ConcurrentChange{
		Title: "a mail that was archived, then trashed", Tool: modifyTool,
		Args: func(*testing.T, bundles.Bundle) any {
			return args{"ids": (*d).ann.Deliver(fakegmail.Mail{From: bob, Subject: "Spring"}).ID, "archive": true}
		},
		Change: func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) {
			mail := (*d).ann.Messages("subject:Spring")[0]
			if _, err := (*d).otherClient(t).Users.Messages.Trash("me", mail.ID).Do(); err != nil {
				t.Fatal(err)
			}
		},
		State: func(*testing.T, bundles.Bundle, json.RawMessage) string {
			return fmt.Sprint(len((*d).ann.Messages("subject:Spring in:trash")))
		},
	})
}

func concurrentSettingsChanges(d **fixture) []bundletest.ConcurrentChange {
	filters := func(*testing.T, bundles.Bundle, json.RawMessage) string {
		starred := []string{}
		for _, f := range (*d).ann.Filters() {
			if raw := fmt.Sprintf("%s%s", f.Criteria, f.Action); strings.Contains(raw, "STARRED") {
				starred = append(starred, raw)
			}
		}
		return fmt.Sprint(starred)
	}
	star := func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) {
		api := (*d).otherClient(t).Users.Settings.Filters
		for _, f := range (*d).ann.Filters() {
			if err := api.Delete("me", f.ID).Do(); err != nil {
				t.Fatal(err)
			}
		}
		filter := &gmailapi.Filter{Criteria: &gmailapi.FilterCriteria{From: "news@example.com"}, Action: &gmailapi.FilterAction{AddLabelIds: []string{"STARRED"}}}
		if _, err := api.Create("me", filter).Do(); err != nil {
			t.Fatal(err)
		}
	}
	news := args{"operation": "create", "from": "news@example.com", "archive": true}
	reply := func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) string {
		v := (*d).vacation(t)
		return v.ResponseSubject + v.ResponseBodyHtml + v.ResponseBodyPlainText
	}
	write := func(t *testing.T, _ bundles.Bundle, _ json.RawMessage) {
		v := (*d).vacation(t)
		v.ResponseSubject, v.ResponseBodyHtml = "Ill", "<p>Back on Monday, written in Gmail</p>"
		(*d).setVacation(t, v)
	}
	return []bundletest.ConcurrentChange{
		{Title: "a filter that was made, then changed", Tool: filterTool, Args: fixedArgs(news), Change: star, State: filters},
		{Title: "a filter that was deleted, then another one made", Tool: filterTool, Change: star, State: filters, Args: func(t *testing.T, b bundles.Bundle) any {
			made := bundletest.Must[filtersAnswer](t, b, filterTool, news)
			return args{"operation": "delete", "filter_id": made.Filters[0].ID}
		}},
		{Title: "an automatic reply that was set, then rewritten", Tool: vacationTool, Change: write, State: reply, Args: fixedArgs(args{"operation": "set", "subject": "Away", "body": "Until May"})},
		{Title: "an automatic reply that was switched off, then rewritten", Tool: vacationTool, Change: write, State: reply, Args: func(t *testing.T, _ bundles.Bundle) any {
			(*d).setVacation(t, gmailapi.VacationSettings{EnableAutoReply: true, ResponseSubject: "Old", ResponseBodyHtml: "<p>old</p>"})
			return args{"operation": "off"}
		}},
	}
}

func (d *fixture) setVacation(t *testing.T, v gmailapi.VacationSettings) {
	t.Helper()
	if _, err := d.otherClient(t).Users.Settings.UpdateVacation("me", &v).Do(); err != nil {
		t.Fatal(err)
	}
}
