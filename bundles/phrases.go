package bundles

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// setPhrases assigns phrases to the actions. In the folder "phrases" of files, the text
// NAME.txt belongs to the action NAME. The lines before its first empty line are the phrases
// of the action. The groups of lines after that only train the classifier. setPhrases
// returns an error for a file that belongs to no action. If files is nil, it does nothing.
func setPhrases(actions []Action, files fs.FS) error {
	if files == nil {
		return nil
	}
	texts, err := fs.ReadDir(files, "phrases")
	if err != nil {
		return err
	}
	block := make([]byte, 0, 4<<10)
	for _, file := range texts {
		name := strings.TrimSuffix(file.Name(), ".txt")
		i := slices.IndexFunc(actions, func(a Action) bool { return a.Name == name })
		if i < 0 {
			return fmt.Errorf("phrases/%s is for %q, which is not an action", file.Name(), name)
		}
		if block, err = readFirstGroup(files, "phrases/"+file.Name(), block[:0]); err != nil {
			return err
		}
		actions[i].Phrases = slices.Clip(slices.Concat(actions[i].Phrases, phrasesIn(block)))
	}
	return nil
}

// readFirstGroup appends the lines of a file to group, at least up to the first empty line. Most of a
// file comes after it, and every start would copy it.
func readFirstGroup(files fs.FS, name string, group []byte) ([]byte, error) {
	file, err := files.Open(name)
	if err != nil {
		return group, err
	}
	defer file.Close()
	for !bytes.Contains(group, []byte("\n\n")) {
		group = slices.Grow(group, 1<<10)
		n, err := file.Read(group[len(group) : len(group)+1<<10])
		group = group[:len(group)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return group, err
		}
	}
	return group, nil
}

// readPhrases maps the phrases of each text to them. A server with many people has the bundles of each
// of them, and the texts of the phrases are most of the memory of a bundle.
var readPhrases sync.Map

// phrasesIn returns the phrases in a text. The phrases of equal texts share their memory.
func phrasesIn(text []byte) []string {
	first, _, _ := bytes.Cut(text, []byte("\n\n"))
	lines := string(bytes.TrimSpace(first))
	if known, ok := readPhrases.Load(lines); ok {
		return known.([]string)
	}
	known, _ := readPhrases.LoadOrStore(lines, strings.Split(lines, "\n"))
	return known.([]string)
}
