package semantic

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// A Threshold determines how similar two texts must be to count as a match. Models
// differ: unrelated texts may have a cosine of 0.1 with one model and 0.6 with another.
// The Threshold therefore measures the model on questions with known answers. It is safe for
// concurrent use.
type Threshold struct {
	texts *Texts

	mu       sync.Mutex
	measured map[measuredModel]Model // the models that can be used
}

// A measuredModel identifies a model of a Threshold.
type measuredModel struct {
	name string
	size int
}

// NewThreshold returns a Threshold that keeps its vectors in store, which may be nil.
func NewThreshold(store VectorStore) *Threshold {
	var texts []string
	for _, pair := range slices.Concat(calibrationPairs, synonymPairs) {
		texts = append(texts, pair[0], pair[1])
	}
	return &Threshold{texts: NewTexts(texts, store), measured: map[measuredModel]Model{}}
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

// synonymPairs are words of about the same meaning. A model of random vectors also separates the
// calibration pairs, because a question and its answer have common words. The vectors of tokens
// are random if the tokenizer is of another model.
var synonymPairs = [][2]string{
	{"automobile", "car"}, {"physician", "doctor"}, {"purchase", "buy"}, {"cash", "money"}, {"infant", "baby"}, {"movie", "film"},
	{"ocean", "sea"}, {"lawyer", "attorney"}, {"vacation", "holiday"}, {"sick", "ill"}, {"couch", "sofa"}, {"meal", "dinner"},
}

// A Model describes a model that makes vectors.
type Model struct {
	Size               int     // dimensions of its vectors
	Related, Unrelated float64 // mean similarity of questions to their own answers and to other answers
	Minimum            float64 // the lowest similarity of a match: halfway between the two means
}

// measure describes a model by its vectors of the calibration texts. It returns ErrPreparing if
// vectors are missing, and an *Error if the model does not separate right from wrong answers, or
// does not know that words have the same meaning.
func (t *Threshold) measure(ctx context.Context, name string, size int) (Model, error) {
	key := measuredModel{name, size}
	t.mu.Lock()
	m, known := t.measured[key]
	t.mu.Unlock()
	if known {
		return m, nil
	}
	m, err := t.compare(ctx, name, size)
	if err != nil {
		return Model{}, err
	}
	t.mu.Lock()
	t.measured[key] = m
	t.mu.Unlock()
	return m, nil
}

// compare is measure without the models that were measured before.
func (t *Threshold) compare(ctx context.Context, model string, size int) (Model, error) {
	vectors := make([]Vector, len(t.texts.texts))
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
	// A model of random vectors matches one pair on average, and six with a probability of 0.0003.
	if n := matchedPairs(vectors[2*len(calibrationPairs):]); 2*n < len(synonymPairs) {
		return Model{}, &Error{Status: http.StatusOK, What: fmt.Sprintf("the model recognizes only %d of %d words of equal meaning; its tokenizer may be of another model", n, len(synonymPairs))}
	}
	m.Minimum = (m.Related + m.Unrelated) / 2
	return m, nil
}

// matchedPairs returns how many words are more similar to the second word of their pair than to
// the second words of all other pairs. The vectors are in the order of synonymPairs.
func matchedPairs(vectors []Vector) int {
	matched := 0
	for i := 0; i < len(vectors); i += 2 {
		own, nearest := vectors[i].Cosine(vectors[i+1]), true
		for j := 1; j < len(vectors); j += 2 {
			nearest = nearest && (j == i+1 || vectors[i].Cosine(vectors[j]) < own)
		}
		if nearest {
			matched++
		}
	}
	return matched
}
