package googletest_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakegmail"
)

const bob = "bob@example.org"

// send uploads a message of the client and sends it.
func send(t *testing.T, mail *gmail.Service, thread string, lines ...string) (*gmail.Message, error) {
	t.Helper()
	raw := strings.NewReader(strings.Join(lines, "\r\n") + "\r\n\r\nText.\r\n")
	return mail.Users.Messages.Send("me", &gmail.Message{ThreadId: thread}).Media(raw, googleapi.ContentType("message/rfc822")).Do()
}

func TestReplyJoinsThreadByThreeRules(t *testing.T) {
	s := googletest.New(t)
	first := s.User(ada).Deliver(fakegmail.Mail{From: bob, Subject: "Trip", Headers: []string{"Message-ID: <trip@test>"}})
	mail := gmailOf(t, s, ada)
	for name, c := range map[string]struct {
		thread string
		lines  []string
		joins  bool
	}{
		"all three":           {first.ThreadID, []string{"Subject: Re: Trip", "In-Reply-To: <trip@test>", "References: <a@b> <trip@test>"}, true},
		"In-Reply-To alone":   {first.ThreadID, []string{"Subject: RE: trip", "In-Reply-To: <trip@test>"}, true},
		"without threadId":    {"", []string{"Subject: Re: Trip", "In-Reply-To: <trip@test>"}, false},
		"without references":  {first.ThreadID, []string{"Subject: Re: Trip"}, false},
		"with foreign ones":   {first.ThreadID, []string{"Subject: Re: Trip", "References: <other@test>"}, false},
		"with another matter": {first.ThreadID, []string{"Subject: Re: Trip to Rome", "In-Reply-To: <trip@test>"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			sent, err := send(t, mail, c.thread, append(c.lines, "To: "+bob)...)
			if err != nil {
				t.Fatal(err)
			}
			if joins := sent.ThreadId == first.ThreadID; joins != c.joins {
				t.Errorf("it joins: %v, want %v", joins, c.joins)
			}
		})
	}
	_, err := send(t, mail, "18f0aaaaaaaaaaaa", "To: "+bob, "Subject: x")
	if refused := googleError(t, err); refused.Code != 404 || reasonOf(refused) != "notFound" {
		t.Errorf("a thread there is not: %v", err)
	}
}

func TestIncomingMailIsThreadedByReferences(t *testing.T) {
	s := googletest.New(t)
	u, other := s.User(ada), s.User(bob)
	first := u.Deliver(fakegmail.Mail{From: bob, Subject: "Trip"})
	answer := u.Deliver(fakegmail.Mail{From: bob, ThreadWith: first.ID, Text: "And?"})
	if answer.ThreadID != first.ThreadID || answer.Header("Subject") != "Re: Trip" {
		t.Errorf("the answer is %+v", answer)
	}
	if alone := u.Deliver(fakegmail.Mail{From: bob, Subject: "Trip"}); alone.ThreadID == first.ThreadID {
		t.Error("the same subject alone made a thread")
	}
	// A reply between two users of the fake is in one thread for both.
	sent, err := send(t, gmailOf(t, s, ada), "", "To: "+bob, "Subject: Dinner")
	if err != nil {
		t.Fatal(err)
	}
	got := other.Messages("subject:dinner")[0]
	_, err = send(t, gmailOf(t, s, bob), got.ThreadID, "To: "+ada, "Subject: Re: Dinner", "In-Reply-To: "+got.Header("Message-ID"))
	if err != nil {
		t.Fatal(err)
	}
	thread, err := gmailOf(t, s, ada).Users.Threads.Get("me", sent.ThreadId).Format("metadata").Do()
	if err != nil || len(thread.Messages) != 2 || thread.Messages[0].Id != sent.Id {
		t.Errorf("the thread is %+v, %v", thread, err)
	}
}

func TestSendCompletesMessage(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	s.User(bob)
	u.SendAs(fakegmail.SendAs{Email: ada, Name: "Ada L."})
	u.SendAs(fakegmail.SendAs{Email: "sales@example.com"})
	u.SendAs(fakegmail.SendAs{Email: "pending@example.com", Pending: true})
	mail := gmailOf(t, s, ada)
	for from, want := range map[string]string{
		"":                             `"Ada L." <ada@example.com>`,
		"From: Ada <ada@example.com>":  "Ada <ada@example.com>",
		"From: sales@example.com":      "sales@example.com",
		"From: Boss <boss@other.test>": `"Boss" <ada@example.com>`,
		"From: pending@example.com":    "<ada@example.com>",
	} {
		lines := []string{"To: " + bob, "X-Kota: 1", "Message-ID: <mine@test>"}
		if from != "" {
			lines = append(lines, from)
		}
		if _, err := send(t, mail, "", lines...); err != nil {
			t.Fatal(err)
		}
		got := u.Sent()[0]
		if got.Header("From") != want {
			t.Errorf("%q: From is %q, want %q", from, got.Header("From"), want)
		}
		if got.Header("Date") == "" || got.Header("Message-ID") == "<mine@test>" || got.Header("X-Kota") != "1" {
			t.Errorf("the head is %q", got.Raw)
		}
	}
	if _, err := send(t, mail, "", "To: =?utf-8?Q?Br=C3=B6wn=2C_Bob?= <"+bob+">, x@y.test"); err != nil {
		t.Fatal(err)
	}
	if got := s.User(bob).Messages("")[0].Header("To"); got != `"Bröwn, Bob" <bob@example.org>, x@y.test` {
		t.Errorf("a name with a comma became %q", got)
	}
	if _, err := send(t, mail, "", "To: "+bob, "Subject: caf\u00e9"); err != nil {
		t.Fatal(err)
	}
	if got := u.Sent()[0].Header("Subject"); got != "cafÃ©" {
		t.Errorf("bare UTF-8 in a header became %q, want what Gmail makes of it", got)
	}
	for _, to := range []string{"X-None: 1", "To: ", "To: not an address", "To: a@b.test c@d.test", "Cc: <>"} {
		_, err := send(t, mail, "", to, "Subject: x")
		if refused := googleError(t, err); refused.Code != 400 || reasonOf(refused) != "invalidArgument" {
			t.Errorf("%q: %v", to, err)
		}
	}
}

func TestMailReachesEachRecipientOnce(t *testing.T) {
	s := googletest.New(t)
	other := s.User(bob)
	other.SendAs(fakegmail.SendAs{Email: "robert@example.org"})
	_, err := send(t, gmailOf(t, s, ada), "", "To: bob+news@example.org, Robert <robert@example.org>", "Cc: "+ada, "Bcc: BOB@example.org", "Subject: Hi")
	if err != nil {
		t.Fatal(err)
	}
	if got := other.Messages("subject:hi"); len(got) != 1 || got[0].Header("Delivered-To") != bob || got[0].Header("Bcc") != "" {
		t.Errorf("he has %+v", got)
	}
	own := s.User(ada).Messages("subject:hi")
	if len(own) != 1 || !slices.Equal(own[0].Labels, []string{"INBOX", "SENT", "UNREAD"}) || own[0].Header("Bcc") == "" {
		t.Errorf("she has %+v", own)
	}
}

func TestUpdatedDraftKeepsIDWithNewMessage(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada)
	write := func(text string) *gmail.Draft {
		return &gmail.Draft{Message: &gmail.Message{Raw: encode("To: bob@example.org\r\nSubject: " + text + "\r\n\r\n" + text)}}
	}
	made, err := mail.Users.Drafts.Create("me", write("one")).Do()
	if err != nil || !slices.Equal(made.Message.LabelIds, []string{"DRAFT"}) {
		t.Fatalf("%+v, %v", made, err)
	}
	updated, err := mail.Users.Drafts.Update("me", made.Id, write("two")).Do()
	if err != nil || updated.Id != made.Id || updated.Message.Id == made.Message.Id {
		t.Fatalf("%+v, %v", updated, err)
	}
	_, err = mail.Users.Messages.Get("me", made.Message.Id).Do()
	if refused := googleError(t, err); refused.Code != 404 {
		t.Errorf("the old message: %v", err)
	}
	listed, err := mail.Users.Drafts.List("me").Q("subject:two").Do()
	if err != nil || len(listed.Drafts) != 1 || listed.Drafts[0].Message.Id != updated.Message.Id {
		t.Errorf("listed %+v, %v", listed, err)
	}
	got, err := mail.Users.Drafts.Get("me", made.Id).Format("full").Do()
	if err != nil || content(t, got.Message.Payload.Body) != "two" {
		t.Errorf("got %+v, %v", got, err)
	}
	if drafts := s.User(ada).Drafts(); len(drafts) != 1 || drafts[0].ID != made.Id || drafts[0].Message.Header("Subject") != "two" {
		t.Errorf("drafts are %+v", drafts)
	}
	last := write("three")
	last.Id = made.Id
	if _, err := mail.Users.Drafts.Send("me", last).Do(); err != nil {
		t.Fatal(err)
	}
	if sent := s.User(ada).Sent(); len(sent) != 1 || sent[0].Header("Subject") != "three" {
		t.Errorf("sent %+v", sent)
	}
	err = mail.Users.Drafts.Delete("me", made.Id).Do()
	if refused := googleError(t, err); refused.Code != 404 {
		t.Errorf("a draft that was sent: %v", err)
	}
	again, err := mail.Users.Drafts.Create("me", write("four")).Do()
	if err != nil {
		t.Fatal(err)
	}
	if err := mail.Users.Messages.Delete("me", again.Message.Id).Do(); err != nil {
		t.Fatal(err)
	}
	if left := s.User(ada).Drafts(); len(left) != 0 {
		t.Errorf("deleting its message left %+v", left)
	}
}

func TestHistoryListsChanges(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	mail := gmailOf(t, s, ada)
	profile, err := mail.Users.GetProfile("me").Do()
	if err != nil {
		t.Fatal(err)
	}
	start := profile.HistoryId
	one, two := u.Deliver(fakegmail.Mail{Subject: "one"}), u.Deliver(fakegmail.Mail{Subject: "two"})
	modify := &gmail.ModifyMessageRequest{AddLabelIds: []string{"STARRED"}, RemoveLabelIds: []string{"UNREAD", "STARRED"}}
	if _, err := mail.Users.Messages.Modify("me", one.ID, modify).Do(); err == nil {
		t.Error("the same label was added and removed")
	}
	modify.RemoveLabelIds = []string{"UNREAD"}
	changed, err := mail.Users.Messages.Modify("me", one.ID, modify).Do()
	if err != nil || slices.Contains(changed.LabelIds, "UNREAD") || !slices.Contains(changed.LabelIds, "STARRED") {
		t.Fatalf("%+v, %v", changed, err)
	}
	if err := mail.Users.Messages.Delete("me", two.ID).Do(); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	token := ""
	for {
		page, err := mail.Users.History.List("me").StartHistoryId(start).MaxResults(2).PageToken(token).Do()
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range page.History {
			switch {
			case len(h.MessagesAdded) == 1:
				kinds = append(kinds, "added")
			case len(h.MessagesDeleted) == 1:
				kinds = append(kinds, "deleted")
			case len(h.LabelsAdded) == 1:
				kinds = append(kinds, "+"+h.LabelsAdded[0].LabelIds[0])
			case len(h.LabelsRemoved) == 1:
				kinds = append(kinds, "-"+h.LabelsRemoved[0].LabelIds[0])
			}
		}
		token = page.NextPageToken
		if token == "" {
			break
		}
	}
	if want := []string{"added", "added", "+STARRED", "-UNREAD", "deleted"}; !slices.Equal(kinds, want) {
		t.Errorf("history is %q, want %q", kinds, want)
	}
	some, err := mail.Users.History.List("me").StartHistoryId(start).HistoryTypes("labelAdded").LabelId("STARRED").Do()
	if err != nil || len(some.History) != 1 {
		t.Errorf("filtered: %+v, %v", some, err)
	}
	u.ForgetHistory()
	_, err = mail.Users.History.List("me").StartHistoryId(start).Do()
	if refused := googleError(t, err); refused.Code != 404 {
		t.Errorf("a forgotten start: %v", err)
	}
	now, err := mail.Users.GetProfile("me").Do()
	if err != nil {
		t.Fatal(err)
	}
	if none, err := mail.Users.History.List("me").StartHistoryId(now.HistoryId).Do(); err != nil || len(none.History) != 0 || none.HistoryId != now.HistoryId {
		t.Errorf("nothing new: %+v, %v", none, err)
	}
}

func TestTrashAndUntrash(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	first := u.Deliver(fakegmail.Mail{Subject: "Trip"})
	u.Deliver(fakegmail.Mail{ThreadWith: first.ID})
	mail := gmailOf(t, s, ada)
	for _, msg := range u.Messages("") {
		if _, err := mail.Users.Messages.Trash("me", msg.ID).Do(); err != nil {
			t.Fatal(err)
		}
	}
	if got := u.Messages(""); len(got) != 0 {
		t.Errorf("still there: %+v", got)
	}
	if got := u.Messages("in:trash"); len(got) != 2 || slices.Contains(got[0].Labels, "INBOX") {
		t.Errorf("in the trash: %+v", got)
	}
	for _, msg := range u.Messages("in:trash") {
		if _, err := mail.Users.Messages.Untrash("me", msg.ID).Do(); err != nil {
			t.Fatal(err)
		}
		if _, err := mail.Users.Messages.Modify("me", msg.ID, &gmail.ModifyMessageRequest{AddLabelIds: []string{"INBOX"}}).Do(); err != nil {
			t.Fatal(err)
		}
	}
	if got := u.Messages("in:inbox"); len(got) != 2 {
		t.Errorf("in the inbox: %+v", got)
	}
	if err := mail.Users.Messages.BatchModify("me", &gmail.BatchModifyMessagesRequest{Ids: []string{first.ID, "18f0"}, AddLabelIds: []string{"STARRED"}}).Do(); err != nil {
		t.Errorf("a batch with an id that is gone: %v", err)
	}
	if got := u.Messages("is:starred"); len(got) != 1 {
		t.Errorf("starred: %+v", got)
	}
	for _, id := range []string{"../x", "18F0", "a/b"} {
		_, err := mail.Users.Messages.Get("me", id).Do()
		if refused := googleError(t, err); refused.Code != 400 {
			t.Errorf("id %q: %v", id, err)
		}
	}
}

func TestDeleteNeedsFullScope(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	one, two := u.Deliver(fakegmail.Mail{}), u.Deliver(fakegmail.Mail{Text: "plain", HTML: "<p>rich</p>"})
	modify := gmailOf(t, s, ada, "gmail.modify")
	if err := modify.Users.Messages.Delete("me", one.ID).Do(); googleError(t, err).Code != 403 {
		t.Errorf("with gmail.modify: %v", err)
	}
	mail := gmailOf(t, s, ada, "https://mail.google.com/")
	if err := mail.Users.Messages.Delete("me", one.ID).Do(); err != nil {
		t.Error(err)
	}
	if left := u.Messages("in:anywhere"); len(left) != 1 || left[0].ID != two.ID || left[0].Text() != "plain" {
		t.Errorf("left: %+v", left)
	}
}

func TestUserCannotReadOthersMail(t *testing.T) {
	s := googletest.New(t)
	id := s.User(bob).Deliver(fakegmail.Mail{}).ID
	mail := gmailOf(t, s, ada)
	_, err := mail.Users.Messages.Get(bob, id).Do()
	if refused := googleError(t, err); refused.Code != 403 || !strings.HasPrefix(refused.Message, "Delegation denied") {
		t.Errorf("by his address: %v", err)
	}
	_, err = mail.Users.Messages.Get("me", id).Do()
	if refused := googleError(t, err); refused.Code != 404 {
		t.Errorf("by its id: %v", err)
	}
	if _, err := mail.Users.GetProfile(ada).Do(); err != nil {
		t.Errorf("by one's own address: %v", err)
	}
}

func TestMetadataScopeHidesContent(t *testing.T) {
	s := googletest.New(t)
	id := s.User(ada).Deliver(fakegmail.Mail{}).ID
	mail := gmailOf(t, s, ada, "gmail.metadata")
	if _, err := mail.Users.Messages.Get("me", id).Format("metadata").Do(); err != nil {
		t.Error(err)
	}
	_, byFormat := mail.Users.Messages.Get("me", id).Format("full").Do()
	_, byQuery := mail.Users.Messages.List("me").Q("x").Do()
	for _, err := range []error{byFormat, byQuery} {
		if refused := googleError(t, err); refused.Code != 403 || reasonOf(refused) != "forbidden" {
			t.Errorf("got %v", err)
		}
	}
}
