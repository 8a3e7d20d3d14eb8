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
	if errors.Is(err, ErrNoVector) {
		return Model{}, &Error{Status: http.StatusOK, What: fmt.Sprintf("the model knows no word of %q, which measures its threshold", calibrationPairs[0][0])}
	}
	if err != nil {
		return Model{}, err
	}
	t := NewThreshold(nil)
	if err := fillMissing(ctx, e, t.texts, len(v), map[Item]bool{}); err != nil {
		return Model{}, err
	}
	return t.measure(ctx, e.Name(), len(v))
}
