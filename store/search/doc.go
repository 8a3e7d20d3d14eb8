// Package search finds stored text by what a person would ask: words, inflected,
// misspelt, compound or shortened. It takes documents and questions apart, weighs
// words by how rare they are, and ranks what has them. It reads the documents of any
// database through [Source], so that two databases that answer alike rank alike.
//
// Start with [Find] and [Source]; [Document.Index] is what a database keeps of a
// document, [ConfidenceOf] judges an answer.
package search
