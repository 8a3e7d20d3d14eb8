package bundles

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
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
	for _, file := range texts {
		name := strings.TrimSuffix(file.Name(), ".txt")
		i := slices.IndexFunc(actions, func(a Action) bool { return a.Name == name })
		if i < 0 {
			return fmt.Errorf("phrases/%s is for %q, which is not an action", file.Name(), name)
		}
		text, err := fs.ReadFile(files, "phrases/"+file.Name())
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(string(text), "\n\n")
		actions[i].Phrases = append(slices.Clip(actions[i].Phrases), strings.Split(strings.TrimSpace(first), "\n")...)
	}
	return nil
}
