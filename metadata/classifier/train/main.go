// Command train trains the classifier of requests. It reads the phrases of every bundle
// (bundles/BUNDLE/phrases/ACTION.txt) and the requests out of scope, and writes the model.
// The same files always give the same model, byte for byte, on one processor architecture.
// It also writes the SHA-256 sums of all these files, and of the code that trains. So a test can
// see without training whether the model is out of date.
//
//	go run ./metadata/classifier/train -out metadata/search/classifier.bin -sums metadata/search/classifier.sha256
package main

import (
	"flag"
	"fmt"
	"os"

	"kota/metadata/classifier"
)

func main() {
	root := flag.String("root", ".", "the `folder` of the repository")
	out := flag.String("out", "", "the `file` to write the model to")
	sums := flag.String("sums", "", "the `file` to write the sums to")
	flag.Parse()
	if err := run(*root, *out, *sums); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(root, out, sums string) error {
	requests, err := classifier.ReadRequests(os.DirFS(root))
	if err != nil {
		return err
	}
	examples := make([]classifier.Example, len(requests))
	for i, r := range requests {
		examples[i] = r.Example
	}
	model := classifier.Train(examples, classifier.Options{}).Encode()
	if err := os.WriteFile(out, model, 0o644); err != nil {
		return err
	}
	list, err := sumsOf(os.DirFS(root), model)
	if err != nil {
		return err
	}
	return os.WriteFile(sums, []byte(list), 0o644)
}
