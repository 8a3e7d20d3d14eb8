package googletest_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"google.golang.org/api/gmail/v1"

	"kota/bundles/internal/google/googletest"
)

func encode(raw string) string { return base64.URLEncoding.EncodeToString([]byte(raw)) }

func TestLabelsLive(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	mail := gmailOf(t, s, ada)
	made, err := mail.Users.Labels.Create("me", &gmail.Label{Name: "Work/Big"}).Do()
	if err != nil || made.Type != "user" || made.LabelListVisibility != "labelShow" {
		t.Fatalf("%+v, %v", made, err)
	}
	for name, code := range map[string]int{"work/big": 409, "Inbox": 400, "": 400, "a//b": 400} {
		_, err := mail.Users.Labels.Create("me", &gmail.Label{Name: name, ForceSendFields: []string{"Name"}}).Do()
		if refused := refusal(t, err); refused.Code != code {
			t.Errorf("%q: %v, want %d", name, err, code)
		}
	}
	for text, good := range map[string]bool{"#ffffff": true, "#123456": false} {
		_, err := mail.Users.Labels.Patch("me", made.Id, &gmail.Label{Color: &gmail.LabelColor{TextColor: text, BackgroundColor: "#000000"}}).Do()
		if (err == nil) != good {
			t.Errorf("text in %q: %v", text, err)
		}
	}
	msg := u.Deliver(googletest.Mail{Labels: []string{made.Id, "UNREAD"}})
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
		if refused := refusal(t, err); refused.Code != 400 {
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
	if refused := refusal(t, err); refused.Code != 400 {
		t.Errorf("deleting the inbox: %v", err)
	}
}

func TestFiltersSortWhatComesIn(t *testing.T) {
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
		if refused := refusal(t, err); refused.Code != 400 {
			t.Errorf("got %v", err)
		}
	}
	phrase, err := mail.Users.Settings.Filters.Create("me", &gmail.Filter{Criteria: &gmail.FilterCriteria{Subject: "  weekly   report ", To: "dan@"}, Action: &gmail.FilterAction{AddLabelIds: []string{"STARRED"}}}).Do()
	if err != nil {
		t.Fatal(err)
	}
	for subject, want := range map[string]bool{"The Weekly report": true, "Report, weekly": false} {
		if got := u.Deliver(googletest.Mail{From: bob, Cc: "Dan <dan@example.org>", Subject: subject}); slices.Contains(got.Labels, "STARRED") != want {
			t.Errorf("%s has labels %q", subject, got.Labels)
		}
	}
	if err := mail.Users.Settings.Filters.Delete("me", phrase.Id).Do(); err != nil {
		t.Fatal(err)
	}
	for subject, want := range map[string]bool{"Sale": true, "Urgent sale": false} {
		got := u.Deliver(googletest.Mail{From: "a@mall.example", Subject: subject})
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
	_, err = mail.Users.Settings.Filters.Get("me", made.Id).Do()
	if refused := refusal(t, err); refused.Code != 404 {
		t.Errorf("deleted, and still %v", err)
	}
}

func TestIdentitiesAndVacation(t *testing.T) {
	s := googletest.New(t)
	s.User(ada).SendAs(googletest.SendAs{Email: "sales@example.com", Name: "Sales", Signature: "<b>S</b>", Default: true})
	mail := gmailOf(t, s, ada)
	listed, err := mail.Users.Settings.SendAs.List("me").Do()
	if err != nil || len(listed.SendAs) != 2 || !listed.SendAs[0].IsPrimary || !listed.SendAs[1].IsDefault || listed.SendAs[0].IsDefault {
		t.Fatalf("%+v, %v", listed, err)
	}
	patched, err := mail.Users.Settings.SendAs.Patch("me", ada, &gmail.SendAs{Signature: "Ada"}).Do()
	if err != nil || patched.Signature != "Ada" || !patched.IsPrimary {
		t.Errorf("%+v, %v", patched, err)
	}
	for _, v := range []*gmail.VacationSettings{{EnableAutoReply: true}, {EnableAutoReply: true, ResponseSubject: "x", StartTime: 2, EndTime: 1}} {
		_, err := mail.Users.Settings.UpdateVacation("me", v).Do()
		if refused := refusal(t, err); refused.Code != 400 {
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
	if refused := refusal(t, err); refused.Code != 403 {
		t.Errorf("got %v", err)
	}
	if got, err := mail.Users.Settings.GetImap("me").Do(); err != nil || !got.Enabled {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := mail.Users.Settings.UpdateLanguage("me", &gmail.LanguageSettings{DisplayLanguage: "de"}).Do(); err != nil || got.DisplayLanguage != "de" {
		t.Errorf("%+v, %v", got, err)
	}
	s.User(ada).ForwardingAddress("x@y.test")
	if got, err := mail.Users.Settings.ForwardingAddresses.List("me").Do(); err != nil || len(got.ForwardingAddresses) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAliasesAndForwardingAreMadeUnverified(t *testing.T) {
	s := googletest.New(t, googletest.Delegated())
	mail := gmailOf(t, s, ada)
	aliases, forwarding := mail.Users.Settings.SendAs, mail.Users.Settings.ForwardingAddresses
	made, err := aliases.Create("me", &gmail.SendAs{SendAsEmail: "shop@example.com", DisplayName: "Shop"}).Do()
	if err != nil || made.VerificationStatus != "pending" || made.IsPrimary {
		t.Errorf("%+v, %v", made, err)
	}
	if err := aliases.Verify("me", "shop@example.com").Do(); err != nil {
		t.Error(err)
	}
	if got, err := aliases.Get("me", "shop@example.com").Do(); err != nil || got.DisplayName != "Shop" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := forwarding.Create("me", &gmail.ForwardingAddress{ForwardingEmail: "x@y.test"}).Do(); err != nil || got.VerificationStatus != "pending" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := forwarding.Get("me", "x@y.test").Do(); err != nil || got.ForwardingEmail != "x@y.test" {
		t.Errorf("%+v, %v", got, err)
	}
	_, unverified := mail.Users.Settings.UpdateAutoForwarding("me", &gmail.AutoForwarding{Enabled: true, EmailAddress: "x@y.test"}).Do()
	_, twice := aliases.Create("me", &gmail.SendAs{SendAsEmail: "Shop@example.com"}).Do()
	_, again := forwarding.Create("me", &gmail.ForwardingAddress{ForwardingEmail: "x@y.test"}).Do()
	for err, want := range map[error]int{
		unverified: 400, twice: 409, again: 409,
		aliases.Delete("me", ada).Do():        400, // the primary one
		aliases.Verify("me", ada).Do():        400, // nothing to verify
		aliases.Delete("me", "no@no.no").Do(): 404,
	} {
		if refused := refusal(t, err); refused.Code != want {
			t.Errorf("got %v, want %d", err, want)
		}
	}
	if err := aliases.Delete("me", "shop@example.com").Do(); err != nil {
		t.Error(err)
	}
	if err := forwarding.Delete("me", "x@y.test").Do(); err != nil {
		t.Error(err)
	}
}

func TestSomeSettingsAreForServiceAccountsAlone(t *testing.T) {
	mail := gmailOf(t, googletest.New(t), ada)
	_, alias := mail.Users.Settings.SendAs.Create("me", &gmail.SendAs{SendAsEmail: "shop@example.com"}).Do()
	_, address := mail.Users.Settings.ForwardingAddresses.Create("me", &gmail.ForwardingAddress{ForwardingEmail: "x@y.test"}).Do()
	_, forward := mail.Users.Settings.UpdateAutoForwarding("me", &gmail.AutoForwarding{}).Do()
	for _, err := range []error{alias, address, forward} {
		if refused := refusal(t, err); refused.Code != 403 || reasonOf(refused) != "forbidden" {
			t.Errorf("got %v", err)
		}
	}
}
