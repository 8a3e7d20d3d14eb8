package report

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWritePageReplacesTableAndPlot(t *testing.T) {
	page := filepath.Join(t.TempDir(), "benchmarks.md")
	if err := os.WriteFile(page, []byte("before\n"+pageBegin+"old\n"+pageEnd+"after\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var of Table
	of.Add("calls", []Row{AtMost("a <call>", "≤ 2", 3., 2, "3 ×"), AtLeast("commits", "≥ 3", 6, 3, "6 ×"), Info("size", "1 MB")})
	for range 2 { // the second run replaces the content
		if err := WritePage(page, "on a machine", of); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(got); !strings.HasPrefix(text, "before\n"+pageBegin+"on a machine\n") || !strings.HasSuffix(text, pageEnd+"after\n") ||
		strings.Contains(text, "old") || !strings.Contains(text, of.String()) || !strings.Contains(text, "(benchmarks.svg)") {
		t.Errorf("the page is\n%s", text)
	}
	picture, err := os.ReadFile(strings.TrimSuffix(page, "md") + "svg")
	if err != nil {
		t.Fatal(err)
	}
	elements := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(string(picture))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}
	if elements["rect"] != 3 || !strings.Contains(string(picture), ">1.50<") || !strings.Contains(string(picture), ">0.50<") {
		t.Errorf("%v in\n%s", elements, picture)
	}
	if err := os.WriteFile(page, []byte("no marks"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WritePage(page, "", of); err == nil {
		t.Error("a page without marks is written")
	}
}
