package main

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"kota/metadata/classifier"
)

// .ci/run trains the model and compares it byte for byte. Here the sums must suffice, because
// training takes most of a minute.
func TestTheModelIsTheOneOfThePhrases(t *testing.T) {
	repository := os.DirFS("../../..")
	model, err := fs.ReadFile(repository, modelFile)
	if err != nil {
		t.Fatal(err)
	}
	now, err := sumsOf(repository, model)
	if err != nil {
		t.Fatal(err)
	}
	trained, err := fs.ReadFile(repository, "metadata/search/classifier.sha256")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range changed(string(trained), now) {
		t.Errorf("%s is not the one that the model was trained with: run go generate ./metadata/search", file)
	}
}

// changed returns the files whose lines the two lists do not share.
func changed(before, after string) []string {
	var files []string
	for _, two := range [][2]string{{before, after}, {after, before}} {
		has := strings.Split(two[1], "\n")
		for _, line := range strings.Split(two[0], "\n") {
			if _, file, _ := strings.Cut(line, "  "); !slices.Contains(has, line) && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func TestEveryInputHasASum(t *testing.T) {
	read := map[string]bool{}
	if _, err := classifier.ReadRequests(recorder{os.DirFS("../../.."), read}); err != nil {
		t.Fatal(err)
	}
	list, err := sumsOf(os.DirFS("../../.."), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(read) < 50 {
		t.Fatalf("the requests are in %d files, want at least 50", len(read))
	}
	for _, code := range []string{"metadata/classifier/train.go", "metadata/classifier/train/main.go", "metadata/words/tokens.go"} {
		read[code] = true
	}
	for file := range read {
		if !strings.Contains(list, "  "+file+"\n") {
			t.Errorf("%s has no sum", file)
		}
	}
}

// A recorder notes the files that are read.
type recorder struct {
	fs.FS
	files map[string]bool
}

func (r recorder) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".txt") {
		r.files[name] = true
	}
	return r.FS.Open(name)
}

func TestAChangedInputIsSeen(t *testing.T) {
	const before = "a1  model\nb1  phrases\nc1  removed\n"
	const after = "a1  model\nb2  phrases\nd1  added\n"
	if got, want := changed(before, after), []string{"phrases", "removed", "added"}; !slices.Equal(got, want) {
		t.Errorf("changed: %q, want %q", got, want)
	}
}
