package search

import (
	"runtime"
	"slices"
	"strings"
	"sync"

	"kota/metadata/words"
)

// A textReader has the tokens of texts and the stems of their words, each computed once:
// building an index uses them several times, and stemming is most of its work. A textReader
// never changes, and is safe for concurrent use.
type textReader struct {
	tokens map[string][]words.Token // by text
	stems  map[string]string        // by word
}

// newTextReader reads all texts of the entries.
func newTextReader(entries []Entry) *textReader {
	r := &textReader{tokens: map[string][]words.Token{}, stems: map[string]string{}}
	var distinct []string
	read := func(text string) {
		if _, known := r.tokens[text]; known {
			return
		}
		tokens := words.Split(text, 0)
		r.tokens[text] = tokens
		for _, t := range tokens {
			for _, word := range append(indexWords(t), t.Text) {
				if _, known := r.stems[word]; !known {
					r.stems[word] = ""
					distinct = append(distinct, word)
				}
			}
		}
	}
	for _, e := range entries {
		for _, f := range fields {
			for _, text := range f.text(e) {
				read(text)
			}
		}
		for _, text := range phraseTexts(e) {
			read(text)
		}
	}
	for i, stem := range stemAll(distinct) {
		r.stems[distinct[i]] = stem
	}
	return r
}

// stemAll returns the stems of the words. It uses all processors.
func stemAll(list []string) []string {
	stems := make([]string, len(list))
	var wait sync.WaitGroup
	share := len(list)/runtime.GOMAXPROCS(0) + 1
	for from := 0; from < len(list); from += share {
		wait.Go(func() {
			for i := from; i < min(from+share, len(list)); i++ {
				stems[i] = words.Stem(list[i])
			}
		})
	}
	wait.Wait()
	return stems
}

// stem returns the stem of a word of the texts.
func (r *textReader) stem(word string) string { return r.stems[word] }

// phraseTexts returns the texts that a phraseIndex has for an entry.
func phraseTexts(e Entry) []string {
	texts := slices.Concat(e.Phrases, e.Examples, []string{e.Summary, e.Name, strings.Join(e.Tags, " ")})
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}
