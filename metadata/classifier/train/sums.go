package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strings"
)

const modelFile = "metadata/search/classifier.bin"

// inputs are the files that decide what the model is.
var inputs = []string{
	"bundles/*/phrases/*.txt",
	"metadata/classifier/*.go",
	"metadata/classifier/train/main.go",
	"metadata/search/out_of_scope*.txt",
	"metadata/search/requests_also.txt",
	"metadata/words/*.go",
}

// sumsOf returns the sums of the model and of all inputs but tests, a line for each file. Its
// format is that of the program sha256sum.
func sumsOf(repository fs.FS, model []byte) (string, error) {
	list := fmt.Sprintf("%x  %s\n", sha256.Sum256(model), modelFile)
	for _, pattern := range inputs {
		files, err := fs.Glob(repository, pattern)
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data, err := fs.ReadFile(repository, file)
			if err != nil {
				return "", err
			}
			list += fmt.Sprintf("%x  %s\n", sha256.Sum256(data), file)
		}
	}
	return list, nil
}
