package semantic

import (
	"context"
	"fmt"
	"net/http"
)

// A Threshold determines how similar two texts must be to count as a match. Models
// differ: unrelated texts may have a cosine of 0.1 with one model and 0.6 with another.
// The Threshold therefore measures the model on questions with known answers.
type Threshold struct{ texts *Texts }

// NewThreshold returns a Threshold that keeps its vectors in store, which may be nil.
func NewThreshold(store VectorStore) *Threshold {
	texts := make([]string, 0, 2*len(calibrationPairs))
	for _, pair := range calibrationPairs {
		texts = append(texts, pair[0], pair[1])
	}
	return &Threshold{NewTexts(texts, store)}
}

// calibrationPairs are questions, each with the only text that answers it.
var calibrationPairs = [][2]string{
	{"what is the wifi password", "The password of the wifi at home stands below the router."},
	{"when does my train leave", "The train to Basel leaves at seven in the morning, from platform four."},
	{"write to my landlord about the rent", "Send a letter or a mail to the person who rents out the flat, about the rent."},
	{"which medicine must the dog take", "The dog takes half a pill of the medicine every evening."},
	{"how do I bake bread", "Recipe for bread: flour, water, salt and yeast; bake for forty minutes."},
	{"who fixed the roof", "The roof was fixed by a carpenter named Jonas, after the storm."},
}

// A Model describes a model that makes vectors.
type Model struct {
	Size               int     // dimensions of its vectors
	Related, Unrelated float64 // mean similarity of questions to their own answers and to other answers
	Minimum            float64 // the lowest similarity of a match: halfway between the two means
}

// measure describes a model by its vectors of the calibration texts. It returns ErrPreparing if
// vectors are missing, and an *Error if the model does not separate right from wrong answers.
func (t *Threshold) measure(ctx context.Context, model string, size int) (Model, error) {
	vectors := make([]Vector, 2*len(calibrationPairs))
	known := 0
	err := t.texts.Vectors(ctx, model, size, func(id int64, v Vector) { vectors[id], known = v, known+1 })
	if err == nil && known < len(vectors) {
		err = ErrPreparing
	}
	if err != nil {
		return Model{}, err
	}
	m, n := Model{Size: size}, float64(len(calibrationPairs))
	for q := range calibrationPairs {
		for a := range calibrationPairs {
			similarity := vectors[2*q].Cosine(vectors[2*a+1])
			if q == a {
				m.Related += similarity / n
			} else {
				m.Unrelated += similarity / (n * (n - 1))
			}
		}
	}
	const least = .05
	if m.Related-m.Unrelated < least {
		return Model{}, &Error{Status: http.StatusOK, What: fmt.Sprintf("the model finds questions as similar to wrong answers (%.2f) as to right ones (%.2f)", m.Unrelated, m.Related)}
	}
	m.Minimum = (m.Related + m.Unrelated) / 2
	return m, nil
}
