// Command train trains the classifier of requests. It reads the phrases of every bundle
// (bundles/BUNDLE/phrases/ACTION.txt) and the requests out of scope, and writes the model.
// The same files always give the same model, byte for byte, on one processor architecture.
//
//	go run ./metadata/classifier/train -out metadata/search/classifier.bin
package main

import (
	"flag"
	"fmt"
	"os"

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
	requests, err := classifier.ReadRequests(os.DirFS(root))
	if err != nil {
		return err
	}
	examples := make([]classifier.Example, len(requests))
	for i, r := range requests {
		examples[i] = r.Example
	}
	model := classifier.Train(examples, classifier.Options{})
	return os.WriteFile(out, model.Encode(), 0o644)
}
