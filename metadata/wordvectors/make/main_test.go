package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/metadata/wordvectors"
)

// write makes a file of vectors for the words w0, w1 and so on, written with letters.
func write(t *testing.T, lines ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "vectors.txt")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func line(word string, random *rand.Rand) string {
	numbers := make([]string, wordvectors.Dims)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("%.4f", random.NormFloat64())
	}
	return word + " " + strings.Join(numbers, " ")
}

func letters(n int) string {
	text := ""
	for ; n >= 0; n = n/26 - 1 {
		text = string(rune('a'+n%26)) + text
	}
	return text
}

func TestSameFilesMakeTheSameTable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var lines, list []string
	for i := range 600 {
		lines, list = append(lines, line(letters(i), random)), append(list, letters(i))
		lines = append(lines, line(fmt.Sprint(i), random)) // not a word
	}
	vectors, words := write(t, lines...), write(t, list...)
	var tables [2][]byte
	for i := range tables {
		out := filepath.Join(t.TempDir(), "out")
		if err := run(vectors, words, out, 500); err != nil {
			t.Fatal(err)
		}
		tables[i], _ = os.ReadFile(out)
	}
	if !bytes.Equal(tables[0], tables[1]) {
		t.Error("the tables differ")
	}
	if got := binary.LittleEndian.Uint32(tables[0]); got != 500 {
		t.Errorf("the table has %d words, want 500", got)
	}
}

func TestWordsOutsideTheListMustBeFrequent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var lines []string
	for i := range maxOther + 10 {
		lines = append(lines, line(letters(i), random))
	}
	words, err := readVectors(write(t, lines...), map[string]bool{letters(maxOther + 5): true}, map[string]bool{letters(maxOther + 7): true}, maxOther+10)
	if err != nil || len(words) != maxOther+2 || words[0].Weight != weight(maxOther+8) || words[maxOther+1].Weight != weight(maxOther+6) {
		t.Errorf("%d words, %v", len(words), err)
	}
}

func TestDamagedFilesAreErrors(t *testing.T) {
	for name, text := range map[string]string{
		"a line with too few numbers": "the 1 2 3",
		"a number that is none":       "the " + strings.Repeat("x ", wordvectors.Dims),
	} {
		if _, err := readVectors(write(t, text), nil, nil, 10); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := run("/missing", "/missing", "/missing", 1); err == nil {
		t.Error("missing files: no error")
	}
}
