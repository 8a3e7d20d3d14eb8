package semantic

import (
	"context"
	"errors"
)

// An Embedder makes vectors of texts, all of one size. It is safe for concurrent use. Client
// and static.Model implement it.
type Embedder interface {
	// Query returns the vector of a query, within about 1.5 seconds. It returns ErrNoVector
	// for a text without a known word, and ErrLoading if the caller should try again.
	Query(ctx context.Context, text string) (Vector, error)
	// Documents returns the vectors of texts to be found, in the same order. A text without
	// a known word gets a vector of zeros, which matches no query. The caller stores it, and
	// does not request it again.
	Documents(ctx context.Context, items []Item) ([]Vector, error)
	// Name identifies the model of stored vectors. Vectors of different names are never
	// compared. The name is valid once Query has returned a vector.
	Name() string
	// BatchSize is the number of texts for one call of Documents.
	BatchSize() int
}

// ErrLoading means that the model is still being loaded. The loading continues in the background.
var ErrLoading = errors.New("the model is still being loaded")

// ErrNoVector means that the model knows no part of a text.
var ErrNoVector = errors.New("the model knows no word of the text")
