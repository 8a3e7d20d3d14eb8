// Package htmltext makes text that strangers wrote fit for a model to read:
// mail bodies, subjects, names, event descriptions.
//
// What it returns is what a person would have seen. Characters that show
// nothing and HTML that is hidden are dropped and counted; images are never
// shown, so that nothing is fetched; links keep their target as it is.
//
// That is hygiene and no boundary: plain visible text can lie too. What holds
// against it is that nothing is sent or destroyed on its word.
//
// Every function takes any input, is linear in its length and never panics.
// Where a limit cuts something off, the result says so.
package htmltext
