package mistake

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestFileProblemIsOneSentence(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(dir, "nowhere")
	_, err := os.Open(nowhere)
	if got, want := FileProblem(err, nowhere), "there is no file "+nowhere; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if runtime.GOOS != "windows" {
		_, err = os.ReadFile(dir)
		if got, want := FileProblem(err, dir), dir+" is a folder; name a file"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		_, err = os.Open(filepath.Join(file, "x"))
		if got := FileProblem(err, "x"); !strings.HasPrefix(got, "there is no file x: ") {
			t.Errorf("below a file: %q", got)
		}
	}
	for name, want := range map[string]string{nowhere: "there is no file " + nowhere, dir: dir + " is a folder; name a file"} {
		if _, err := OpenFile(name); err == nil || err.Error() != want {
			t.Errorf("OpenFile: got %v, want %q", err, want)
		}
	}
	if got := FileProblem(errors.New("another"), "x"); got != "another" {
		t.Errorf("another error becomes %q", got)
	}
}
