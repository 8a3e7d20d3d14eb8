package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestTheModelIsTheOneOfThePhrases(t *testing.T) {
	made := filepath.Join(t.TempDir(), "classifier.bin")
	if err := run("../../..", made); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../search/classifier.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("metadata/search/classifier.bin is not what the phrases train: run go generate ./metadata/search")
	}
}
