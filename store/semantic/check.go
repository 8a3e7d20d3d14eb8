package semantic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// A Model describes a model that makes vectors.
type Model struct {
	Size               int     // dimensions of its vectors
	Related, Unrelated float64 // mean similarity of questions to their own answers and to other answers
	Minimum            float64 // the lowest similarity of a match
}

// Check requests the vectors of a question and of the calibration texts from e, as a first search
// does. An error says why searches cannot use e.
func Check(ctx context.Context, e Embedder) (Model, error) {
	v, err := e.Query(ctx, calibrationPairs[0][0])
	if errors.Is(err, ErrNoVector) {
		return Model{}, &Error{Status: http.StatusOK, What: fmt.Sprintf("the model knows no word of %q, which measures its threshold", calibrationPairs[0][0])}
	}
	if err != nil {
		return Model{}, err
	}
	y := NewThreshold(nil)
	if err := fillMissing(ctx, e, y.texts, len(v), map[Item]bool{}); err != nil {
		return Model{}, err
	}
	m := Model{Size: len(v)}
	if m.Related, m.Unrelated, err = y.measure(ctx, e.Name(), m.Size); err != nil {
		return Model{}, err
	}
	m.Minimum, err = y.minimum(ctx, e.Name(), m.Size)
	return m, err
}
