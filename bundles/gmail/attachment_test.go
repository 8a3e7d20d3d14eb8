package gmail_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type attachmentAnswer struct {
	Name, Type, SHA256, Path, Text string
	Size                           int
	Total                          int `json:"total_chars"`
}

// deliverFile delivers a message with one attachment.
func deliverFile(d *fixture, name, kind string, data []byte) string {
	return d.ann.Deliver(fakegmail.Mail{Subject: "File", Text: "Look.", Attachments: []fakegmail.Attachment{{Name: name, Type: kind, Data: data}}}).ID
}

func TestGetAttachmentSavesTheFile(t *testing.T) {
	d := newFixture(t)
	d.files.Into = filepath.Join(t.TempDir(), "new", "attachments")
	data := bytes.Repeat([]byte{0, 1, 2, 255}, 100_000)
	id := deliverFile(d, "Plan – Köln.pdf", "application/pdf", data)
	for _, want := range []string{"Plan – Köln.pdf", "Plan – Köln (2).pdf", "Plan – Köln (3).pdf"} {
		got := bundletest.Must[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": id})
		saved, err := os.ReadFile(got.Path)
		if err != nil || !bytes.Equal(saved, data) || got.Path != filepath.Join(d.files.Into, want) || got.Size != len(data) {
			t.Errorf("got %+v with %d bytes, %v", got, len(saved), err)
		}
		if got.SHA256 != fmt.Sprintf("%x", sha256.Sum256(data)) || got.Type != "application/pdf" || got.Name != "Plan – Köln.pdf" {
			t.Errorf("got %+v", got)
		}
		if info, err := os.Stat(got.Path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("its mode is %v, %v", info.Mode(), err)
		}
	}
}

func TestSavedAttachmentNamesAreSafe(t *testing.T) {
	for name, want := range map[string]string{
		"../../x":                            "x",
		"/etc/passwd":                        "passwd",
		`C:\Windows\x.dll`:                   "x.dll",
		"C:x":                                "C_x",
		"CON":                                "_CON",
		"nul.txt":                            "_nul.txt",
		"COM1":                               "_COM1",
		"-rf":                                "rf",
		".bashrc":                            "bashrc",
		"..":                                 "attachment",
		"a. . ":                              "a",
		"a\u202egpj.exe":                     "agpj.exe",
		"a|b?<c>*.txt":                       "a_b__c__.txt",
		"x\ty\r\nz":                          "x y z",
		strings.Repeat("é", 300):             strings.Repeat("é", 75),
		strings.Repeat("a", 300) + ".tar.gz": strings.Repeat("a", 147) + ".gz",
	} {
		t.Run(want, func(t *testing.T) {
			d := newFixture(t)
			home := t.TempDir()
			d.files.Into = filepath.Join(home, "a", "b")
			got := bundletest.Must[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": deliverFile(d, name, "application/x-thing", []byte("data"))})
			if filepath.Dir(got.Path) != d.files.Into || filepath.Base(got.Path) != want {
				t.Errorf("%q is saved as %q, want %q", name, got.Path, want)
			}
			entries, err := os.ReadDir(d.files.Into)
			if err != nil || len(entries) != 1 || entries[0].Name() != want {
				t.Errorf("the folder has %v, %v", entries, err)
			}
		})
	}
}

func TestSaveFollowsNoLink(t *testing.T) {
	d := newFixture(t)
	d.files.Into = t.TempDir()
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Symlink(outside, filepath.Join(d.files.Into, "x.bin")); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	got := bundletest.Must[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": deliverFile(d, "x.bin", "", []byte("data"))})
	if _, err := os.Lstat(outside); err == nil || filepath.Base(got.Path) != "x (2).bin" {
		t.Errorf("saved as %s; outside: %v", got.Path, err)
	}
}

func TestSaveRejectsForbiddenFolders(t *testing.T) {
	kota := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(kota, link); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		files attachment.Folders
		code  metadata.Code
		hint  string
	}{
		"no folder":                {attachment.Folders{}, metadata.Refused, "attachments: {into:"},
		"KOTA's folder":            {attachment.Folders{Into: kota, Excluded: kota}, metadata.Refused, "into"},
		"one in it":                {attachment.Folders{Into: filepath.Join(kota, "saved"), Excluded: kota}, metadata.Refused, "into"},
		"a link to it":             {attachment.Folders{Into: link, Excluded: kota}, metadata.Refused, "into"},
		"a folder that is no such": {attachment.Folders{Into: plain}, metadata.Unavailable, "into"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.files = c.files
			id := deliverFile(d, "x.bin", "", []byte("data"))
			_, err := bundletest.Answer[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": id})
			if e := bundletest.AsError(t, err); e.Code != c.code || !strings.Contains(e.Hint, c.hint) || len(d.google.Requests()) != 0 {
				t.Errorf("got %v with the hint %q after %d requests", err, e.Hint, len(d.google.Requests()))
			}
		})
	}
}

func TestGetAttachmentSelection(t *testing.T) {
	d := newFixture(t)
	id := d.ann.Deliver(fakegmail.Mail{Text: "Three.", Attachments: []fakegmail.Attachment{
		{Name: "a.txt", Type: "text/plain", Data: []byte("first")}, {Name: "2", Type: "text/plain", Data: []byte("second")}, {Name: "a.txt", Type: "text/plain", Data: []byte("third")},
	}}).ID
	for which, want := range map[string]string{"1": "first", "#1": "first", "#3": "third", "3": "third", "2": "second"} {
		if got := bundletest.Must[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": id, "attachment": which, "as": "text"}); withoutFence(got.Text) != want {
			t.Errorf("%s: got %q, want %q", which, got.Text, want)
		}
	}
	for which, want := range map[string]metadata.Code{"": metadata.ValidationError, "A.TXT": metadata.ValidationError, "b.txt": metadata.NotFound, "#4": metadata.NotFound, "../1": metadata.NotFound} {
		_, err := bundletest.Answer[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": id, "attachment": which, "as": "text"})
		if e := bundletest.AsError(t, err); e.Code != want || !strings.Contains(e.Hint, "a.txt (part 1)") {
			t.Errorf("%q: got %v with the hint %q", which, err, e.Hint)
		}
	}
}

func TestGetAttachmentReadsText(t *testing.T) {
	d := newFixture(t)
	for name, c := range map[string]struct {
		kind string
		data []byte
		want string
	}{
		"a csv":                    {"text/csv", []byte("a,b\n1,\u200b2\n"), "a,b\n1,2\n"},
		"json":                     {"application/json", []byte(`{"a":1}`), `{"a":1}`},
		"in an old alphabet":       {"text/plain; charset=iso-8859-1", []byte("K\xf6ln"), "Köln"},
		"html as a person sees it": {"text/html", []byte("<p>Hi<script>alert(1)</script></p>"), "Hi"},
	} {
		t.Run(name, func(t *testing.T) {
			got := bundletest.Must[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": deliverFile(d, "x", c.kind, c.data), "as": "text"})
			if withoutFence(got.Text) != c.want || got.Path != "" || got.Total != 0 {
				t.Errorf("got %+v", got)
			}
		})
	}
	t.Run("not without end", func(t *testing.T) {
		got := bundletest.Must[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": deliverFile(d, "x.txt", "text/plain", bytes.Repeat([]byte("word "), 10_000)), "as": "text"})
		if got.Total != 50_000 || len(withoutFence(got.Text)) > 20_000 || len(got.Text) < 15_000 {
			t.Errorf("got %d of %d characters", len(got.Text), got.Total)
		}
	})
	t.Run("and nothing else", func(t *testing.T) {
		_, err := bundletest.Answer[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": deliverFile(d, "x.pdf", "application/pdf", []byte("%PDF")), "as": "text"})
		if e := bundletest.AsError(t, err); e.Code != metadata.ValidationError || !strings.Contains(e.Hint, "file") {
			t.Errorf("got %v", err)
		}
	})
}

func TestTooLargeAttachmentIsNotFetched(t *testing.T) {
	d := newFixture(t)
	d.files.Into = t.TempDir()
	id := deliverFile(d, "film.mov", "video/quicktime", make([]byte, 25<<20+1))
	_, err := bundletest.Answer[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": id})
	if metadata.CodeOf(err) != metadata.TooLarge || d.google.Calls("gmail.users.messages.attachments.get") != 0 {
		t.Errorf("got %v after %d tries", err, d.google.Calls("gmail.users.messages.attachments.get"))
	}
}

func TestIncompleteAttachmentIsNotUsed(t *testing.T) {
	for name, answer := range map[string]map[string]string{
		"nothing":          {"/attachments/f1": `{"size":0}`},
		"too little":       {"/attachments/f1": `{"size":3,"data":"YWJj"}`},
		"too much":         {"/attachments/f1": `{"size":6,"data":"YWJjYWJj"}`},
		"no base64":        {"/attachments/f1": `{"size":4,"data":"a"}`},
		"nothing to fetch": {"/messages/1a": `{"id":"1a","payload":{"partId":"1","filename":"plan.pdf","mimeType":"application/pdf"}}`},
		"an empty message": {"/messages/1a": `{"id":"1a","payload":{"partId":"1","filename":"old.eml","mimeType":"message/rfc822","body":{"size":0}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.files.Into = t.TempDir()
			if answer["/messages/1a"] == "" {
				answer["/messages/1a"] = `{"id":"1a","payload":{"partId":"1","filename":"plan.pdf","mimeType":"application/pdf","body":{"attachmentId":"f1","size":4}}}`
			}
			d.replaceAnswers(answer)
			_, err := bundletest.Answer[attachmentAnswer](t, d.bundle, "gmail_get_attachment", args{"message_id": "1a"})
			if metadata.CodeOf(err) != metadata.Unavailable {
				t.Errorf("saving: got %v", err)
			}
			_, err = bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "Plan", "attachments": []string{"mail:1a/1"}})
			if metadata.CodeOf(err) != metadata.Unavailable || len(d.ann.Sent()) != 0 {
				t.Errorf("sending: got %v", err)
			}
			if entries, err := os.ReadDir(d.files.Into); err != nil || len(entries) != 0 {
				t.Errorf("the folder has %v, %v", entries, err)
			}
		})
	}
}

func TestAttachmentIsSelectedAlikeToSaveAndSend(t *testing.T) {
	d := newFixture(t)
	id := d.ann.Deliver(fakegmail.Mail{Text: "Two.", Attachments: []fakegmail.Attachment{
		{Name: "Plan.pdf", Type: "application/pdf", Data: []byte("first")}, {Name: "b.txt", Type: "text/plain", Data: []byte("second")},
	}}).ID
	for _, which := range []string{"1", "#1", "plan.PDF"} {
		bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": which, "attachments": []string{"mail:" + id + "/" + which}})
	}
	if n := len(d.ann.Sent()); n != 3 {
		t.Errorf("%d mails were sent", n)
	}
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "None", "attachments": []string{"mail:" + id + "/c.txt"}})
	if e := bundletest.AsError(t, err); e.Code != metadata.ValidationError || !strings.Contains(e.Message, "Plan.pdf (part 1)") {
		t.Errorf("got %v", err)
	}
}
