package gmail_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

// A home is a user's disk: two allowed folders, KOTA's own folder inside one of them, and
// files that must never be sent.
type userFiles struct{ docs, pictures, kota, private string }

func (d *fixture) createFiles(t *testing.T) userFiles {
	t.Helper()
	root := t.TempDir()
	h := userFiles{docs: filepath.Join(root, "docs"), pictures: filepath.Join(root, "pictures"), kota: filepath.Join(root, "docs", "kota"), private: filepath.Join(root, "private")}
	put := func(parts ...string) {
		file := filepath.Join(parts...)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("content of "+filepath.Base(file)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(h.docs, "report.pdf")
	put(h.docs, "deep", "Grüße.txt")
	put(h.docs, "name\u2028.txt")
	put(h.pictures, "cat.png")
	put(h.kota, "kota.db")
	put(h.kota, "tokens", "home.json")
	put(h.private, "id_rsa")
	for link, target := range map[string]string{
		filepath.Join(h.docs, "link.pdf"): filepath.Join(h.docs, "report.pdf"), filepath.Join(h.docs, "out.txt"): filepath.Join(h.private, "id_rsa"),
		filepath.Join(h.docs, "shortcut"): filepath.Join(h.docs, "deep"), filepath.Join(h.docs, "away"): h.private, filepath.Join(h.pictures, "own"): h.kota,
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	d.files = attachment.Folders{From: []string{h.docs, h.pictures}, Excluded: h.kota}
	return h
}

func TestSendAttachesFilesOfAllowedFolders(t *testing.T) {
	d := newFixture(t)
	h := d.createFiles(t)
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{
		"to": []string{bob}, "subject": "x", "body": "y",
		"attachments": []string{filepath.Join(h.docs, "report.pdf"), "deep/Grüße.txt", "cat.png", filepath.Join(h.docs, "deep", "..", "report.pdf")},
	})
	if names := strings.Join(got.Attachments, "|"); names != "report.pdf|Grüße.txt|cat.png|report.pdf" {
		t.Errorf("attached %q", names)
	}
	m, _, err := mailmsg.Parse(d.onlySent(t).Raw)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []mailmsg.File{
		{Name: "report.pdf", Type: "application/pdf", Content: []byte("content of report.pdf")}, {Name: "Grüße.txt", Type: "text/plain; charset=utf-8", Content: []byte("content of Grüße.txt")}, {Name: "cat.png", Type: "image/png", Content: []byte("content of cat.png")},
	} {
		if got := m.Attachments[i]; got.Name != want.Name || got.Type != want.Type || string(got.Content) != string(want.Content) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestAttachRejectsOtherFiles(t *testing.T) {
	d := newFixture(t)
	h := d.createFiles(t)
	var list []string
	for _, path := range []string{
		filepath.Join(h.private, "id_rsa"), "/etc/passwd", "../private/id_rsa", filepath.Join(h.docs, "..", "private", "id_rsa"), "~/.ssh/id_rsa", "file:///etc/passwd",
		filepath.Join(h.docs, "link.pdf"), filepath.Join(h.docs, "out.txt"), filepath.Join(h.docs, "shortcut", "Grüße.txt"), filepath.Join(h.docs, "away", "id_rsa"), "out.txt",
		filepath.Join(h.kota, "kota.db"), "kota/tokens/home.json", filepath.Join(h.docs, "deep", "..", "kota", "kota.db"), filepath.Join(h.pictures, "own", "kota.db"),
		h.docs, filepath.Join(h.docs, "deep"), ".", "", "..", filepath.Join(h.docs, "missing.pdf"), "missing.pdf", "report.pdf/x",
		"report.pdf\x00", "report.pdf\n", filepath.Join(h.docs, "name\u2028.txt"), `C:\Windows\win.ini`, "CON",
	} {
		list = append(list, path)
		_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "x", "body": "y", "attachments": []string{"report.pdf", path}})
		if got := bundletest.ProblemPath(t, err); got != "attachments[1]" {
			t.Errorf("%q: %v", path, err)
		}
	}
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "x", "body": "y", "attachments": list[:20]})
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) || len(e.Problems) != 20 {
		t.Errorf("not every file that is missing is named: %v", err)
	}
	if n := len(d.google.Requests()); n != 0 {
		t.Errorf("%d requests left", n)
	}
}

// A hard link does not make KOTA's own files available.
func TestAttachRejectsHardLinksToKOTAsFiles(t *testing.T) {
	d := newFixture(t)
	h := d.createFiles(t)
	for name, target := range map[string]string{
		"db.pdf": filepath.Join(h.kota, "kota.db"), "token.txt": filepath.Join(h.kota, "tokens", "home.json"), "copy.pdf": filepath.Join(h.docs, "report.pdf"),
	} {
		if err := os.Link(target, filepath.Join(h.docs, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"db.pdf", "token.txt"} {
		_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "attachments": []string{name}})
		if got := bundletest.ProblemPath(t, err); got != "attachments[0]" || len(d.google.Requests()) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "attachments": []string{"copy.pdf"}}); len(got.Attachments) != 1 {
		t.Errorf("a link to a file of the user's is none of KOTA's: %+v", got)
	}
}

// A path outside the allowed folders gets the same answer, whether or not it exists.
func TestAttachErrorsRevealNoFiles(t *testing.T) {
	d := newFixture(t)
	h := d.createFiles(t)
	expectedFor := func(path string) string {
		_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "attachments": []string{path}})
		e := (*metadata.Error)(nil)
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		return e.Problems[0].Expected
	}
	if existing, missing := expectedFor(filepath.Join(h.private, "id_rsa")), expectedFor(filepath.Join(h.private, "nothing")); existing != missing {
		t.Errorf("%q and %q", existing, missing)
	}
}

func TestAttachRejectsFoldersWithinKOTAsFolder(t *testing.T) {
	d := newFixture(t)
	h := d.createFiles(t)
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(h.kota, alias); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{h.kota, filepath.Join(h.kota, "tokens"), alias} {
		d.files = attachment.Folders{From: []string{folder}, Excluded: h.kota}
		for _, file := range []string{"kota.db", "home.json"} {
			_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "attachments": []string{filepath.Join(folder, file)}})
			if got := bundletest.ProblemPath(t, err); got != "attachments[0]" {
				t.Errorf("%s of %s: %v", file, folder, err)
			}
		}
	}
}

func TestTooLargeFilesAreNotRead(t *testing.T) {
	d := newFixture(t)
	h := d.createFiles(t)
	for name, size := range map[string]int64{"a.bin": 3 << 20, "b.bin": 23 << 20, "huge.bin": 1 << 40} {
		if err := os.WriteFile(filepath.Join(h.docs, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(h.docs, name), size); err != nil {
			t.Fatal(err)
		}
	}
	for _, list := range [][]string{{"a.bin", "b.bin"}, {"huge.bin"}} {
		_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "attachments": list})
		if metadata.CodeOf(err) != metadata.TooLarge || len(d.google.Requests()) != 0 {
			t.Errorf("%v: got %v after %d requests", list, err, len(d.google.Requests()))
		}
	}
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "big", "body": "x", "attachments": []string{"a.bin"}})
	if sent := d.onlySent(t); got.Status != "sent" || len(sent.Raw) < 4<<20 {
		t.Errorf("got %+v of %d bytes", got, len(sent.Raw))
	}
}
