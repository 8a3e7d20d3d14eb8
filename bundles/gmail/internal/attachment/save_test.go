package attachment_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbody"
)

func TestSaveTriesAThousandNames(t *testing.T) {
	into := t.TempDir()
	folder, err := attachment.OpenFolder(attachment.Folders{Into: into})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	save := func() (string, error) { return folder.Save(mailbody.Attachment{Name: "plan.txt"}, nil) }
	if got, err := save(); err != nil || got != filepath.Join(into, "plan.txt") {
		t.Errorf("the first file: got %q, %v", got, err)
	}
	for n := 2; n < 1000; n++ {
		if err := os.WriteFile(filepath.Join(into, fmt.Sprintf("plan (%d).txt", n)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := save(); err != nil || got != filepath.Join(into, "plan (1000).txt") {
		t.Errorf("the last file: got %q, %v", got, err)
	}
	if _, err := save(); err == nil || !strings.Contains(err.Error(), "1000 files with names from plan.txt to plan (1000).txt") {
		t.Errorf("the name after them: %v", err)
	}
}
