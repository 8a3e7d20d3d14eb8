package gmail_test

import (
	"testing"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type labelsAnswer struct {
	Labels []struct {
		Account, ID, Name, Type string
		Hidden                  bool
		Total, Unread           *int
	}
	Errors []struct{ Account, Error string } `json:"account_errors"`
}

const labelsTool = "gmail_list_labels"

func TestListLabelsCountsOnRequest(t *testing.T) {
	d := newFixture(t)
	id := d.ann.Label("Work/Receipts")
	d.ann.Deliver(fakegmail.Mail{Subject: "x", Labels: []string{id, "UNREAD"}})
	d.ann.Deliver(fakegmail.Mail{Subject: "y", Labels: []string{id}})
	d.google.ClearLog()
	plain := bundletest.Must[labelsAnswer](t, d.bundle, labelsTool, args{})
	if got := len(d.google.Requests()); got != 1 {
		t.Errorf("listing took %d requests", got)
	}
	counted := bundletest.Must[labelsAnswer](t, d.bundle, labelsTool, args{"counts": true})
	for i, l := range plain.Labels {
		if l.Total != nil || l.Unread != nil {
			t.Errorf("%s is counted", l.Name)
		}
		if l.ID != id {
			continue
		}
		c := counted.Labels[i]
		if l.Name != "Work/Receipts" || l.Type != "user" || c.Total == nil || *c.Total != 2 || *c.Unread != 1 {
			t.Errorf("got %+v and %+v", l, c)
		}
	}
}

func TestCountsSkipLabelDeletedMeanwhile(t *testing.T) {
	d := newFixture(t)
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.labels.get", Nth: 2, Status: 404})
	without := 0
	for _, l := range bundletest.Must[labelsAnswer](t, d.bundle, labelsTool, args{"counts": true}).Labels {
		if l.Total == nil {
			without++
		}
	}
	if without != 1 {
		t.Errorf("%d are not counted", without)
	}
}

func TestListLabelsSurvivesFailedAccount(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, gmail.Account{Name: "work", Address: bob})
	d.google.User(bob).Label("Bob's")
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.labels.list", User: ann, Status: 403, Reason: "domainPolicy"})
	out := bundletest.Must[labelsAnswer](t, d.bundle, labelsTool, args{"account": "*"})
	if len(out.Errors) != 1 || out.Errors[0].Account != "home" || out.Errors[0].Error != string(metadata.Refused) {
		t.Errorf("errors are %+v", out.Errors)
	}
	found := false
	for _, l := range out.Labels {
		found = found || l.Name == "Bob's" && l.Account == "work"
	}
	if !found {
		t.Errorf("got %+v", out.Labels)
	}
}

func TestRenamedLabelIsFoundByItsNewName(t *testing.T) {
	d := newFixture(t)
	label, id := d.ann.Label("Old"), d.fillInbox(1)
	bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"ids": id, "add_labels": "old"})
	if _, err := d.otherClient(t).Users.Labels.Patch("me", label, &gmailapi.Label{Name: "New"}).Do(); err != nil {
		t.Fatal(err)
	}
	bundletest.Must[modifyAnswer](t, d.bundle, modifyTool, args{"ids": id, "remove_labels": "new"})
	d.now = d.now.Add(time.Minute)
	_, err := bundletest.Answer[modifyAnswer](t, d.bundle, modifyTool, args{"ids": id, "add_labels": "old"})
	if bundletest.ProblemPath(t, err) != "add_labels[0]" {
		t.Errorf("got %v", err)
	}
}
