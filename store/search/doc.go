// Package search finds stored text with the words of a question, also if they are
// inflected, misspelt, compound or abbreviated, or by common words for the same thing. It
// splits documents and questions into terms, weighs terms by how rare they are, and ranks
// the matching documents. It reads the documents of any database through [Source], so two
// databases with the same data rank alike.
//
// Start with [Find] and [Source]. [Document.Index] is what a database stores of a
// document. [ConfidenceOf] judges an answer.
package search
