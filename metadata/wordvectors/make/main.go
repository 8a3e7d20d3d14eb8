// Command make writes the table of package wordvectors from the text file of GloVe 6B with 100
// dimensions, whose lines are a word and its numbers, the most frequent word first. It takes all
// words of the requests and documents of the repository, then the most frequent words of a word
// list, and of the other words only the most frequent.
//
//	go run ./metadata/wordvectors/make -vectors glove.6B.100d.txt -words american-english-small -out metadata/wordvectors/vectors.bin
//
// The word list american-english-small is part of Debian's package wamerican-small.
// The same files always give the same table on one processor architecture.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"kota/metadata/words"
	"kota/metadata/wordvectors"
)

const (
	maxOther = 4000    // rank of the last word that is not in the word list, such as a name
	maxOwn   = 150_000 // rank of the last word of the repository; rarer words are mostly misspelt
)

func main() {
	vectors := flag.String("vectors", "", "the `file` of GloVe")
	list := flag.String("words", "", "the `file` with a word on each line")
	count := flag.Int("count", 25_000, "the `number` of words")
	out := flag.String("out", "", "the `file` to write")
	flag.Parse()
	if err := run(*vectors, *list, *out, *count); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

func run(vectors, list, out string, count int) error {
	wanted, err := readList(list)
	if err != nil {
		return err
	}
	own, err := ownWords(os.DirFS("."))
	if err != nil {
		return err
	}
	chosen, err := readVectors(vectors, wanted, own, count)
	if err != nil {
		return err
	}
	removeCommon(chosen)
	return os.WriteFile(out, wordvectors.Encode(chosen), 0o644)
}

// readList returns the words of a list that are written in lower case.
func readList(file string) (map[string]bool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	list := map[string]bool{}
	for _, w := range strings.Fields(string(text)) {
		if w == strings.ToLower(w) {
			list[w] = true
		}
	}
	return list, nil
}

// ownWords returns the words of the requests and documents of the repository.
func ownWords(repository fs.FS) (map[string]bool, error) {
	own := map[string]bool{}
	for _, pattern := range []string{"bundles/*/phrases/*.txt", "metadata/search/*.txt", "*.md", "docs/*/*.md"} {
		files, err := fs.Glob(repository, pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := fs.ReadFile(repository, file)
			if err != nil {
				return nil, err
			}
			for _, t := range words.Split(string(text), 0) {
				own[t.Text] = true
			}
		}
	}
	return own, nil
}

// readVectors returns the vectors of count words: first the own words among the maxOwn most
// frequent, then the most frequent words that are wanted or among the maxOther most frequent.
func readVectors(file string, wanted, own map[string]bool, count int) ([]wordvectors.Word, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var first, rest []wordvectors.Word
	lines := bufio.NewScanner(f)
	rank := 0
	for line := 1; lines.Scan() && rank < maxOwn; line++ {
		fields := strings.Fields(lines.Text())
		if len(fields) != wordvectors.Dims+1 {
			return nil, fmt.Errorf("%s: line %d has %d numbers, not %d", file, line, len(fields)-1, wordvectors.Dims)
		}
		if !isWord(fields[0]) {
			continue
		}
		rank++
		isOwn := own[fields[0]]
		if !isOwn && !wanted[fields[0]] && rank > maxOther {
			continue
		}
		w := wordvectors.Word{Text: fields[0], Weight: weight(rank), Vector: make([]float64, wordvectors.Dims)}
		for i, number := range fields[1:] {
			if w.Vector[i], err = strconv.ParseFloat(number, 64); err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", file, line, err)
			}
		}
		if isOwn {
			first = append(first, w)
		} else {
			rest = append(rest, w)
		}
	}
	all := append(first, rest...)
	return all[:min(count, len(all))], lines.Err()
}

// isWord reports whether the text consists of the letters a to z.
func isWord(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
}

// weight returns how much a word of a rank by frequency says: the most frequent word has the rank
// 1. It is a/(a+p) of Arora, Liang and Ma, "A Simple but Tough-to-Beat Baseline for Sentence
// Embeddings", 2017. Its frequency p is from Zipf's law.
func weight(rank int) float64 {
	const a = 1e-3
	p := 1 / (12 * float64(rank))
	return a / (a + p)
}
