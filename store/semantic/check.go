package semantic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// Check requests the vectors of a question and of the calibration texts from e, as a first search
// does. An error says why searches cannot use e.
func Check(ctx context.Context, e Embedder) (Model, error) {
	v, err := e.Query(ctx, calibrationPairs[0][0])
	if err != nil {
		return Model{}, checkedError(err)
	}
	t := NewThreshold(nil)
	if err := fillMissing(ctx, e, t.texts, len(v), map[Item]bool{}); err != nil {
		return Model{}, err
	}
	return t.measure(ctx, e.Name(), len(v))
}

// checkKnowsWords returns an error if e cannot make a vector of the first calibration text. Then
// it can hardly make a vector of any query.
func checkKnowsWords(ctx context.Context, e Embedder) error {
	_, err := e.Query(ctx, calibrationPairs[0][0])
	return checkedError(err)
}

// checkedError replaces ErrNoVector, because a model must know the calibration texts.
func checkedError(err error) error {
	if errors.Is(err, ErrNoVector) {
		return &Error{Status: http.StatusOK, What: fmt.Sprintf("the model knows no word of %q, which measures its threshold", calibrationPairs[0][0])}
	}
	return err
}
