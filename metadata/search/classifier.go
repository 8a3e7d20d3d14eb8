package search

import (
	_ "embed"
	"fmt"
	"sync"

	"kota/metadata/classifier"
)

// classifierFile is a model trained on the phrases of all bundles and on requests out of
// scope.
//
//go:generate go run ../classifier/train -root ../.. -out classifier.bin -sums classifier.sha256
//go:embed classifier.bin
var classifierFile []byte

// Classifier returns the classifier of requests for the actions of KOTA's own bundles. The
// first call decodes it.
var Classifier = sync.OnceValue(func() *classifier.Model {
	m, err := classifier.Decode(classifierFile)
	if err != nil {
		panic(fmt.Sprintf("the embedded classifier: %v", err))
	}
	return m
})
