package googletest_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"google.golang.org/api/gmail/v1"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakegmail"
)

func encode(raw string) string { return base64.URLEncoding.EncodeToString([]byte(raw)) }

func TestLabelLifeCycle(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	mail := gmailOf(t, s, ada)
	made, err := mail.Users.Labels.Create("me", &gmail.Label{Name: "Work/Big"}).Do()
	if err != nil || made.Type != "user" || made.LabelListVisibility != "labelShow" {
		t.Fatalf("%+v, %v", made, err)
	}
	for name, code := range map[string]int{"work/big": 409, "Inbox": 400, "": 400, "a//b": 400} {
		_, err := mail.Users.Labels.Create("me", &gmail.Label{Name: name, ForceSendFields: []string{"Name"}}).Do()
		if refused := googleError(t, err); refused.Code != code {
			t.Errorf("%q: %v, want %d", name, err, code)
		}
	}
	for text, good := range map[string]bool{"#ffffff": true, "#123456": false} {
		_, err := mail.Users.Labels.Patch("me", made.Id, &gmail.Label{Color: &gmail.LabelColor{TextColor: text, BackgroundColor: "#000000"}}).Do()
		if (err == nil) != good {
			t.Errorf("text in %q: %v", text, err)
		}
	}
	msg := u.Deliver(fakegmail.Mail{Labels: []string{made.Id, "UNREAD"}})
	got, err := mail.Users.Labels.Get("me", made.Id).Do()
	if err != nil || got.MessagesTotal != 1 || got.ThreadsUnread != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	renamed, err := mail.Users.Labels.Patch("me", made.Id, &gmail.Label{Name: "Home"}).Do()
	if err != nil || renamed.Id != made.Id || renamed.Name != "Home" {
		t.Errorf("%+v, %v", renamed, err)
	}
	if own := u.Labels(); len(own) != 1 || own[0].Name != "Home" {
		t.Errorf("labels are %+v", own)
	}
	for _, label := range []string{"Label_404", "SENT", "DRAFT"} {
		_, err := mail.Users.Messages.Modify("me", msg.ID, &gmail.ModifyMessageRequest{AddLabelIds: []string{label}}).Do()
		if refused := googleError(t, err); refused.Code != 400 {
			t.Errorf("adding %s: %v", label, err)
		}
	}
	if err := mail.Users.Labels.Delete("me", made.Id).Do(); err != nil {
		t.Fatal(err)
	}
	if left := u.Messages("is:unread")[0].Labels; !slices.Equal(left, []string{"UNREAD"}) {
		t.Errorf("the message keeps %q", left)
	}
	err = mail.Users.Labels.Delete("me", "INBOX").Do()
	if refused := googleError(t, err); refused.Code != 400 {
		t.Errorf("deleting the inbox: %v", err)
	}
}

func TestFiltersApplyToIncomingMail(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	mail := gmailOf(t, s, ada)
	label := u.Label("News")
	rule := &gmail.Filter{
		Criteria: &gmail.FilterCriteria{From: "shop.example OR mall.example", NegatedQuery: "urgent"},
		Action:   &gmail.FilterAction{AddLabelIds: []string{label}, RemoveLabelIds: []string{"INBOX"}},
	}
	made, err := mail.Users.Settings.Filters.Create("me", rule).Do()
	if err != nil || made.Id == "" {
		t.Fatal(err)
	}
	_, again := mail.Users.Settings.Filters.Create("me", rule).Do()
	_, empty := mail.Users.Settings.Filters.Create("me", &gmail.Filter{Action: rule.Action}).Do()
	_, forward := mail.Users.Settings.Filters.Create("me", &gmail.Filter{Criteria: rule.Criteria, Action: &gmail.FilterAction{Forward: "x@y.test"}}).Do()
	for _, err := range []error{again, empty, forward} {
		if refused := googleError(t, err); refused.Code != 400 {
			t.Errorf("got %v", err)
		}
	}
	phrase, err := mail.Users.Settings.Filters.Create("me", &gmail.Filter{Criteria: &gmail.FilterCriteria{Subject: "  weekly   report ", To: "dan@"}, Action: &gmail.FilterAction{AddLabelIds: []string{"STARRED"}}}).Do()
	if err != nil {
		t.Fatal(err)
	}
	for subject, want := range map[string]bool{"The Weekly report": true, "Report, weekly": false} {
		if got := u.Deliver(fakegmail.Mail{From: bob, Cc: "Dan <dan@example.org>", Subject: subject}); slices.Contains(got.Labels, "STARRED") != want {
			t.Errorf("%s has labels %q", subject, got.Labels)
		}
	}
	if err := mail.Users.Settings.Filters.Delete("me", phrase.Id).Do(); err != nil {
		t.Fatal(err)
	}
	for subject, want := range map[string]bool{"Sale": true, "Urgent sale": false} {
		got := u.Deliver(fakegmail.Mail{From: "a@mall.example", Subject: subject})
		if slices.Contains(got.Labels, label) != want || slices.Contains(got.Labels, "INBOX") == want {
			t.Errorf("%s has labels %q", subject, got.Labels)
		}
	}
	listed, err := mail.Users.Settings.Filters.List("me").Do()
	if err != nil || len(listed.Filter) != 1 || len(u.Filters()) != 1 {
		t.Errorf("%+v, %v", listed, err)
	}
	if err := mail.Users.Settings.Filters.Delete("me", made.Id).Do(); err != nil {
		t.Error(err)
	}
}

func TestIdentitiesAndVacation(t *testing.T) {
	s := googletest.New(t)
	s.User(ada).SendAs(fakegmail.SendAs{Email: "sales@example.com", Name: "Sales", Signature: "<b>S</b>", Default: true})
	mail := gmailOf(t, s, ada)
	listed, err := mail.Users.Settings.SendAs.List("me").Do()
	if err != nil || len(listed.SendAs) != 2 || !listed.SendAs[0].IsPrimary || !listed.SendAs[1].IsDefault || listed.SendAs[0].IsDefault {
		t.Fatalf("%+v, %v", listed, err)
	}
	for _, v := range []*gmail.VacationSettings{{EnableAutoReply: true}, {EnableAutoReply: true, ResponseSubject: "x", StartTime: 2, EndTime: 1}} {
		_, err := mail.Users.Settings.UpdateVacation("me", v).Do()
		if refused := googleError(t, err); refused.Code != 400 {
			t.Errorf("%+v: %v", v, err)
		}
	}
	if _, err := mail.Users.Settings.UpdateVacation("me", &gmail.VacationSettings{EnableAutoReply: true, ResponseBodyHtml: "Away"}).Do(); err != nil {
		t.Fatal(err)
	}
	if got, err := mail.Users.Settings.GetVacation("me").Do(); err != nil || !got.EnableAutoReply || got.ResponseBodyHtml != "Away" {
		t.Errorf("%+v, %v", got, err)
	}
	readonly := gmailOf(t, s, ada, "gmail.readonly")
	if _, err := readonly.Users.Settings.GetVacation("me").Do(); err != nil {
		t.Error(err)
	}
	_, err = readonly.Users.Settings.UpdateVacation("me", &gmail.VacationSettings{}).Do()
	if refused := googleError(t, err); refused.Code != 403 {
		t.Errorf("got %v", err)
	}
}
