// Command train trains the classifier of requests. It reads the phrases of every bundle
// (bundles/BUNDLE/phrases/ACTION.txt) and the requests out of scope. Then it writes the model.
// On one processor architecture, the same files always give the same bytes.
//
//	go run ./metadata/classifier/train -root ../.. -out classifier.bin
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kota/metadata/classifier"
)

func main() {
	root := flag.String("root", ".", "the `folder` of the repository")
	out := flag.String("out", "", "the `file` to write")
	flag.Parse()
	if err := run(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(root, out string) error {
	examples, err := readExamples(root)
	if err != nil {
		return err
	}
	model := classifier.Train(examples, classifier.Options{})
	return os.WriteFile(out, model.Encode(), 0o644)
}

// readExamples returns the requests of all actions, in the order of their files, and then the
// requests out of scope.
func readExamples(root string) ([]classifier.Example, error) {
	files, err := filepath.Glob(filepath.Join(root, "bundles", "*", "phrases", "*.txt"))
	if err != nil {
		return nil, err
	}
	var examples []classifier.Example
	for _, file := range files {
		bundle := filepath.Base(filepath.Dir(filepath.Dir(file)))
		action := strings.TrimSuffix(filepath.Base(file), ".txt")
		lines, err := readLines(file)
		if err != nil {
			return nil, err
		}
		for _, line := range lines {
			examples = append(examples, classifier.Example{Text: line, Label: bundle + "_" + action})
		}
	}
	outside, err := readLines(filepath.Join(root, "metadata", "search", "out_of_scope_requests.txt"))
	if err != nil {
		return nil, err
	}
	topics, err := os.ReadFile(filepath.Join(root, "metadata", "search", "out_of_scope.txt"))
	if err != nil {
		return nil, err
	}
	// The topics after the empty line belong to the bundles, so they are in scope.
	foreign, _, _ := strings.Cut(string(topics), "\n\n")
	for topic := range strings.Lines(foreign) {
		_, requests, _ := strings.Cut(topic, ": ")
		outside = append(outside, strings.Split(strings.TrimSpace(requests), " | ")...)
	}
	for _, line := range outside {
		examples = append(examples, classifier.Example{Text: line, Label: classifier.OutOfScope})
	}
	return examples, nil
}

// readLines returns the lines of a file that are not empty.
func readLines(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, nil
}
